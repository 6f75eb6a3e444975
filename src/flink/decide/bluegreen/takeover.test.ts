import { describe, expect, it } from 'vitest';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { other, type Spec, type Status } from './blue-green-case.ts';
import { play } from './play.fixture.ts';
import { Story } from './story.fixture.ts';
import {
  edited,
  type HealthName,
  image,
  ingressed,
  ingressSeen,
  job,
  patchable,
  sideSeen,
  stateful,
  stateless,
  viewOf,
} from './view.fixture.ts';

/** As the Java operator writes it: all fields, in its order, nulls for what is not set, no field of ours. */
function recordedByJava({ template, ingress }: Spec): string {
  const { job: running, flinkConfiguration, ...rest } = template?.spec ?? {};
  const unset = { entryClass: null, args: [], savepointTriggerNonce: null, checkpointTriggerNonce: null };
  return JSON.stringify({
    spec: {
      ingress: ingress ? { ...ingress, className: null, tls: null } : null,
      template: {
        metadata: null,
        spec: { job: { state: 'running', ...unset, ...running }, restartNonce: null, flinkConfiguration, ...rest },
      },
      configuration: {},
    },
  });
}

const javaStatus = (blueGreenState: Status['blueGreenState'], recorded: Spec, more: Partial<Status> = {}): Status => ({
  abortTimestamp: '1970-01-01T00:00:00Z',
  ...(blueGreenState && { blueGreenState }),
  deploymentReadyTimestamp: '1970-01-01T00:00:00Z',
  jobStatus: {
    checkpointInfo: { lastPeriodicCheckpointTimestamp: 0 },
    savepointInfo: { lastPeriodicSavepointTimestamp: 0, savepointHistory: [] },
    state: 'RUNNING',
  },
  lastReconciledSpec: recordedByJava(recorded),
  lastReconciledTimestamp: '2025-12-31T23:00:00Z',
  ...more,
});

/** Sides as the Java operator makes them: without our id. */
const javaSide = (color: Color, spec: Spec, health: HealthName) => ({
  ...sideSeen(color, spec, health),
  id: undefined,
});

function takenOver(
  spec: Spec,
  status: Status,
  sides: Partial<BlueGreenView['sides']>,
  more: Partial<BlueGreenView> = {},
): Story {
  const view = viewOf(spec, more);
  const story = new Story({
    ...view,
    sides: { ...view.sides, ...sides },
    resource: { ...view.resource, status },
  });
  return story;
}

const newer = edited(stateful, image('app:2'));

describe.each(colors)('a blue/green deployment of the Java operator in which %s serves', (x) => {
  const y = other(x);

  it('goes on as it is: nothing but the status is written', () => {
    const routed = edited(stateful, ingressed('/{{name}}'));
    const story = takenOver(
      routed,
      javaStatus(`ACTIVE_${x}`, routed),
      { [x]: javaSide(x, stateful, 'ready') },
      { ingress: ingressSeen(x) },
    );
    story.settle();
    expect(story.done()).toEqual([]);
    expect(story.view.ingress).toEqual(ingressSeen(x));
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.status.serving).toMatchObject({
      color: x,
      uid: `${x.toLowerCase()}-1`,
      since: '2025-12-31T23:00:00Z',
    });
    expect(story.status.jobStatus?.savepointInfo).toEqual({ lastPeriodicSavepointTimestamp: 0, savepointHistory: [] });
    expect(story.condition('Ready')?.status).toBe('True');
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });

  it('takes an edit up that nobody has acted upon', () => {
    const story = takenOver(newer, javaStatus(`ACTIVE_${x}`, stateful), { [x]: javaSide(x, stateful, 'ready') });
    play(story);
    expect(story.state).toBe(`ACTIVE_${y}`);
    expect(story.side(y).spec).toMatchObject({ image: 'app:2', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('takes an edit up that was recorded and then dropped: the serving side tells what it really has', () => {
    const story = takenOver(newer, javaStatus(`ACTIVE_${x}`, newer), { [x]: javaSide(x, stateful, 'ready') });
    play(story);
    expect(story.state).toBe(`ACTIVE_${y}`);
    expect(story.side(y).spec.image).toBe('app:2');
  });

  it('does not act on nonces that were acted upon', () => {
    const asked = edited(stateful, job({ savepointRedeployNonce: 5, initialSavepointPath: 's3://mine' }));
    const story = takenOver(asked, javaStatus(`ACTIVE_${x}`, asked), { [x]: javaSide(x, asked, 'ready') });
    story.settle();
    expect(story.status.nonces).toEqual({ savepointRedeploy: 5 });
    expect(story.done()).toEqual([]);
  });

  it('takes a savepoint of its own when the other one was at it', () => {
    const status = javaStatus(`SAVEPOINTING_${x}`, stateful, { savepointTriggerId: 'theirs' });
    const story = takenOver(newer, status, { [x]: javaSide(x, stateful, 'ready') });
    story.settle();
    expect(story.state).toBe(`SAVEPOINTING_${x}`);
    expect(story.status.savepointTriggerId).toBeUndefined();
    play(story);
    expect(story.side(y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
  });

  it('goes on with a transition under way, in the time that is left of its grace period', () => {
    const status = javaStatus(`TRANSITIONING_TO_${y}`, newer, { abortTimestamp: '2026-01-01T00:05:00Z' });
    const sides = { [x]: javaSide(x, stateful, 'ready'), [y]: javaSide(y, newer, 'settling') };
    const story = takenOver(newer, status, sides);
    story.settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${y}`);
    expect(story.status.abortTimestamp).toBe('2026-01-01T00:05:00.000Z');
    expect(story.done()).toEqual([]);
    const late = takenOver(newer, status, sides).passes(299_999);
    late.settle();
    late.passes(1).settle();
    // Whoever comes late is given a minute.
    expect(late.state).toBe(`TRANSITIONING_TO_${y}`);
    late.passes(60_000).settle();
    expect(late.state).toBe(`ACTIVE_${x}`);
    story.becomes(y, 'ready');
    play(story);
    expect(story.state).toBe(`ACTIVE_${y}`);
    expect(story.done()).toEqual([`delete counter-${x.toLowerCase()}`]);
  });

  it('goes on with a transition that a nonce asked for, or leaves it given up: nothing acts twice', () => {
    const nonce = (value: number) =>
      edited(stateful, job({ savepointRedeployNonce: value, initialSavepointPath: 's3://m' }));
    const [one, two] = [nonce(1), nonce(2)];
    const moving = takenOver(
      two,
      javaStatus(`TRANSITIONING_TO_${y}`, two, { abortTimestamp: '2026-01-01T00:05:00Z' }),
      {
        [x]: javaSide(x, one, 'ready'),
        [y]: javaSide(y, two, 'settling'),
      },
    );
    moving.settle();
    expect(moving.state).toBe(`TRANSITIONING_TO_${y}`);
    const halted = edited(two, job({ state: 'suspended' }));
    const givenUp = takenOver(two, javaStatus(`ACTIVE_${x}`, two), {
      [x]: javaSide(x, one, 'ready'),
      [y]: javaSide(y, halted, 'suspended'),
    });
    givenUp.settle();
    expect(givenUp.state).toBe(`ACTIVE_${x}`);
    for (const { status } of [moving, givenUp]) {
      expect(status.nonces).toEqual({ savepointRedeploy: 2 });
    }
    expect([...moving.done(), ...givenUp.done()]).toEqual([]);
  });

  it('makes y again when an edit came that the transition was not made for', () => {
    const status = javaStatus(`TRANSITIONING_TO_${y}`, newer, { abortTimestamp: '2026-01-01T00:05:00Z' });
    const newest = edited(stateful, image('app:3'));
    const sides = { [x]: javaSide(x, stateful, 'ready'), [y]: javaSide(y, newer, 'settling') };
    const story = takenOver(newest, status, sides);
    play(story);
    expect(story.state).toBe(`ACTIVE_${y}`);
    expect(story.side(y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
  });

  it('completes a transition whose old side is gone', () => {
    const story = takenOver(newer, javaStatus(`TRANSITIONING_TO_${y}`, newer), { [y]: javaSide(y, newer, 'ready') });
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${y} RUNNING`);
    expect(story.done()).toEqual([]);
  });

  it('leaves a side that an abort left suspended, and the template given up', () => {
    const halted = edited(newer, job({ state: 'suspended' }));
    const sides = { [x]: javaSide(x, stateful, 'ready'), [y]: javaSide(y, halted, 'suspended') };
    const story = takenOver(newer, javaStatus(`ACTIVE_${x}`, newer), sides);
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.condition('LeftOver')?.reason).toBe('Suspended');
    expect(story.done()).toEqual([]);
    story.edit(image('app:3'));
    play(story);
    expect(story.state).toBe(`ACTIVE_${y}`);
    expect(story.side(y).spec.image).toBe('app:3');
  });

  it.each([`ACTIVE_${x}`, `SAVEPOINTING_${x}`] as const)('believes %s when both sides run', (state) => {
    const sides = { [x]: javaSide(x, stateful, 'ready'), [y]: javaSide(y, newer, 'ready') };
    const story = takenOver(newer, javaStatus(state, newer), sides, { ingress: ingressSeen(y) });
    story.settle();
    expect(story.status.serving?.color).toBe(x);
    expect(story.condition('LeftOver')?.status).toBe('True');
  });

  it('never starts empty because its sides have vanished', () => {
    for (const state of [`ACTIVE_${x}`, `SAVEPOINTING_${x}`, `TRANSITIONING_TO_${x}`] as const) {
      const story = takenOver(stateful, javaStatus(state, stateful), {});
      story.settle();
      expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
      expect(story.condition('Stalled')?.reason).toBe('ServingDeleted');
      expect(story.done()).toEqual([]);
      story.edit(job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://mine' }));
      play(story);
      expect(story.side(y).spec.job?.initialSavepointPath).toBe('s3://mine');
    }
    const story = takenOver(stateless, javaStatus(`ACTIVE_${x}`, stateless), {});
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
  });

  it('is still waited for while its only side is being deleted', () => {
    const leaving = { ...javaSide(x, stateful, 'ready'), terminating: true, terminatingSince: 0 };
    const story = takenOver(stateful, javaStatus(`ACTIVE_${x}`, stateful), { [x]: leaving });
    story.settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.done()).toEqual([]);
  });
});

describe('a first deployment of the Java operator', () => {
  it.each(['INITIALIZING_BLUE', 'TRANSITIONING_TO_BLUE'] as const)('goes on in %s', (state) => {
    const status = javaStatus(state, stateful, { abortTimestamp: '2026-01-01T00:05:00Z' });
    const story = takenOver(stateful, status, { BLUE: javaSide('BLUE', stateful, 'settling') });
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe('INITIALIZING_BLUE RECONCILING');
    expect(story.done()).toEqual([]);
    story.becomes('BLUE', 'ready').settle();
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.done()).toEqual([]);
  });

  it('is begun when nothing was made yet', () => {
    const { lastReconciledSpec: _, ...status } = javaStatus('INITIALIZING_BLUE', stateful);
    const story = takenOver(stateful, status, {});
    play(story);
    expect(story.done()).toEqual(['create counter-blue']);
    expect(story.state).toBe('ACTIVE_BLUE');
  });
});

describe('a status that was lost', () => {
  it('is made anew from the sides: one that is there serves', () => {
    const story = takenOver(stateful, {}, { GREEN: sideSeen('GREEN', stateful, 'ready') });
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_GREEN RUNNING');
    expect(story.done()).toEqual([]);
  });

  it('is made anew from the Ingress when there are two sides', () => {
    const sides = { BLUE: sideSeen('BLUE', stateful, 'ready'), GREEN: sideSeen('GREEN', stateful, 'ready') };
    const routed = edited(stateful, ingressed('/{{name}}'));
    const story = takenOver(routed, {}, sides, { ingress: ingressSeen('GREEN') });
    story.settle();
    expect(story.status.serving?.color).toBe('GREEN');
    expect(story.side('GREEN').terminating).toBe(false);
  });

  it('is made anew from what runs when nothing else tells', () => {
    const sides = { BLUE: sideSeen('BLUE', stateful, 'failed'), GREEN: sideSeen('GREEN', stateful, 'ready') };
    const story = takenOver(stateful, {}, sides);
    story.settle();
    expect(story.status.serving?.color).toBe('GREEN');
    expect(story.side('GREEN').terminating).toBe(false);
  });

  it('patches a side in place that lacks only what can be patched', () => {
    const patched = edited(stateful, patchable('3'));
    const story = takenOver(patched, javaStatus('ACTIVE_BLUE', stateful), {
      BLUE: javaSide('BLUE', stateful, 'ready'),
    });
    play(story);
    expect(story.done()).toEqual(['patch counter-blue']);
  });

  it('whose serving side is unknown does not make another first deployment beside green', () => {
    const status: Status = { attempt: 4, blueGreenState: 'ACTIVE_GREEN' };
    const story = takenOver(stateful, status, { GREEN: sideSeen('GREEN', stateful, 'ready') });
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_GREEN RUNNING');
    expect(story.done()).toEqual([]);
    expect(story.status.attempt).toBe(4);
  });
});
