import { expect } from 'vitest';
import { annotations } from './annotations.ts';
import { type Examples, fromMine, fromNothing, suspend } from './example.fixture.ts';
import { draining, keeping, retiring, starting, startingEmpty } from './moments.fixture.ts';
import { serving } from './story.fixture.ts';
import { edited, image, ingressed, ingressSeen, job, patchable, stateful, stateless } from './view.fixture.ts';

/** TRANSITIONING_TO_y */
export const transitioningExamples: Examples = {
  'old-side-gone': [
    {
      when: 'TRANSITIONING_TO_y, x’s deletion observed: ACTIVE_y',
      given: (x) => {
        const story = retiring(x);
        story.look();
        expect(story.side(x).terminating).toBe(true);
        return story;
      },
      leads: 'ACTIVE_y RUNNING',
      says: ['Ready=True Serving', 'Promoted=True Complete'],
      check: ({ status, y, events }) => {
        expect(status.serving?.color).toBe(y);
        expect(status.transition).toBeUndefined();
        expect(status.history?.[0]).toMatchObject({ outcome: 'promoted', restoredFrom: 's3://sp/1' });
        expect(events.at(-1)).toMatch(/^TransitionCompleted: /);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, x’s deletion observed: forward only; edits are handled from ACTIVE_y',
      given: (x) => {
        const story = retiring(x);
        story.look();
        return story.gone(x).edit(image('app:3'));
      },
      leads: 'SAVEPOINTING_y RUNNING',
      does: ['create savepoint'],
    },
    {
      when: 'TRANSITIONING_TO_y, x’s deletion observed, y not ready: forward only',
      given: (x) => {
        const story = retiring(x);
        story.look();
        return story.becomes(story.y, 'failed');
      },
      leads: 'ACTIVE_y FAILING',
    },
    {
      when: 'TRANSITIONING_TO_y, x deleted by hand once traffic is at y: forward only',
      given: (x) => draining(x).gone(x),
      leads: 'ACTIVE_y RUNNING',
    },
  ],
  'transitioning-in-place': [
    {
      when: 'TRANSITIONING_TO_y, y is being patched, whatever is edited meanwhile: that is seen through first',
      given: (x) => {
        const story = starting(x).edit(patchable('3'));
        story.look(1);
        return story.edit(image('app:1'));
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['patch y'],
      check: (story) => {
        story.settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
        expect(story.side(story.y).terminating).toBe(true);
      },
    },
  ],
  returning: [
    {
      when: 'TRANSITIONING_TO_y, traffic is on its way back to x: the Ingress leads to x first',
      given: (x) => {
        const story = draining(x, edited(stateful, ingressed('/{{name}}')));
        story.becomes(story.y, 'failed').look();
        return story.now({ ingress: ingressSeen(story.y) });
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      check: (story) => {
        expect(story.phase).toBe('returning');
        expect(story.view.ingress?.backends).toEqual([`counter-${story.x.toLowerCase()}-rest`]);
        story.settle();
        expect(story.phase).toBe('starting');
        expect(story.status.serving?.color).toBe(story.x);
        expect(story.status.transition).not.toHaveProperty('trafficAt');
      },
    },
  ],
  'rollback-asked': [
    {
      when: 'TRANSITIONING_TO_y, rollback asked before traffic moved: y deleted, ACTIVE_x, not tried again',
      given: (x) => {
        const story = starting(x);
        return story.annotate({ [annotations.rollback]: story.status.transition?.id ?? '' });
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
        expect(story.status.history?.[0]?.outcome).toBe('rolled-back');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, rollback asked in the window: traffic back to x first',
      given: (x) => {
        const story = keeping(x);
        return story.annotate({ [annotations.rollback]: story.status.transition?.id ?? '' });
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
    },
  ],
  'rollback-waits': [
    {
      when: 'TRANSITIONING_TO_y, rollback asked while x is not ready: x is kept, y serves on',
      given: (x) => {
        const story = keeping(x).becomes(x, 'failing').passes(7_200_000);
        return story.annotate({ [annotations.rollback]: story.status.transition?.id ?? '' });
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      says: ['Reconciling=True RollbackWaits', 'Available=True Serving'],
      check: (story) => {
        story.becomes(story.x, 'ready').settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
      },
    },
  ],
  reverted: [
    {
      when: 'TRANSITIONING_TO_y, revert to x’s recorded template: transition cancelled, y deleted, x untouched',
      given: (x) => starting(x).edit(image('app:1')),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      says: ['Ready=True Serving'],
      check: ({ status }) => expect(status.history?.[0]?.outcome).toBe('cancelled'),
    },
    {
      when: 'TRANSITIONING_TO_y, revert (nonces included; only ignorable differences left): cancelled, the rest patched',
      given: (x) => {
        const story = serving(x, stateful).edit(fromMine);
        story.settle();
        return story.edit(job({ savepointRedeployNonce: undefined, initialSavepointPath: undefined }), patchable('3'));
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
        expect(story.done().at(-1)).toBe(`patch counter-${story.x.toLowerCase()}`);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, revert once traffic moved: back to x first',
      given: (x) => draining(x, edited(stateful, ingressed('/{{name}}'))).edit(image('app:1')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      check: (story) => {
        story.settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
        expect(story.done('Ingress').at(-1)).toBe('apply counter');
      },
    },
  ],
  'kept-side-edit': [
    {
      when: 'TRANSITIONING_TO_y, edit while x is only kept: forward to ACTIVE_y, handled from there',
      given: (x) => keeping(x).edit(image('app:3')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['delete x'],
      check: (story) => {
        story.settle();
        story.gone(story.x).settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.y}`);
      },
    },
  ],
  'redeploy-during': [
    {
      when: 'TRANSITIONING_TO_y, SAVEPOINT_REDEPLOY (seed 003): y’s deletion requested, ACTIVE_x at once',
      given: (x) => starting(x).edit(fromMine),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        expect(story.status.nonces).toBeUndefined();
        story.gone(story.y).settle();
        expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
        expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, STATELESS_REDEPLOY (seed 003): y’s deletion requested, ACTIVE_x at once',
      given: (x) => starting(x).edit(fromNothing),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
    },
    {
      when: 'TRANSITIONING_TO_y, redeploy nonce once traffic moved: back to x first',
      given: (x) => draining(x, edited(stateful, ingressed('/{{name}}'))).edit(fromMine),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      check: (story) => {
        story.settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, SUSPEND with a nonce in the same edit: y deleted, x suspended, the nonce acts on resume',
      given: (x) => starting(x).edit(fromMine, suspend),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.settle();
        expect(story.side(story.x).spec.job).toMatchObject({ state: 'suspended', savepointRedeployNonce: 7 });
      },
    },
  ],
  'suspend-before-target': [
    {
      when: 'TRANSITIONING_TO_y, SUSPEND while y is to be made again: the transition ends, x is suspended',
      given: (x) => {
        const story = starting(x).edit(image('app:3'));
        story.look();
        return story.edit(suspend);
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['patch x'],
    },
  ],
  'edit-during': [
    {
      when: 'TRANSITIONING_TO_y, TRANSITION: y deleted, seen gone, recreated from the newest spec and the same savepoint',
      given: (x) => starting(x).edit(image('app:3')).passes(60_000),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['delete y'],
      check: (story) => {
        story.settle();
        expect(story.done().filter((deed) => deed.startsWith('create'))).toEqual([]);
        story.gone(story.y).passes(60_000).settle();
        expect(story.side(story.y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
        expect(story.status.transition?.deadline).toBe('2026-01-01T00:12:00.000Z');
        expect(story.view.snapshots).toHaveLength(1);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, TRANSITION: a new savepoint only if x’s job id changed',
      given: (x) =>
        starting(x)
          .becomes(x, 'ready', { jobStatus: { state: 'RUNNING', jobId: 'new' } })
          .edit(image('app:3')),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, TRANSITION: a new savepoint if state is newly needed',
      given: (x) => startingEmpty(x).edit(image('app:3'), job({ upgradeMode: 'savepoint' })),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story
          .gone(story.y)
          .edit((spec) => edited(spec, () => stateful, image('app:3')))
          .settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, TRANSITION: traffic back to x first if it moved and x is ready',
      given: (x) => draining(x, edited(stateful, ingressed('/{{name}}'))).edit(image('app:3')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      check: (story) => {
        const { x, y } = story;
        story.settle();
        expect(story.done().at(-1)).toBe(`delete counter-${y.toLowerCase()}`);
        expect(story.status.serving?.color).toBe(x);
      },
    },
  ],
  'target-unmade': [
    {
      when: 'TRANSITIONING_TO_y, y is to be made again: its deletion is waited for',
      given: (x) => {
        const story = starting(x).edit(image('app:3'));
        story.look();
        return story;
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      says: ['Reconciling=True SideLeaving'],
    },
  ],
  'target-stranger': [
    {
      when: 'TRANSITIONING_TO_y, another y than the one that was made: deleted and seen gone',
      given: (x) => {
        const story = starting(x);
        const { ref } = story.side(story.y);
        return story.seen(story.y, { ref: { ...ref, uid: 'another' } });
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, y’s name is somebody else’s: waited for',
      given: (x) => {
        const story = starting(x);
        return story.seen(story.y, { owners: ['stranger'] });
      },
      leads: 'TRANSITIONING_TO_y FAILING',
      says: ['Reconciling=True NameTaken', 'Available=True Serving'],
    },
  ],
  'target-deleted': [
    {
      when: 'TRANSITIONING_TO_y, y deleted by hand: recreated, same deadline',
      given: (x) => {
        const story = starting(x).passes(60_000);
        return story.gone(story.y);
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ status, side, y }) => {
        expect(status.transition?.deadline).toBe('2026-01-01T00:10:00.000Z');
        expect(side(y).spec.job?.initialSavepointPath).toBe('s3://sp/1');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, y was not made yet: the same creation once more',
      given: (x) => {
        const story = serving(x, stateless).edit(image('app:2'));
        story.look(1);
        return story;
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
    },
    {
      when: 'TRANSITIONING_TO_y, y deleted by hand once traffic moved: back to x first if x is ready',
      given: (x) => {
        const story = draining(x, edited(stateful, ingressed('/{{name}}')));
        return story.gone(story.y);
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      check: (story) => {
        story.settle();
        expect(story.status.serving?.color).toBe(story.x);
        expect(story.side(story.y).spec.image).toBe('app:2');
      },
    },
  ],
  'patch-target': [
    {
      when: 'TRANSITIONING_TO_y, PATCH_CHILD: y patched in place',
      given: (x) => starting(x).edit(patchable('3')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['patch y'],
      check: (story) => {
        story.settle();
        expect(story.side(story.y).spec).toMatchObject({
          image: 'app:2',
          flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': '3' },
          job: { initialSavepointPath: 's3://sp/1' },
        });
        expect(story.done()).not.toContain(`patch counter-${story.x.toLowerCase()}`);
      },
    },
  ],
  'target-ready': [
    {
      when: 'TRANSITIONING_TO_y, y is ready: traffic moves to it',
      given: (x) => {
        const story = starting(x, edited(stateful, ingressed('/{{name}}')));
        return story.becomes(story.y, 'ready');
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['apply Ingress'],
      says: ['Reconciling=True Switching', 'Available=True Serving'],
      check: ({ view, y, status, x }) => {
        expect(view.ingress?.backends).toEqual([`counter-${y.toLowerCase()}-rest`]);
        expect(status.serving?.color).toBe(y);
        expect(status.deploymentReadyTimestamp).toBe('2026-01-01T00:00:00.000Z');
        expect(status.abortTimestamp).toBe('1970-01-01T00:00:00Z');
        expect(view.sides[x]?.terminating).toBe(false);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, SUSPEND: deferred, visible',
      given: (x) => draining(x).edit(suspend),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      says: ['Reconciling=True SuspendDeferred'],
      check: (story) => {
        story.passes(5_000).settle();
        story.gone(story.x).settle();
        expect(story.state).toBe(`ACTIVE_${story.y}`);
        expect(story.side(story.y).spec.job?.state).toBe('suspended');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, edit or nonce, traffic moved, x not ready: forward to ACTIVE_y, handled from there',
      given: (x) => draining(x).becomes(x, 'failing').edit(fromMine).passes(5_000),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['delete x'],
      check: (story) => {
        story.gone(story.x).settle();
        expect(story.state).toBe(`TRANSITIONING_TO_${story.x}`);
        expect(story.side(story.x).spec.job?.initialSavepointPath).toBe('s3://mine');
      },
    },
    {
      when: 'TRANSITIONING_TO_y, x deleted by hand before traffic moved: forward only',
      given: (x) => {
        const story = starting(x).gone(x);
        return story.becomes(story.y, 'ready');
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      check: (story) => {
        story.settle();
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
      },
    },
  ],
  'target-not-ready': [
    {
      when: 'TRANSITIONING_TO_y, y is not ready yet: waits',
      given: starting,
      leads: 'TRANSITIONING_TO_y RECONCILING',
      says: ['Ready=True Starting', 'Available=True Serving'],
    },
    {
      when: 'TRANSITIONING_TO_y, grace period ends: abort, y left as it is, ACTIVE_x, FAILING until the next edit, Stalled',
      given: (x) => starting(x).passes(600_000),
      leads: 'ACTIVE_x FAILING',
      says: ['Stalled=True TransitionAborted', 'Promoted=False Aborted', 'Ready=True TransitionAborted'],
      check: (story) => {
        expect(story.events.at(-1)).toMatch(/^TransitionAborted: /);
        expect(story.side(story.y).terminating).toBe(false);
        expect(story.status.abortTimestamp).toBe('1970-01-01T00:00:00Z');
        expect(story.status.savepointTriggerId).toBeUndefined();
      },
    },
    {
      when: 'TRANSITIONING_TO_y, grace period ends while x is dead: no abort, FAILING, keep waiting',
      given: (x) => starting(x).becomes(x, 'failed').passes(600_000),
      leads: 'TRANSITIONING_TO_y FAILING',
      says: ['Reconciling=True NothingServes', 'Available=False NotServing'],
      check: (story) => {
        story.becomes(story.y, 'ready').settle();
        story.gone(story.x).settle();
        expect(story.state).toBe(`ACTIVE_${story.y}`);
      },
    },
    {
      when: 'TRANSITIONING_TO_y, SUSPEND while y is starting: deferred, visible',
      given: (x) => starting(x).edit(suspend),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      says: ['Reconciling=True SuspendDeferred'],
    },
    {
      when: 'TRANSITIONING_TO_y, y not ready for a moment once traffic moved: a new grace period',
      given: (x) => {
        const story = draining(x);
        return story.becomes(story.y, 'settling').passes(3_000);
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      check: (story) => {
        expect(story.status.transition?.deadline).toBe('2026-01-01T00:10:03.000Z');
        expect(story.status.transition).not.toHaveProperty('readyAt');
        story.passes(1_000).becomes(story.y, 'ready').settle();
        story.passes(4_999).settle();
        expect(story.side(story.x).terminating).toBe(false);
        story.passes(1).settle();
        expect(story.side(story.x).terminating).toBe(true);
      },
    },
  ],
};
