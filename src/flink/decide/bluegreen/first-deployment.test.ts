import { describe, expect, it } from 'vitest';
import { actionDigest } from '../../../control/outcome.ts';
import { suspend } from './example.fixture.ts';
import { play } from './play.fixture.ts';
import { Story } from './story.fixture.ts';
import { edited, image, job, sideSeen, stateful, viewOf } from './view.fixture.ts';

const first = () => new Story(viewOf(stateful));

describe('the first deployment', () => {
  it('is tried with the newest spec when the API server refuses blue and the spec is mended', () => {
    const story = first();
    const { actions } = story.look(1);
    const create = actions.find((action) => action.do === 'create');
    if (!create) throw new Error('nothing is made');
    const outcomeOf = 'create flink.apache.org/v1beta1 FlinkDeployment shop/counter-blue';
    const at = story.view.now;
    const refused = { result: 'refused' as const, at, since: at, of: actionDigest(create), message: 'no quota' };
    story.now({ outcomes: { [outcomeOf]: refused } }).look(1);
    expect(`${story.state} ${story.jobState}`).toBe('INITIALIZING_BLUE FAILING');
    expect(story.status.error).toBe('counter-blue was refused: no quota');
    story.edit(image('app:2'));
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.side('BLUE').spec.image).toBe('app:2');
    expect(story.status.error).toBeUndefined();
  });

  it('starts again from the path that was written last when blue is deleted by hand', () => {
    const story = first();
    story.settle();
    story.edit(job({ initialSavepointPath: 's3://late' })).settle();
    expect(story.side('BLUE').spec.job?.initialSavepointPath).toBe('s3://late');
    story.gone('BLUE').settle();
    expect(story.side('BLUE').spec.job?.initialSavepointPath).toBe('s3://late');
  });

  it('brings a blue that was made for an earlier spec in line with the newest', () => {
    const story = first();
    story.look(1);
    // The answer was lost, and so is the child until the caches catch up.
    const made = sideSeen('BLUE', stateful, 'settling', { id: 'uid-1-1' });
    story.edit(image('app:2')).look(1);
    story.now({ sides: { BLUE: made, GREEN: undefined } });
    play(story);
    expect(story.state).toBe('ACTIVE_BLUE');
    expect(story.side('BLUE').spec.image).toBe('app:2');
    expect(story.side('BLUE').ref.uid).toBe(made.ref.uid);
  });

  it('takes up a blue that appears after the job was suspended', () => {
    const story = first();
    story.look(1);
    const made = sideSeen('BLUE', stateful, 'settling', { id: 'uid-1-1' });
    story.edit(suspend).settle();
    expect(story.status.transition).toBeUndefined();
    story.now({ sides: { BLUE: made, GREEN: undefined } });
    play(story);
    expect(story.done().filter((deed) => deed.startsWith('create'))).toEqual([]);
    expect(story.side('BLUE').spec.job?.state).toBe('suspended');
    expect(`${story.state} ${story.jobState}`).toBe('INITIALIZING_BLUE SUSPENDED');
    story.edit(job({ state: 'running' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE RUNNING');
  });

  it('does not take a blue that was suspended by hand for one that is as specified', () => {
    const story = first();
    story.settle();
    const { spec } = story.side('BLUE');
    story.seen('BLUE', { spec: { ...spec, job: { ...spec.job, state: 'suspended' } } }).becomes('BLUE', 'suspended');
    const { because } = story.settle();
    expect(because).toBe('The first deployment: counter-blue is suspended.');
    story.passes(600_000).settle();
    expect(story.jobState).toBe('FAILING');
  });

  it('warns when the state of a FlinkDeployment of the same name would be left behind, and not when it is named', () => {
    const begun = (...edits: Parameters<typeof edited>[1][]) => {
      const story = new Story(viewOf(edited(stateful, ...edits), { namesake: true }));
      story.settle();
      return story.events;
    };
    expect(begun()).toEqual([expect.stringMatching(/^StateNotCarriedOver: .*initialSavepointPath/)]);
    expect(begun(job({ initialSavepointPath: 's3://mine' }))).toEqual([expect.stringMatching(/^TransitionStarted: /)]);
    expect(begun(job({ upgradeMode: 'stateless' }))).toEqual([expect.stringMatching(/^TransitionStarted: /)]);
  });

  it('is the same wherever the operator dies', () => {
    play(first()).forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = first();
        play(story, { crash: { look, action } });
        expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE RUNNING');
        expect(new Set(story.done())).toEqual(new Set(['create counter-blue']));
        expect(story.status.history).toHaveLength(1);
      }
    });
  });
});
