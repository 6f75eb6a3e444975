import { expect } from 'vitest';
import { type Examples, fromMine, fromNothing, suspend } from './example.fixture.ts';
import { aborted, halted, lastCheckpoint, suspended } from './moments.fixture.ts';
import { serving } from './story.fixture.ts';
import { configured, edited, image, job, patchable, sideSeen, stateful, stateless } from './view.fixture.ts';

/** ACTIVE_x */
export const activeExamples: Examples = {
  'active-in-place': [
    {
      when: 'ACTIVE_x, x is being changed in place and the edit is taken back: seen through first, then taken back',
      given: (x) => {
        const story = serving(x, stateful).edit(suspend);
        story.look(1);
        return story.edit(job({ state: undefined }));
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        expect(story.side(story.x).spec.job?.state).not.toBe('suspended');
        expect(story.status).not.toHaveProperty('inPlace');
      },
    },
  ],
  'reverted-after-abort': [
    {
      when: 'ACTIVE_x, after an abort: the template is x’s own again: y is deleted, x untouched',
      given: (x) => aborted(x).edit(image('app:1')),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      says: ['Ready=True Serving', 'Promoted=True Complete'],
      check: ({ status }) => {
        expect(status.aborted).toBeUndefined();
        expect(status.error).toBeUndefined();
      },
    },
  ],
  'edited-after-abort': [
    {
      when: 'ACTIVE_x, after an abort: the next transition deletes y',
      given: (x) => aborted(x).edit(image('app:3')),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
      },
    },
    {
      when: 'ACTIVE_x, after an abort: a redeploy nonce is taken up',
      given: (x) => aborted(x).edit(fromNothing),
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
      check: (story) => {
        story.gone(story.y).settle();
        expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
      },
    },
  ],
  'left-over': [
    {
      when: 'ACTIVE_x, a y that nobody needs: deleted',
      given: (x) => {
        const story = serving(x, stateful);
        const left = sideSeen(story.y, stateful, 'ready');
        return story.now({ sides: { ...story.view.sides, [story.y]: left } });
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['delete y'],
    },
  ],
  'left-over-after-abort': [
    {
      when: 'ACTIVE_x, after an abort: y suspended where that is asked for',
      given: (x) => aborted(x).edit(configured({ 'abort.action': 'suspend' })),
      leads: 'ACTIVE_x FAILING',
      does: ['patch y'],
      check: (story) => {
        story.settle();
        expect(story.side(story.y).spec.job?.state).toBe('suspended');
        expect(story.condition('LeftOver')).toMatchObject({ status: 'True', reason: 'Suspended' });
      },
    },
    {
      when: 'ACTIVE_x, after an abort: y deleted where that is asked for',
      given: (x) => aborted(x).edit(configured({ 'abort.action': 'delete' })),
      leads: 'ACTIVE_x FAILING',
      does: ['delete y'],
    },
  ],
  'suspended-for-checkpoint': [
    {
      when: 'ACTIVE_x, x was suspended for its last checkpoint, and that is no longer needed: resumed',
      given: (x) => {
        const story = halted(x).edit(image('app:1'));
        story.look();
        return story.becomes(x, 'settling');
      },
      leads: 'ACTIVE_x RECONCILING',
      check: ({ side, status, x }) => {
        expect(side(x).spec.job?.state).not.toBe('suspended');
        expect(status.serving?.suspended).toBeUndefined();
      },
    },
  ],
  'given-up': [
    {
      when: 'ACTIVE_x, after an abort: not retried until the template changes',
      given: (x) => aborted(x).passes(3_600_000),
      leads: 'ACTIVE_x FAILING',
      says: [
        'Ready=True TransitionAborted',
        'Stalled=True TransitionAborted',
        'LeftOver=True LeftAsItIs',
        'Promoted=False Aborted',
        'Available=True Serving',
      ],
    },
    {
      when: 'ACTIVE_x, after an abort: a left-over y that becomes ready later is not promoted; that it runs is a condition',
      given: (x) => {
        const story = aborted(x);
        return story.becomes(story.y, 'ready');
      },
      leads: 'ACTIVE_x FAILING',
      says: ['LeftOver=True LeftAsItIs'],
      check: ({ status, x }) => expect(status.serving?.color).toBe(x),
    },
    {
      when: 'ACTIVE_x, after an abort: PATCH_CHILD acts on x’s own spec',
      given: (x) => aborted(x).edit(patchable('3')),
      leads: 'ACTIVE_x FAILING',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        const { spec } = story.side(story.x);
        expect(spec.image).toBe('app:1');
        expect(spec.flinkConfiguration).toMatchObject({ 'kubernetes.operator.savepoint.history.max.count': '3' });
      },
    },
    {
      when: 'ACTIVE_x, after an abort: SUSPEND and RESUME act on x’s own spec',
      given: (x) => aborted(x).edit(suspend),
      leads: 'ACTIVE_x FAILING',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        expect(story.side(story.x).spec).toMatchObject({ image: 'app:1', job: { state: 'suspended' } });
        story.edit(job({ state: 'running' })).settle();
        expect(story.side(story.x).spec).toMatchObject({ image: 'app:1', job: { state: 'running' } });
      },
    },
  ],
  'suspend-resume': [
    {
      when: 'ACTIVE_x, SUSPEND: x in place',
      given: (x) => serving(x, stateful).edit(suspend, image('app:2')),
      leads: 'ACTIVE_x RUNNING',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        story.becomes(story.x, 'suspended').settle();
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.x} SUSPENDED`);
        expect(story.side(story.x).spec).toMatchObject({ image: 'app:2', job: { state: 'suspended' } });
        expect(story.condition('Ready')).toMatchObject({ status: 'True', reason: 'Suspended' });
      },
    },
    {
      when: 'ACTIVE_x, RESUME: x in place',
      given: (x) => suspended(x).edit(job({ state: 'running' })),
      leads: 'ACTIVE_x SUSPENDED',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        expect(story.jobState).toBe('RECONCILING');
        story.becomes(story.x, 'ready').settle();
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.x} RUNNING`);
      },
    },
    {
      when: 'ACTIVE_x, x suspended, TRANSITION: applied to x in place, acts on resume',
      given: (x) => suspended(x).edit(image('app:2')),
      leads: 'ACTIVE_x SUSPENDED',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        expect(story.side(story.x).spec).toMatchObject({ image: 'app:2', job: { state: 'suspended' } });
        expect(story.view.sides[story.y]).toBeUndefined();
      },
    },
    {
      when: 'ACTIVE_x, x suspended, nonce: applied to x in place, acts on resume',
      given: (x) => suspended(x).edit(fromMine),
      leads: 'ACTIVE_x SUSPENDED',
      does: ['patch x'],
      check: (story) => {
        story.settle();
        expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
        expect(story.side(story.x).spec.job).toMatchObject({
          state: 'suspended',
          savepointRedeployNonce: 7,
          initialSavepointPath: 's3://mine',
        });
      },
    },
  ],
  'suspend-without-side': [
    {
      when: 'ACTIVE_x, SUSPEND while x is not there: recorded',
      given: (x) => serving(x, stateful).gone(x).edit(suspend, fromNothing),
      leads: 'ACTIVE_x SUSPENDED',
      check: (story) => {
        expect(story.status.nonces).toBeUndefined();
        story.edit(job({ state: 'running' })).settle();
        expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
      },
    },
  ],
  'previous-side-leaving': [
    {
      when: 'ACTIVE_x, TRANSITION while the previous y is being deleted: waits before the savepoint is taken',
      given: (x) => {
        const story = serving(x, stateful);
        const left = sideSeen(story.y, stateful, 'ready', { terminating: true, terminatingSince: story.view.now });
        return story.now({ sides: { ...story.view.sides, [story.y]: left } }).edit(image('app:2'));
      },
      leads: 'ACTIVE_x RUNNING',
      says: ['Reconciling=True SideLeaving', 'Promoted=False UnderWay'],
      check: (story) => {
        story.passes(120_000);
        const { because } = story.settle();
        expect(because).toContain('flinkdeployments.flink.apache.org/finalizer');
        expect(story.jobState).toBe('FAILING');
        expect(story.events).toEqual([`SideLeaving: ${because}`]);
        story.gone(story.y).settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
      },
    },
    {
      when: 'ACTIVE_x, TRANSITION while y’s name is somebody else’s: waits',
      given: (x) => {
        const story = serving(x, stateful);
        const strange = sideSeen(story.y, stateful, 'ready', { owners: ['stranger'] });
        return story.now({ sides: { ...story.view.sides, [story.y]: strange } }).edit(image('app:2'));
      },
      leads: 'ACTIVE_x FAILING',
      says: ['Reconciling=True NameTaken'],
    },
  ],
  redeploy: [
    {
      when: 'ACTIVE_x, SAVEPOINT_REDEPLOY: TRANSITIONING_TO_y from the user’s path',
      given: (x) => serving(x, stateful).edit(fromMine),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, status, y }) => {
        expect(side(y).spec.job?.initialSavepointPath).toBe('s3://mine');
        expect(status.transition).toMatchObject({ cause: 'savepoint-redeploy', restore: { mode: 'user' } });
        expect(status.nonces).toEqual({ savepointRedeploy: 7 });
      },
    },
    {
      when: 'ACTIVE_x, STATELESS_REDEPLOY: TRANSITIONING_TO_y, empty, whatever path is left in the template',
      given: (x) => serving(x, edited(stateful, job({ initialSavepointPath: 's3://old' }))).edit(fromNothing),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, status, y, events }) => {
        expect(side(y).spec.job).not.toHaveProperty('initialSavepointPath');
        expect(status.transition).toMatchObject({ cause: 'stateless-redeploy', restore: { mode: 'stateless' } });
        expect(events).toEqual([expect.stringMatching(/^StateDropped: .* No savepoint is known/)]);
      },
    },
    {
      when: 'ACTIVE_x, SAVEPOINT_REDEPLOY / STATELESS_REDEPLOY: also when x is unhealthy',
      given: (x) => serving(x, stateful).becomes(x, 'failed').edit(fromMine),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
    },
    {
      when: 'ACTIVE_x, x deleted by hand: nonces act',
      given: (x) => serving(x, stateful).gone(x).edit(fromMine),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
    },
  ],
  transition: [
    {
      when: 'ACTIVE_x, TRANSITION, state needed: SAVEPOINTING_x',
      given: (x) => serving(x, stateful).edit(image('app:2')),
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['create savepoint'],
      says: ['Ready=True Savepointing', 'Available=True Serving', 'Promoted=False UnderWay'],
      check: ({ view, x, status }) => {
        expect(view.snapshots[0]?.spec).toEqual({
          jobReference: { kind: 'FlinkDeployment', name: `counter-${x.toLowerCase()}` },
          savepoint: { disposeOnDelete: false, formatType: 'CANONICAL' },
          backoffLimit: 0,
        });
        expect(status.transition).not.toHaveProperty('spec');
      },
    },
    {
      when: 'ACTIVE_x, TRANSITION, stateless: TRANSITIONING_TO_y, empty (a left-over initialSavepointPath is not used)',
      given: (x) => serving(x, edited(stateless, job({ initialSavepointPath: 's3://old' }))).edit(image('app:2')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => expect(side(y).spec.job).not.toHaveProperty('initialSavepointPath'),
    },
    {
      when: 'ACTIVE_x, TRANSITION while x is unhealthy, stateless: at once',
      given: (x) => serving(x, stateless).becomes(x, 'failing').edit(image('app:2')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
    },
    {
      when: 'ACTIVE_x, TRANSITION while x is unhealthy, by policy: suspends x first and uses its last checkpoint',
      given: (x) => serving(x, edited(stateful, lastCheckpoint)).becomes(x, 'failing').edit(image('app:2')),
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['patch x'],
      check: (story) => {
        const jobStatus = { state: 'CANCELED', jobId: 'j', upgradeSavepointPath: 's3://cp/9' } as const;
        story.becomes(story.x, 'suspended', { jobStatus }).settle();
        expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
        expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://cp/9');
      },
    },
    {
      when: 'ACTIVE_x, TRANSITION: a terminal job’s retained checkpoint is used directly',
      given: (x) =>
        serving(x, stateful)
          .becomes(x, 'failed', { jobStatus: { state: 'FAILED', upgradeSavepointPath: 's3://cp/9' } })
          .edit(image('app:2')),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => expect(side(y).spec.job?.initialSavepointPath).toBe('s3://cp/9'),
    },
  ],
  'transition-of-unhealthy': [
    {
      when: 'ACTIVE_x, TRANSITION while x is unhealthy, stateful: waits visibly, the edit stays pending',
      given: (x) => serving(x, stateful).becomes(x, 'failing').edit(image('app:2')),
      leads: 'ACTIVE_x FAILING',
      says: ['Ready=False ServingNotReady', 'Reconciling=True ServingNotReady', 'Available=False NotServing'],
      check: (story) => {
        story.becomes(story.x, 'ready').settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
      },
    },
    {
      when: 'ACTIVE_x, TRANSITION while x is starting: waits without alarm',
      given: (x) => serving(x, stateful).becomes(x, 'settling').edit(image('app:2')),
      leads: 'ACTIVE_x RECONCILING',
      says: ['Reconciling=True ServingNotReady'],
    },
  ],
  'serving-deleted': [
    {
      when: 'ACTIVE_x, x deleted by hand, stateless: recreated',
      given: (x) => serving(x, stateless).gone(x),
      leads: 'ACTIVE_x RECONCILING',
      does: ['create x'],
      check: (story) => {
        story.settle();
        expect(story.status.serving?.uid).toBe(story.side(story.x).ref.uid);
        expect(story.events).toEqual([expect.stringMatching(/^ServingDeleted: .*made again/)]);
      },
    },
    {
      when: 'ACTIVE_x, x deleted by hand, stateful: FAILING naming the last known state, never started empty silently',
      given: (x) =>
        serving(x, stateful, {}, { lastSavepoint: { path: 's3://sp/0', at: '2025-12-31T00:00:00.000Z' } }).gone(x),
      leads: 'ACTIVE_x FAILING',
      says: ['Stalled=True ServingDeleted', 'Available=False NotServing'],
      check: ({ status }) => expect(status.error).toContain('s3://sp/0'),
    },
  ],
  'patch-child': [
    {
      when: 'ACTIVE_x, PATCH_CHILD: x patched in place; never an abort of x',
      given: (x) => serving(x, stateful).edit(patchable('3')),
      leads: 'ACTIVE_x RUNNING',
      does: ['patch x'],
      check: (story) => {
        story.becomes(story.x, 'failing').passes(3_600_000).settle();
        expect(story.state).toBe(`ACTIVE_${story.x}`);
        expect(story.done()).toEqual([`patch counter-${story.x.toLowerCase()}`]);
        story.becomes(story.x, 'ready').settle();
        expect(story.jobState).toBe('RUNNING');
      },
    },
  ],
  'at-rest': [
    {
      when: 'ACTIVE_x, IGNORE: nothing',
      given: (x) => serving(x, stateful),
      leads: 'ACTIVE_x RUNNING',
      says: ['Ready=True Serving', 'Available=True Serving', 'Promoted=True Complete'],
    },
    {
      when: 'ACTIVE_x, x becomes unhealthy / recovers: FAILING shown / cleared; Available tells whether traffic is served',
      given: (x) => serving(x, stateful).becomes(x, 'failing'),
      leads: 'ACTIVE_x FAILING',
      says: ['Ready=False ServingUnhealthy', 'Available=False NotServing'],
      check: (story) => {
        expect(story.status.error).toContain('RESTARTING');
        story.becomes(story.x, 'ready').settle();
        expect(story.jobState).toBe('RUNNING');
        expect(story.status.error).toBeUndefined();
        expect(story.condition('Available')?.status).toBe('True');
      },
    },
    {
      when: 'ACTIVE_x, child edited by hand: reported, not reverted',
      given: (x) => {
        const story = serving(x, stateful);
        const { spec } = story.side(x);
        return story.seen(x, { spec: { ...spec, image: 'by-hand' } });
      },
      leads: 'ACTIVE_x RUNNING',
      says: ['ChangedByHand=True ChangedByHand', 'Ready=True Serving'],
      check: (story) => {
        expect(story.condition('ChangedByHand')?.message).toContain('image : app:1 -> by-hand');
        expect(story.side(story.x).spec.image).toBe('by-hand');
      },
    },
  ],
};
