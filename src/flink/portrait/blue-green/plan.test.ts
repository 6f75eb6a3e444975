import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { risks } from '../../../portrait/plan.ts';
import { play } from '../../decide/bluegreen/play.fixture.ts';
import { type Story, serving } from '../../decide/bluegreen/story.fixture.ts';
import {
  configured,
  type Edit,
  edited,
  image,
  ingressed,
  job,
  patchable,
  resourceOf,
  start,
  stateful,
  stateless,
} from '../../decide/bluegreen/view.fixture.ts';
import { specs, views } from '../../decide/bluegreen/views.fixture.ts';
import { aroundOf, unreadable } from '../around.fixture.ts';
import { planBlueGreen } from './plan.ts';
import { aroundView, operator } from './world.fixture.ts';

function planned(story: Story, ...edits: readonly Edit[]) {
  const { resource } = story.view;
  const pod = (name: string): AnyObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-1`, labels: { app: name, type: 'flink-native-kubernetes', component: 'jobmanager' } },
  });
  const around = aroundView(story.view, { pods: [pod('counter-blue'), pod('counter-green')] });
  const plan = planBlueGreen(
    { before: { ...resource }, after: { ...resource, spec: edited(resource.spec, ...edits) } },
    around,
    operator,
  );
  return { ...plan, told: plan.steps.map(({ symbol, what }) => `${symbol} ${what}`) };
}

const atRest = () => serving('BLUE', edited(stateful, configured({ 'deployment-deletion.delay': '5 s' })));

/** Green is being made from a savepoint of blue. */
function onTheWay(): Story {
  const story = atRest();
  story.edit(image('app:2')).settle();
  story.completed().settle();
  return story;
}

describe('the plan of an edit', () => {
  it('that ends a pause is what waited for it', () => {
    const { view } = atRest();
    const { resource } = view;
    const after = { ...resource, spec: edited(resource.spec, image('app:2')) };
    const metadata = { ...resource.metadata, annotations: { 'cutover.dev/paused': 'true' } };
    const plan = (before: object, wanted: object) =>
      planBlueGreen({ before: before as AnyObject, after: wanted as AnyObject }, aroundView(view), operator);
    expect(plan({ ...after, metadata }, after)).toMatchObject({
      risk: 'restart',
      line: 'takes a savepoint of blue, starts green from it; blue serves until then',
      changes: [{ path: 'metadata.annotations[cutover.dev/paused]' }],
    });
    expect(plan({ ...resource, metadata }, resource)).toMatchObject({ risk: 'quiet', steps: [{ symbol: '~' }] });
    expect(plan(resource, { ...after, metadata }).waitsFor).toContain('cutover.dev/paused is removed');
  });

  it('is a transition with a savepoint, during which blue serves', () => {
    const plan = planned(atRest(), image('app:2'));
    expect(plan.told).toEqual([
      '· Take a savepoint of blue',
      '+ Create green, which starts from that savepoint',
      '→ Move traffic to green',
      '· Let the old side drain, for 5s',
      '- Delete blue',
    ]);
    expect(plan).toMatchObject({
      risk: 'restart',
      line: 'takes a savepoint of blue, starts green from it; blue serves until then',
      state: { outcome: 'kept' },
      availability: { serves: 'throughout' },
      extra: 'a whole second cluster meanwhile: 2.5 CPU and 5 GiB of memory (1 JobManager, 2 TaskManagers)',
      restarts: [{ name: 'counter-blue', pods: ['counter-blue-1'] }],
      changes: [{ path: 'spec.template.spec.image', from: 'app:1', to: 'app:2', demands: 'upgrade' }],
    });
    expect(plan.waitsFor).toBeUndefined();
  });

  it('estimates from how long transitions took', () => {
    const story = atRest();
    story.edit(image('app:2')).settle();
    story.passes(20_000).completed().settle();
    story.passes(40_000).becomes('GREEN', 'ready').settle();
    play(story);
    const plan = planned(story, image('app:3'));
    expect(plan.estimate).toMatchObject({ ms: 65_000, basis: 'the last transition took 1m 5s' });
    expect(plan.steps[0]).toMatchObject({ what: 'Take a savepoint of green', usuallyMs: 20_000 });
    expect(plan.steps[1]).toMatchObject({ usuallyMs: 40_000 });
  });

  it.each([
    ['only patches', [patchable('7')], 'quiet', ['~ Patch blue where it is; nothing is restarted']],
    [
      'settings of transitions',
      [configured({ 'rollback-window': '1 h' })],
      'quiet',
      ['~ Take it over; no side is touched'],
    ],
    ['suspends', [job({ state: 'suspended' })], 'disruption', ['- Stop blue with a savepoint; its pods go']],
    [
      'redeploys without state',
      [job({ statelessRedeployNonce: 1 })],
      'disruption',
      [
        '! Create green without state: that of the old side is left behind',
        '→ Move traffic to green',
        '· Let the old side drain, for 5s',
        '- Delete blue',
      ],
    ],
    [
      'redeploys from a savepoint of the user',
      [job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://mine' })],
      'restart',
      [
        '+ Create green, which starts from s3://mine',
        '→ Move traffic to green',
        '· Let the old side drain, for 5s',
        '- Delete blue',
      ],
    ],
  ] as const)('that %s', (_, edits, risk, told) => {
    const plan = planned(atRest(), ...edits);
    expect(plan.risk).toBe(risk);
    expect(plan.told).toEqual(told);
    expect(plan.waitsFor).toBeUndefined();
  });

  it('changes nothing when nothing differs', () => {
    expect(planned(atRest())).toMatchObject({ risk: 'none', changes: [], steps: [] });
  });

  it('of a job without state is a restart, and drops nothing', () => {
    expect(planned(serving('GREEN', stateless), image('app:2'))).toMatchObject({
      risk: 'restart',
      state: { outcome: 'none' },
    });
  });

  it('drops state when the same edit makes the job stateless', () => {
    expect(planned(atRest(), image('app:2'), job({ upgradeMode: 'stateless' }))).toMatchObject({
      risk: 'disruption',
      state: { outcome: 'dropped' },
    });
  });

  it('names the Ingress and the person that it waits for', () => {
    const story = serving(
      'BLUE',
      edited(stateful, configured({ promotion: 'manual' }), ingressed('{{name}}.example.com')),
    );
    const plan = planned(story, image('app:2'));
    expect(plan.traffic).toBe('the Ingress counter leads to green once it is ready');
    expect(plan.told).toContain('· Wait until somebody promotes green');
    expect(plan.warnings).toEqual([
      'It waits for somebody to promote it: `cutover promote bluegreen/counter -n shop`.',
    ]);
  });

  it('that is refused lists the problems, and does nothing', () => {
    const plan = planned(atRest(), configured({ promotion: 'sometimes' }));
    expect(plan.problems.map(({ rule }) => rule)).toEqual(['blue-green-value']);
    expect(plan.steps).toEqual([]);
  });

  it('waits, visibly, for the state of a side that is not well', () => {
    const story = atRest();
    story.becomes('BLUE', 'failing').settle();
    const plan = planned(story, image('app:2'));
    expect(plan).toMatchObject({ risk: 'restart', line: 'waits; nothing is done for now' });
    expect(plan.waitsFor).toContain('No savepoint can be taken');
  });

  it('of a suspended job is a patch, and resuming starts it again', () => {
    const story = atRest();
    story.edit(job({ state: 'suspended' }));
    play(story);
    const changed = planned(story, image('app:2'));
    expect(changed.told).toEqual(['~ Patch blue where it is; nothing is restarted']);
    expect(changed).toMatchObject({ risk: 'quiet', availability: { serves: 'unknown' } });
    const resumed = planned(story, job({ state: 'running' }));
    expect(resumed.told).toEqual(['+ Start blue again, from the state that it was suspended with']);
    expect(resumed).toMatchObject({ risk: 'quiet', line: 'starts blue again', state: { outcome: 'kept' } });
  });

  it('that suspends a stateless job drops its state', () => {
    const plan = planned(serving('BLUE', stateless), job({ state: 'suspended' }));
    expect(plan.told).toEqual(['! Stop blue without a savepoint; its pods go']);
    expect(plan).toMatchObject({ risk: 'disruption', state: { outcome: 'dropped' } });
  });

  it('that drops state says where the last savepoint lies, or that none is known', () => {
    const nonce = job({ statelessRedeployNonce: 1 });
    expect(planned(atRest(), nonce).state.sentence).toContain('No savepoint is known.');
    expect(planned(onTheWay(), nonce).state.sentence).toContain('The last savepoint stays at s3://sp/1.');
  });

  it('does no more after an abort than to take settings over', () => {
    const story = onTheWay();
    story.becomes('GREEN', 'failing').passes(600_001).settle();
    expect(planned(story, configured({ 'rollback-window': '1 h' }))).toMatchObject({ risk: 'quiet', restarts: [] });
    const mended = planned(story, image('app:3'));
    expect(mended.told.slice(0, 3)).toEqual([
      '- Delete green',
      '· Take a savepoint of blue',
      '+ Create green, which starts from that savepoint',
    ]);
  });

  it('is quiet before anything was made', () => {
    const resource = resourceOf(stateful);
    const after = { ...resource, spec: edited(stateful, image('app:2')) };
    const plan = planBlueGreen({ before: { ...resource }, after }, aroundOf(start), operator);
    expect(plan).toMatchObject({ risk: 'quiet', restarts: [] });
    expect(plan.extra).toMatch(/^2.5 CPU/);
  });

  it('says when it is paused that it waits', () => {
    const story = atRest();
    const status = { ...story.status };
    const conditions = [
      {
        type: 'Paused',
        status: 'True' as const,
        reason: 'PausedByAnnotation',
        message: 'Paused.',
        lastTransitionTime: '',
      },
    ];
    const { resource } = story.view;
    const metadata = { ...resource.metadata, annotations: { 'cutover.dev/paused': 'true' } };
    story.now({ resource: { ...resource, metadata, status: { ...status, conditions } } });
    expect(planned(story, image('app:2')).waitsFor).toBe('Paused.');
  });
});

describe('the plan of an edit in the middle of a transition', () => {
  it('drops the new side and makes it again from the same savepoint', () => {
    const plan = planned(onTheWay(), image('app:3'));
    expect(plan.told.slice(0, 3)).toEqual([
      '- Delete green',
      '+ Create green, which starts from s3://sp/1',
      '→ Move traffic to green',
    ]);
    expect(plan.risk).toBe('restart');
    expect(plan.restarts.find(({ name }) => name === 'counter-green')?.because).toContain(
      'being made for an earlier edit',
    );
  });

  it('is superseded by a nonce, as seed 003 has it', () => {
    const plan = planned(onTheWay(), job({ statelessRedeployNonce: 3 }));
    expect(plan.told.slice(0, 2)).toEqual([
      '- Delete green',
      '! Create green without state: that of the old side is left behind',
    ]);
    expect(plan).toMatchObject({ risk: 'disruption', state: { outcome: 'dropped' } });
    expect(plan.warnings[0]).toContain('Aborting current transition');
  });

  it('is cancelled by putting the template back', () => {
    const plan = planned(onTheWay(), image('app:1'));
    expect(plan.told).toEqual(['- Delete green']);
    expect(plan.line).toBe('gives the transition up and deletes green');
  });

  it('defers a suspension until the transition is complete', () => {
    const plan = planned(onTheWay(), job({ state: 'suspended' }));
    expect(plan.told.at(-1)).toBe('- Stop green with a savepoint; its pods go');
    expect(plan).toMatchObject({ risk: 'disruption', waitsFor: 'the transition to green that is under way' });
    expect(plan.availability.sentence).toContain('green is stopped');
  });

  it('does no more than what is under way when only settings change', () => {
    const plan = planned(onTheWay(), configured({ 'rollback-window': '1 h' }));
    expect(plan).toMatchObject({ risk: 'quiet', restarts: [] });
    expect(plan.steps[0]?.detail).toBe('The transition under way goes on.');
  });
});

describe('a plan', () => {
  it('of something new says what is made', () => {
    const plan = planBlueGreen({ after: { ...resourceOf(stateful) } }, unreadable(start), operator);
    expect(plan).toMatchObject({ risk: 'quiet', restarts: [], line: 'is created; blue starts first' });
    expect(plan.extra).toContain('2.5 CPU');
  });

  it('is the same when the sides cannot be read, as far as the status tells', () => {
    const story = atRest();
    const { resource } = story.view;
    const edit = { before: { ...resource }, after: { ...resource, spec: edited(resource.spec, image('app:2')) } };
    const blind = planBlueGreen(edit, unreadable(start), operator);
    expect(blind).toEqual({ ...planBlueGreen(edit, aroundView(story.view), operator) });
  });

  it('is what then happens', () => {
    fc.assert(
      fc.property(specs, specs, fc.constantFrom('BLUE' as const, 'GREEN' as const), (first, next, color) => {
        const automatic = configured({ promotion: 'automatic' });
        const story = serving(color, edited(first, automatic));
        const plan = planned(story, () => edited(next, automatic));
        if (plan.problems.length > 0) return;
        story.edit(() => edited(next, automatic));
        play(story);
        const asked = story.done().filter((deed) => !deed.startsWith('patch'));
        const done = asked.filter((deed, index) => deed !== asked[index - 1]);
        const told = plan.told.flatMap((step) => {
          const [, verb, side] = /^[-+!] (Create|Delete) (blue|green)/.exec(step) ?? [];
          return verb ? [`${verb.toLowerCase()} counter-${side}`] : [];
        });
        expect(told).toEqual(done);
        const served = plan.availability.serves === 'throughout';
        if (served) expect(story.view.resource.spec.template?.spec?.job?.state).not.toBe('suspended');
      }),
      { numRuns: 40 },
    );
  });

  it('is made of whatever was written', () => {
    fc.assert(
      fc.property(views, specs, fc.jsonValue(), (view, spec, odd) => {
        const before = { ...view.resource } as AnyObject;
        for (const after of [{ ...before, spec }, { ...before, spec: odd } as AnyObject]) {
          const plan = planBlueGreen({ before, after }, aroundView(view), operator);
          expect(risks).toContain(plan.risk);
          expect(plan.line).not.toBe('');
          expect(JSON.stringify(plan)).not.toMatch(/undefined|NaN|\[object/);
        }
      }),
      { numRuns: 50 },
    );
  });
});
