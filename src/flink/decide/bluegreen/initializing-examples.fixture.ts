import { expect } from 'vitest';
import { type Examples, fromMine, suspend } from './example.fixture.ts';
import { Story } from './story.fixture.ts';
import { edited, image, ingressed, job, sideSeen, stateful, viewOf } from './view.fixture.ts';

const first = (edits: Parameters<typeof edited>[1][] = []) => new Story(viewOf(edited(stateful, ...edits)));

const begun = () => {
  const story = first();
  story.settle();
  return story.becomes('BLUE', 'settling');
};

/** INITIALIZING_BLUE */
export const initializingExamples: Examples = {
  'initializing-in-place': [
    {
      when: 'INITIALIZING_BLUE, blue is being changed in place, and is edited again: one after the other',
      given: () => {
        const story = begun();
        story.settle();
        story.edit(image('app:2')).look(1);
        return story.edit(image('app:3'));
      },
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['patch x'],
      check: (story) => {
        expect(story.side('BLUE').spec.image).toBe('app:2');
        story.settle();
        expect(story.side('BLUE').spec.image).toBe('app:3');
      },
    },
  ],
  'first-suspended': [
    {
      when: 'INITIALIZING_BLUE, template suspended: no child, SUSPENDED',
      given: () => first([suspend]),
      leads: 'INITIALIZING_BLUE SUSPENDED',
      says: ['Ready=True Suspended', 'Available=False NeverServed'],
    },
    {
      when: 'INITIALIZING_BLUE, template suspended: deployed when set to running',
      given: () => {
        const story = first([suspend]);
        story.settle();
        return story;
      },
      leads: 'INITIALIZING_BLUE SUSPENDED',
      check: (story) => {
        story.edit(job({ state: undefined })).settle();
        expect(story.done()).toEqual(['create counter-blue']);
      },
    },
  ],
  'first-name-taken': [
    {
      when: 'INITIALIZING_BLUE, the name of blue is somebody else’s: waited for',
      given: () =>
        new Story(
          viewOf(stateful, { sides: { BLUE: sideSeen('BLUE', stateful, 'ready', { owners: [] }), GREEN: undefined } }),
        ),
      leads: 'INITIALIZING_BLUE FAILING',
      says: ['Reconciling=True NameTaken'],
    },
    {
      when: 'INITIALIZING_BLUE, an earlier blue is still being deleted: waited for',
      given: () =>
        new Story(
          viewOf(stateful, {
            sides: { BLUE: sideSeen('BLUE', stateful, 'ready', { terminating: true }), GREEN: undefined },
          }),
        ),
      leads: 'INITIALIZING_BLUE RECONCILING',
      says: ['Reconciling=True SideLeaving'],
    },
  ],
  'first-deployment': [
    {
      when: 'INITIALIZING_BLUE, nothing is deployed: blue is created',
      given: () => first(),
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['create x'],
      says: ['Reconciling=True Starting', 'Promoted=False UnderWay'],
      check: (story) => {
        expect(story.status.transition).toMatchObject({
          cause: 'first-deployment',
          restore: { mode: 'stateless' },
          deadline: '2026-01-01T00:10:00.000Z',
        });
        expect(story.status.abortTimestamp).toBe('2026-01-01T00:10:00.000Z');
      },
    },
    {
      when: 'INITIALIZING_BLUE, nothing is deployed: blue is created from initialSavepointPath',
      given: () => first([fromMine]),
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['create x'],
      check: ({ side, status }) => {
        expect(status.nonces).toEqual({ savepointRedeploy: 7 });
        expect(side('BLUE').spec.job?.initialSavepointPath).toBe('s3://mine');
      },
    },
  ],
  'first-child-gone': [
    {
      when: 'INITIALIZING_BLUE, blue deleted by hand: created again with the same deadline',
      given: () => {
        const story = begun().passes(60_000);
        story.settle();
        return story.gone('BLUE');
      },
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['create x'],
      check: ({ status }) => {
        expect(status.transition).toMatchObject({ deadline: '2026-01-01T00:10:00.000Z', targetId: 'uid-1-2' });
      },
    },
    {
      when: 'INITIALIZING_BLUE, blue was not made yet: the same creation once more',
      given: () => {
        const story = first();
        story.look(1);
        return story;
      },
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['create x'],
      check: ({ status }) => expect(status.transition?.targetId).toBe('uid-1-1'),
    },
  ],
  'first-edit': [
    {
      when: 'INITIALIZING_BLUE, edit or nonce: applied to blue in place',
      given: () => {
        const story = begun();
        story.settle();
        return story.edit(image('app:2'), fromMine).passes(60_000);
      },
      leads: 'INITIALIZING_BLUE RECONCILING',
      does: ['patch x'],
      check: (story) => {
        expect(story.status.nonces).toBeUndefined();
        story.settle();
        expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
        expect(story.side('BLUE').spec).toMatchObject({
          image: 'app:2',
          job: { initialSavepointPath: 's3://mine', savepointRedeployNonce: 7 },
        });
        expect(story.status.transition?.deadline).toBe('2026-01-01T00:11:00.000Z');
      },
    },
  ],
  'first-ready': [
    {
      when: 'INITIALIZING_BLUE, blue is ready: ACTIVE_BLUE, the Ingress leads to blue',
      given: () => {
        const story = first([ingressed('{{name}}.example.com')]);
        story.settle();
        return story.becomes('BLUE', 'ready');
      },
      leads: 'ACTIVE_x RUNNING',
      does: ['apply Ingress'],
      says: ['Ready=True Serving', 'Available=True Serving', 'Promoted=True Complete'],
      check: ({ status, view }) => {
        expect(view.ingress?.backends).toEqual(['counter-blue-rest']);
        expect(status.serving).toMatchObject({ color: 'BLUE', name: 'counter-blue', uid: view.sides.BLUE?.ref.uid });
        expect(status.history).toMatchObject([{ cause: 'first-deployment', outcome: 'promoted' }]);
        expect(status.abortTimestamp).toBe('1970-01-01T00:00:00Z');
      },
    },
  ],
  'first-waits': [
    {
      when: 'INITIALIZING_BLUE, blue is not ready yet: waits',
      given: begun,
      leads: 'INITIALIZING_BLUE RECONCILING',
      says: ['Reconciling=True Starting'],
    },
    {
      when: 'INITIALIZING_BLUE, grace period ends: stay, FAILING, keep trying as blue itself does',
      given: () => begun().passes(600_000),
      leads: 'INITIALIZING_BLUE FAILING',
      says: ['Ready=False FirstDeploymentLate', 'Stalled=True FirstDeploymentLate'],
      check: (story) => {
        story.becomes('BLUE', 'ready').settle();
        expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE RUNNING');
      },
    },
  ],
};
