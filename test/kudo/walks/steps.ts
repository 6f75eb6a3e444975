import fc from 'fast-check';
import { kinds } from '../../../src/kube/kinds.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import type { Edits } from './walk-package.ts';
import { name, type Refusal, versionName, type WalkStage } from './walk-stage.ts';
import type { Witness } from './witness.ts';

type Parameters = Readonly<Record<string, string | null>>;

/** What somebody does, or what befalls the operator; one step of a walk. */
type Step =
  | { readonly do: 'set'; readonly parameters: Parameters }
  | {
      readonly do: 'trigger';
      readonly plan: string;
      readonly override?: boolean;
      readonly restart?: boolean;
      readonly uid?: string;
    }
  | { readonly do: 'cancel' | 'install' | 'rewind' | 'pause' | 'resume' }
  | { readonly do: 'delete'; readonly propagation?: 'Foreground' | 'Orphan' }
  | { readonly do: 'delete-version'; readonly version: 1 | 2 }
  | { readonly do: 'scribble'; readonly what: object }
  | { readonly do: 'turn'; readonly to: 1 | 2; readonly restart?: boolean; readonly parameters?: Parameters }
  | { readonly do: 'edit-version'; readonly version: 1 | 2; readonly edits: Edits }
  | { readonly do: 'drift'; readonly policy: 'ignore' | 'report' | 'repair' }
  | { readonly do: 'delete-object' | 'edit-object'; readonly of: Thing }
  | { readonly do: 'delete-pod'; readonly nth: number }
  | { readonly do: 'die'; readonly atWrite: number; readonly downMs: number }
  | { readonly do: 'refuse'; readonly with: readonly Refusal[] }
  | { readonly do: 'freeze'; readonly ms: number };

type Thing = 'node' | 'side' | 'node-config' | 'side-config' | 'note' | 'extra' | 'once' | 'key';

/** A step, and how long people do nothing after it. */
export interface Paced {
  readonly step: Step;
  readonly thenMs: number;
}

const things: Readonly<Record<Thing, { readonly type: ResourceType; readonly name: string; readonly edit: object }>> = {
  node: { type: kinds.statefulSets, name: `${name}-node`, edit: { spec: { replicas: 1 } } },
  side: { type: kinds.deployments, name: `${name}-side`, edit: { spec: { replicas: 2 } } },
  'node-config': { type: kinds.configMaps, name: `${name}-node`, edit: { data: { 'app.conf': 'by hand' } } },
  'side-config': { type: kinds.configMaps, name: `${name}-side`, edit: { data: { 'side.conf': null } } },
  extra: { type: kinds.configMaps, name: `${name}-extra`, edit: { data: { is: 'not' } } },
  once: { type: kinds.jobs, name: `${name}-once`, edit: { metadata: { annotations: { seen: 'true' } } } },
  key: { type: kinds.secrets, name: `${name}.kudo-random`, edit: { metadata: { labels: null } } },
  note: { type: kinds.configMaps, name: `${name}-note`, edit: { metadata: { labels: { 'kudo.dev/instance': null } } } },
};

const parameters: fc.Arbitrary<Parameters> = fc.record(
  {
    NODES: fc.constantFrom('1', '2', '3', null),
    LEVEL: fc.constantFrom('info', 'debug', null),
    MODE: fc.constantFrom('plain', 'fancy'),
    SIDE: fc.constantFrom('a', 'b'),
    NOTE: fc.constantFrom('x', 'y'),
    HANG: fc.constantFrom('no', 'yes'),
    EXTRA: fc.constantFrom('true', 'false', 'perhaps'),
    NOPE: fc.constantFrom('unknown', null),
  },
  { requiredKeys: [] },
);

const one = (key: string, ...values: readonly (string | null)[]): fc.Arbitrary<Parameters> =>
  fc.constantFrom(...values).map((value) => ({ [key]: value }));

const change = fc.oneof(
  one('NODES', '1', '2', '3', 'many'),
  one('LEVEL', 'info', 'debug', 'trace', null),
  one('MODE', 'plain', 'fancy'),
  one('SIDE', 'a', 'b'),
  one('NOTE', 'x', 'y'),
  one('EXTRA', 'true', 'false', null),
  parameters,
);

const plan = fc.constantFrom('deploy', 'side', 'note', 'refused', 'broken', 'hang', 'upgrade', 'nosuch', 'cleanup');
const maybe = fc.option(fc.boolean(), { nil: undefined });
const thing = fc.constantFrom(...(Object.keys(things) as Thing[]));
const always = <T extends string>(...of: readonly T[]): fc.Arbitrary<{ readonly do: T }> =>
  fc.record({ do: fc.constantFrom(...of) });
const version = fc.constantFrom(1 as const, 2 as const);

const dying = fc.record({
  do: fc.constant('die' as const),
  atWrite: fc.integer({ min: 1, max: 12 }),
  downMs: fc.integer({ min: 0, max: 60_000 }),
});
const refusing = fc.record({
  do: fc.constant('refuse' as const),
  with: fc.array(fc.constantFrom<Refusal>(409, 422, 429, 500), { minLength: 1, maxLength: 4 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('set' as const), parameters: change }) },
  {
    weight: 5,
    arbitrary: fc
      .record({ plan, override: maybe, restart: maybe, uid: fc.constantFrom(undefined, 'mine') })
      .map(({ plan, ...rest }) => ({ do: 'trigger' as const, plan, ...present(rest) })),
  },
  { weight: 3, arbitrary: always('cancel') },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('scribble' as const),
      what: fc.constantFrom(
        {},
        { planName: ' ' },
        { planName: '__proto__' },
        { uid: 'x' },
        { planName: 'deploy', uid: '', status: 'COMPLETE' },
        { restart: false },
        { override: true },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ to: version, restart: maybe, parameters: fc.option(change, { nil: undefined }) })
      .map(({ to, ...rest }) => ({ do: 'turn' as const, to, ...present(rest) })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit-version' as const),
      version,
      edits: fc.record({
        extra: fc.integer({ min: 0, max: 2 }),
        notes: fc.boolean(),
        parallel: fc.boolean(),
        sparing: fc.boolean(),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('drift' as const),
      policy: fc.constantFrom('ignore' as const, 'report' as const, 'repair' as const, 'repair' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-object' as const), of: thing }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit-object' as const), of: thing }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete-pod' as const), nth: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 2, arbitrary: always('install', 'install', 'pause', 'resume', 'resume') },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(undefined, 'Foreground' as const, 'Orphan' as const)
      .map((propagation) => ({ do: 'delete' as const, ...present({ propagation }) })),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete-version' as const), version }) },
  { weight: 3, arbitrary: dying },
  { weight: 2, arbitrary: refusing },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 1, arbitrary: always('rewind') },
);

const thenMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 200, max: 5_000 }),
  fc.integer({ min: 5_000, max: 60_000 }),
  fc.integer({ min: 60_000, max: 900_000 }),
);

/** Anything, at any pace. */
export const walks: fc.Arbitrary<readonly Paced[]> = fc.array(fc.record({ step, thenMs }), {
  minLength: 1,
  maxLength: 14,
});

const plans = fc.constantFrom('deploy', 'side', 'refused', 'broken', 'hang');

const restartStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: one('LEVEL', 'info', 'debug', 'trace').map(asSet) },
  { weight: 3, arbitrary: one('SIDE', 'a', 'b', 'c').map(asSet) },
  { weight: 4, arbitrary: one('NODES', '1', '2', '3').map(asSet) },
  { weight: 4, arbitrary: always('cancel') },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      plan: plans,
      override: fc.boolean(),
      restart: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const), to: version, restart: fc.boolean() }) },
  { weight: 2, arbitrary: dying },
  { weight: 1, arbitrary: refusing },
);

/** What concerns restarts, one upon the other: forced changes that are cut short, and quiet ones after them. Few: a later restart hides that one was lost. */
export const restartWalks: fc.Arbitrary<readonly Paced[]> = fc.array(
  fc.record({
    step: restartStep,
    thenMs: fc.oneof(fc.integer({ min: 25, max: 400 }), fc.integer({ min: 400, max: 3_000 })),
  }),
  { minLength: 2, maxLength: 5 },
);

/** Takes a step as a person would, and tells the witness what excuses pods. */
export async function take(stage: WalkStage, witness: Witness, step: Step): Promise<void> {
  const edit = (spec: object): Promise<void> => stage.patchIfThere(instance.type, name, { spec });
  switch (step.do) {
    case 'set':
      return await edit({ parameters: step.parameters });
    case 'trigger': {
      const { do: _trigger, plan: planName, ...rest } = step;
      return await edit({
        planExecution: { status: null, override: null, restart: null, uid: null, planName, ...rest },
      });
    }
    case 'cancel':
      return await edit({ planExecution: { planName: '' } });
    case 'scribble':
      return await edit({ planExecution: step.what });
    case 'turn': {
      const { to, restart, parameters: values } = step;
      const planExecution = restart === undefined ? undefined : { restart };
      return await edit({
        operatorVersion: { name: versionName(to) },
        ...(planExecution && { planExecution }),
        ...(values && { parameters: values }),
      });
    }
    case 'edit-version':
      return await stage.putVersion(step.version, step.edits);
    case 'drift':
      return await edit({ drift: step.policy });
    case 'delete-object': {
      if (step.of.endsWith('config')) witness.excuseReading();
      const { type, name: of } = things[step.of];
      return await stage.deleteIfThere(type, of);
    }
    case 'edit-object': {
      if (step.of.endsWith('config')) witness.excuseReading();
      const { type, name: of, edit: body } = things[step.of];
      return await stage.patchIfThere(type, of, body);
    }
    case 'delete-pod': {
      const pod = stage.pods()[step.nth];
      return pod && (await stage.deleteIfThere(kinds.pods, pod.metadata.name ?? ''));
    }
    case 'delete':
      return await stage.deleteIfThere(instance.type, name, step.propagation);
    case 'delete-version':
      return await stage.deleteIfThere(operatorVersion.type, versionName(step.version));
    case 'install':
      return stage.one() ? undefined : await stage.installOne();
    case 'pause':
    case 'resume': {
      const value = step.do === 'pause' ? 'true' : null;
      return await stage.patchIfThere(instance.type, name, {
        metadata: { annotations: { 'cutover.dev/paused': value } },
      });
    }
    case 'die':
      return stage.dieAt(step.atWrite, step.downMs);
    case 'refuse':
      return stage.refuse(step.with);
    case 'freeze':
      return stage.freeze(step.ms);
    case 'rewind':
      return stage.rewind();
  }
}

function asSet(values: Parameters): Step {
  return { do: 'set', parameters: values };
}

function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
