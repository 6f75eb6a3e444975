import { expect } from 'vitest';
import { annotations } from './annotations.ts';
import { type Examples, fromMine, suspend } from './example.fixture.ts';
import { halted, savepointing } from './moments.fixture.ts';
import { serving } from './story.fixture.ts';
import { image, job, stateful } from './view.fixture.ts';

/** SAVEPOINTING_x */
export const savepointingExamples: Examples = {
  'savepointing-rollback': [
    {
      when: 'SAVEPOINTING_x, rollback asked: ACTIVE_x, not tried again',
      given: (x) => {
        const story = savepointing(x);
        return story.annotate({ [annotations.rollback]: story.status.transition?.id ?? '' });
      },
      leads: 'ACTIVE_x RUNNING',
      says: ['Stalled=True TransitionAborted', 'Available=True Serving'],
    },
  ],
  'savepointing-suspend': [
    {
      when: 'SAVEPOINTING_x, SUSPEND: x suspended (there is no target yet)',
      given: (x) => savepointing(x).edit(suspend),
      leads: 'ACTIVE_x RUNNING',
      does: ['patch x'],
      check: (story) => {
        story.completed().settle();
        expect(story.side(story.x).spec).toMatchObject({ image: 'app:2', job: { state: 'suspended' } });
        expect(story.view.snapshots).toHaveLength(1);
      },
    },
  ],
  'savepointing-revert': [
    {
      when: 'SAVEPOINTING_x, revert to x’s template: ACTIVE_x; the savepoint stays recorded, is never reused',
      given: (x) => {
        const story = savepointing(x).savepoint({ state: 'IN_PROGRESS', triggerId: 'trigger-1' });
        story.settle();
        expect(story.status.savepointTriggerId).toBe('trigger-1');
        return story.edit(image('app:1'));
      },
      leads: 'ACTIVE_x RUNNING',
      says: ['Ready=True Serving'],
      check: (story) => {
        expect(story.status.savepointTriggerId).toBeUndefined();
        story.completed('s3://sp/unused').edit(image('app:3')).settle();
        expect(story.state).toBe(`SAVEPOINTING_${story.x}`);
        expect(story.view.snapshots).toHaveLength(2);
      },
    },
  ],
  'savepointing-redeploy': [
    {
      when: 'SAVEPOINTING_x, redeploy nonce: leaves at once',
      given: (x) => savepointing(x).edit(fromMine),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => {
        expect(side(y).spec).toMatchObject({ image: 'app:2', job: { initialSavepointPath: 's3://mine' } });
      },
    },
  ],
  'savepointing-stateless': [
    {
      when: 'SAVEPOINTING_x, further edit: at once if it became stateless',
      given: (x) => savepointing(x).edit(job({ upgradeMode: 'stateless' })),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => expect(side(y).spec.job).not.toHaveProperty('initialSavepointPath'),
    },
  ],
  'savepointing-serving-gone': [
    {
      when: 'SAVEPOINTING_x, x deleted by hand: ACTIVE_x; the edit stays pending there',
      given: (x) => savepointing(x).gone(x),
      leads: 'ACTIVE_x FAILING',
      says: ['Reconciling=True ServingNotReady'],
    },
    {
      when: 'SAVEPOINTING_x, another x in its place: its own savepoint is taken',
      given: (x) => {
        const story = savepointing(x);
        const { ref } = story.side(x);
        return story.seen(x, { ref: { ...ref, uid: 'another' } });
      },
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['create savepoint'],
      check: ({ status }) => expect(status.transition?.savepoint?.uid).toBe('another'),
    },
  ],
  'savepointing-suspension': [
    {
      when: 'SAVEPOINTING_x, by policy x is unhealthy: suspended, nothing is made before its checkpoint is known',
      given: halted,
      leads: 'SAVEPOINTING_x RUNNING',
      check: ({ side, x, view, y }) => {
        expect(side(x).spec.job?.state).toBe('suspended');
        expect(view.sides[y]).toBeUndefined();
      },
    },
    {
      when: 'SAVEPOINTING_x, by policy x is suspended and does not say what it left: stated, nothing is started empty',
      given: (x) => halted(x).becomes(x, 'suspended'),
      leads: 'SAVEPOINTING_x FAILING',
      says: ['Stalled=True StateUnknown'],
    },
  ],
  'savepoint-complete': [
    {
      when: 'SAVEPOINTING_x, the savepoint is complete: TRANSITIONING_TO_y from it',
      given: (x) => savepointing(x).completed(),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, status, y }) => {
        expect(side(y).spec).toMatchObject({ image: 'app:2', job: { initialSavepointPath: 's3://sp/1' } });
        expect(status.lastSavepoint?.path).toBe('s3://sp/1');
        expect(status.transition).toMatchObject({ restore: { mode: 'savepoint' }, savepoint: { path: 's3://sp/1' } });
      },
    },
    {
      when: 'SAVEPOINTING_x, further edit: newest spec after the savepoint',
      given: (x) => savepointing(x).edit(image('app:3')).completed(),
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => {
        expect(side(y).spec).toMatchObject({ image: 'app:3', job: { initialSavepointPath: 's3://sp/1' } });
      },
    },
  ],
  'savepoint-of-another-job': [
    {
      when: 'SAVEPOINTING_x, x’s job became another one: another savepoint, of the job that runs now',
      given: (x) =>
        savepointing(x)
          .completed()
          .becomes(x, 'ready', { jobStatus: { state: 'RUNNING', jobId: 'new' } }),
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['create savepoint'],
      check: ({ status }) => expect(status.transition?.savepoint?.jobId).toBe('new'),
    },
  ],
  'savepoint-failed': [
    {
      when: 'SAVEPOINTING_x, trigger or fetch fails: FAILING, retried with capped back-off, the edit stays pending',
      given: (x) => savepointing(x).savepoint({ state: 'FAILED', error: 'disk full' }),
      leads: 'SAVEPOINTING_x FAILING',
      says: ['Reconciling=True Failing', 'Available=True Serving'],
      check: (story) => {
        expect(story.status.error).toContain('disk full');
        expect(story.events.at(-1)).toContain('SavepointError: ');
        story.passes(9_999).settle();
        expect(story.view.snapshots).toHaveLength(1);
        story.passes(1).settle();
        expect(story.view.snapshots).toHaveLength(2);
        expect(story.status.error).toBeUndefined();
      },
    },
    {
      when: 'SAVEPOINTING_x, abandoned: as failed',
      given: (x) => savepointing(x).savepoint({ state: 'ABANDONED' }),
      leads: 'SAVEPOINTING_x FAILING',
    },
    {
      when: 'SAVEPOINTING_x, hangs: limit checkpoint timeout + 1 minute, then as failed',
      given: (x) => {
        const story = savepointing(x).passes(11 * 60_000 - 1);
        story.settle();
        expect(story.jobState).toBe('RUNNING');
        return story.passes(1);
      },
      leads: 'SAVEPOINTING_x FAILING',
      check: ({ status }) => expect(status.transition).toMatchObject({ savepointFailures: 1 }),
    },
  ],
  'savepoint-retry': [
    {
      when: 'SAVEPOINTING_x, the savepoint failed: waits for the back-off',
      given: (x) => {
        const story = savepointing(x).savepoint({ state: 'FAILED' });
        story.look();
        return story;
      },
      leads: 'SAVEPOINTING_x FAILING',
      says: ['Reconciling=True SavepointError'],
    },
    {
      when: 'SAVEPOINTING_x, the back-off is over: another attempt',
      given: (x) => {
        const story = savepointing(x).savepoint({ state: 'FAILED' });
        story.settle();
        return story.passes(10_000);
      },
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['create savepoint'],
    },
    {
      when: 'SAVEPOINTING_x, the job ended and left a checkpoint: used directly',
      given: (x) => {
        const story = savepointing(x).savepoint({ state: 'FAILED' });
        story.settle();
        return story.becomes(x, 'failed', { jobStatus: { state: 'FAILED', upgradeSavepointPath: 's3://cp/9' } });
      },
      leads: 'TRANSITIONING_TO_y RECONCILING',
      does: ['create y'],
      check: ({ side, y }) => expect(side(y).spec.job?.initialSavepointPath).toBe('s3://cp/9'),
    },
    {
      when: 'SAVEPOINTING_x, the savepoint failed and x is not ready: waits for x, visibly',
      given: (x) => {
        const story = savepointing(x).savepoint({ state: 'FAILED' });
        story.settle();
        return story.becomes(x, 'failing').passes(10_000);
      },
      leads: 'SAVEPOINTING_x FAILING',
      check: ({ status }) => expect(status.error).toContain('No savepoint can be taken'),
    },
  ],
  'savepoint-under-way': [
    {
      when: 'SAVEPOINTING_x, the savepoint is being taken: waits',
      given: savepointing,
      leads: 'SAVEPOINTING_x RUNNING',
    },
    {
      when: 'SAVEPOINTING_x, the request was lost: the same one once more',
      given: (x) => {
        const story = serving(x, stateful).edit(image('app:2'));
        story.look(1);
        return story;
      },
      leads: 'SAVEPOINTING_x RUNNING',
      does: ['create savepoint'],
      check: ({ status, view }) => {
        expect(view.snapshots.map(({ metadata }) => metadata.name)).toEqual([status.transition?.savepoint?.snapshot]);
      },
    },
  ],
};
