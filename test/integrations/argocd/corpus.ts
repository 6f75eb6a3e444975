import fc from 'fast-check';
import { app } from '../../../src/cloudfoundry/portrait/app.fixture.ts';
import {
  aborted,
  draining,
  halted,
  keeping,
  retiring,
  starting,
  suspended,
} from '../../../src/flink/decide/bluegreen/moments.fixture.ts';
import { Story, serving } from '../../../src/flink/decide/bluegreen/story.fixture.ts';
import { configured, edited, stateful, stateless, viewOf } from '../../../src/flink/decide/bluegreen/view.fixture.ts';
import { walks } from '../../../src/flink/decide/bluegreen/walks.fixture.ts';
import { run } from '../../../src/flink/decide/model/run.fixture.ts';
import { running } from '../../../src/flink/decide/model/running.fixture.ts';
import { image, job } from '../../../src/flink/decide/model/specs.fixture.ts';
import { views } from '../../../src/flink/decide/model/views.fixture.ts';
import type { World } from '../../../src/flink/decide/model/world.fixture.ts';
import { aroundOf } from '../../../src/flink/portrait/around.fixture.ts';
import { aroundView } from '../../../src/flink/portrait/blue-green/world.fixture.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import {
  anInstance,
  aroundWith,
  atRest,
  aVersion,
  condition,
  planStatus,
} from '../../../src/kudo/portrait/around.fixture.ts';
import type { InstanceStatus } from '../../../src/kudo/resources/instance.ts';
import type { Around } from '../../../src/portrait/workload.ts';

/** An object as a controller left it, and what was around it then. */
export interface Seen {
  readonly object: AnyObject;
  readonly around: Around;
}

/** Each once: those that differ only in numbers, times and ids tell the same, unless an edit was not looked at yet. */
function distinct(all: readonly Seen[]): readonly Seen[] {
  const sketch = ({ object }: Seen): string => {
    const { observedGeneration } = (object.status ?? {}) as { readonly observedGeneration?: number };
    return `${observedGeneration === object.metadata.generation} ${JSON.stringify(object).replace(/\d+/g, '#')}`;
  };
  return [...new Map(all.map((one) => [sketch(one), one])).values()];
}

/** Blue/green deployments in all that can happen to them: edits, failures, people, crashes, with real decisions in between. */
export function blueGreens(): readonly Seen[] {
  const seen: Seen[] = [];
  const note = ({ view }: Story): void => {
    seen.push({ object: structuredClone({ ...view.resource }) as AnyObject, around: aroundView(view) });
  };
  const manual = edited(stateful, configured({ promotion: 'manual' }));
  const waiting = starting('BLUE', manual);
  waiting.becomes(waiting.y, 'ready').settle();
  const moments = [
    waiting,
    starting('BLUE'),
    draining('BLUE'),
    retiring('GREEN'),
    keeping('BLUE'),
    aborted('BLUE'),
    suspended('GREEN'),
    halted('BLUE'),
  ];
  for (const story of moments) note(story);
  const starts = [
    () => serving('BLUE', stateful),
    () => serving('GREEN', stateless),
    () => new Story(viewOf(stateful)),
  ];
  for (const [index, walk] of fc.sample(walks, { seed: 7, numRuns: 12 }).entries()) {
    const story = starts[index % starts.length]?.() ?? serving('BLUE', stateful);
    for (const happening of walk) {
      happening.to(story);
      note(story);
    }
  }
  return asideToo(distinct(seen));
}

/** Jobs and session clusters through deployments, upgrades that fail, suspension, loss and deletion. */
export function deployments(): readonly Seen[] {
  const seen: Seen[] = [];
  const watched = (world: World, seconds?: number): void => {
    const note = (): void => {
      seen.push({ object: structuredClone({ ...world.resource }) as AnyObject, around: aroundOf(world.now) });
    };
    run(world, seconds, { onDecision: note });
    note();
  };
  const stories: readonly ((world: World) => void)[] = [
    (world) => world.edit(image('flink:2')),
    (world) => world.edit(job({ state: 'suspended' })),
    (world) => world.edit(job({ parallelism: 4 })),
    (world) => world.edit(job({ parallelism: -1 })),
    (world) => world.delete(),
    (world) => {
      world.stopFails = 'the disk is full';
      world.edit(image('flink:3'));
    },
    (world) => {
      world.brokenImage = 'flink:4';
      world.edit(image('flink:4'));
    },
    (world) => {
      world.refusedKind = 'Deployment';
      world.edit(image('flink:5'));
    },
    (world) => world.restartJobManager(),
  ];
  for (const [mode, these] of [
    ['savepoint', stories],
    ['stateless', stories.slice(0, 2)],
  ] as const) {
    for (const story of these) {
      const world = running(mode);
      watched(world, 3);
      story(world);
      watched(world);
      if (world.resource.spec.job?.state === 'suspended') {
        world.edit(job({ state: 'running' }));
        watched(world);
      }
    }
  }
  // Whatever a status can be, whether or not a controller would ever leave it so; half of them without a job: session clusters.
  for (const [index, { resource, now }] of fc.sample(views, { seed: 7, numRuns: 60 }).entries()) {
    const { job: own, ...spec } = resource.spec;
    const object = { ...resource, spec: index % 2 === 0 ? { ...spec, job: own } : spec } as unknown as AnyObject;
    seen.push({ object: structuredClone(object), around: aroundOf(now) });
  }
  return asideToo(distinct(seen));
}

/** The same jobs as FlinkSessionJobs: their status has the same words. */
export function sessionJobs(): readonly Seen[] {
  return deployments()
    .filter(({ object }) => (object as { spec?: { job?: unknown } }).spec?.job !== undefined)
    .map(({ object, around }) => ({ object: { ...object, kind: 'FlinkSessionJob' }, around }));
}

type Past = NonNullable<InstanceStatus['history']>[number];

/** Instances in every situation, and in several at once. */
export function instances(): readonly Seen[] {
  const [past] = atRest().history ?? [];
  const execution: NonNullable<InstanceStatus['execution']> = {
    uid: 'run-2',
    plan: 'deploy',
    cause: 'parameters',
    changed: ['LEVEL'],
    forced: true,
    startedAt: '2026-11-01T10:05:00Z',
  };
  const ended = (outcome: Past['outcome'], cause: Past['cause']): InstanceStatus => ({
    history: past ? [{ ...past, outcome, cause, message: 'because' }] : [],
  });
  const statuses: readonly (InstanceStatus | undefined)[] = [
    undefined,
    {},
    atRest(),
    atRest({ execution }),
    atRest(ended('FATAL_ERROR', 'parameters')),
    atRest(ended('CANCELED', 'parameters')),
    atRest(ended('CANCELED', 'trigger')),
    atRest(ended('FATAL_ERROR', 'cleanup')),
    atRest({ history: [], planStatus: { deploy: planStatus('COMPLETE', 'FATAL_ERROR', 'no') } }),
    atRest({ restart: { plan: 'deploy', uid: 'run-1' } }),
    ...['UnknownPlan', 'InvalidParameters'].flatMap((reason) => [
      atRest({ conditions: [condition('Ready', 'True', 'R', ''), condition('Accepted', 'False', reason, 'no')] }),
      atRest({
        conditions: [condition('Ready', 'True', 'R', ''), condition('Accepted', 'False', reason, 'no')],
        letter: { declined: true, planName: 'x', uid: 'u' },
      }),
    ]),
    ...(['Waiting', 'Drifted', 'RestartPending', 'ManagedElsewhere', 'SchemaOutdated', 'Paused'] as const).map((type) =>
      atRest({ conditions: [condition('Ready', 'True', 'R', ''), condition(type, 'True', type, 'so it is')] }),
    ),
    atRest({ conditions: [condition('Ready', 'False', 'NotReady', 'a pod is down')] }),
    atRest({ conditions: [condition('Ready', 'Unknown', 'NotKnown', '')] }),
    atRest({ observedGeneration: 0 }),
  ];
  const envelopes: readonly AnyObject['metadata'][] = [
    {},
    { generation: 2 },
    { annotations: { 'cutover.dev/paused': 'true' } },
    { annotations: { 'cutover.dev/paused': 'false' } },
    { deletionTimestamp: '2026-11-01T10:09:00Z' },
  ];
  const specs = [
    {},
    { planExecution: { planName: 'x', uid: 'u' } },
    { drift: 'repair' as const, parameters: { LEVEL: 'debug' } },
  ];
  const owner = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'db', uid: 'uid-db', controller: true };
  const nodes = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db-node', namespace: 'shop', uid: 'uid-node', ownerReferences: [owner] },
    spec: { replicas: 2, template: {} },
  } as AnyObject;
  return distinct(
    statuses.flatMap((status) =>
      envelopes.flatMap((metadata) =>
        specs.map((spec) => {
          const object = structuredClone(anInstance(status, { spec, metadata }));
          return { object, around: aroundWith(object, aVersion(), nodes) };
        }),
      ),
    ),
  );
}

/** Apps in every situation. */
export function apps(): readonly Seen[] {
  const mark = { guid: 'd', appRev: 3, previous: { appRev: 2, droplet: 'droplet-b' } };
  const marks = [undefined, mark, { ...mark, canceled: true }, { ...mark, appRev: 2 }, { guid: 'd', appRev: 3 }];
  const readiness = [
    { ready: true },
    { ready: false },
    { ready: false, waits: true },
    { ready: false, reason: 'CannotResolveCurrentDropletRef', message: 'gone' },
    { ready: false, message: 'web: instance 0 does not come up: CrashLoopBackOff.' },
    { ready: true, status: { observedAppRev: '2' } },
    { ready: false, status: { actualState: 'STOPPED' } },
    { ready: true, metadata: { generation: 2 } },
  ];
  const specs = [{}, { desiredState: 'STOPPED' }, { currentDropletRef: undefined }];
  const around = aroundOf(0);
  const all = marks.flatMap((one) =>
    readiness.flatMap((ready) => specs.map((spec) => app({ ...ready, spec, ...(one !== undefined && { mark: one }) }))),
  );
  const changed = all.flatMap((object) => [
    object,
    withMetadata(object, { annotations: { ...object.metadata.annotations, 'cutover.dev/paused': 'true' } }),
    withMetadata(object, { deletionTimestamp: '2026-06-01T12:09:00Z' }),
  ]);
  return distinct(changed.map((object) => ({ object: JSON.parse(JSON.stringify(object)) as AnyObject, around })));
}

/** Some of them also paused, set aside and deleted. */
function asideToo(all: readonly Seen[]): readonly Seen[] {
  const at = '2026-01-01T00:00:00Z';
  const set = (object: AnyObject, type: string): AnyObject => {
    const status = (object.status ?? {}) as { readonly conditions?: readonly object[] };
    const found = { type, status: 'True', reason: type, message: 'so it is', lastTransitionTime: at };
    return { ...object, status: { ...status, conditions: [...(status.conditions ?? []), found] } } as AnyObject;
  };
  const some = all.filter((_, index) => index % 11 === 0);
  return [
    ...all,
    ...some.flatMap(({ object, around }) =>
      [
        set(withMetadata(object, { annotations: { 'cutover.dev/paused': 'true' } }), 'Paused'),
        set(object, 'ManagedElsewhere'),
        set(object, 'SchemaOutdated'),
        withMetadata(object, { deletionTimestamp: at }),
      ].map((one) => ({ object: one, around })),
    ),
  ];
}

function withMetadata(object: AnyObject, more: Partial<AnyObject['metadata']>): AnyObject {
  return { ...object, metadata: { ...object.metadata, ...more } };
}
