import { describe, expect, it } from 'vitest';
import { outcomeId } from '../../../control/outcome.ts';
import { colors } from '../../resources/blue-green-transition.ts';
import { fromMine, fromNothing, suspend } from './example.fixture.ts';
import { aborted, starting, suspended } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { image, job, patchable, stateful, viewOf } from './view.fixture.ts';

const resume = job({ state: 'running' });
const historyCount = 'kubernetes.operator.savepoint.history.max.count';

/** The newest patch of a side is refused by the API server. */
function refuse(story: Story, message = 'denied by a webhook'): void {
  const patch = story.look(1).actions.find((action) => action.do === 'patch');
  if (!patch) throw new Error('nothing is patched');
  const at = story.view.now;
  story.now({ outcomes: { [outcomeId(patch)]: { result: 'refused', at, since: at, of: '', message } } });
}

describe.each(colors)('an edit that reached %s in place and is taken back before that was seen', (x) => {
  it('of suspended to running: the job runs again', () => {
    const story = serving(x, stateful).edit(suspend);
    story.look();
    expect(story.side(x).spec.job?.state).toBe('suspended');
    play(story.edit(resume));
    expect(story.side(x).spec.job?.state).toBe('running');
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });

  it('of running to suspended: the job is suspended again', () => {
    const story = suspended(x).edit(resume);
    story.look();
    expect(story.side(x).spec.job?.state).toBe('running');
    play(story.edit(suspend));
    expect(story.side(x).spec.job?.state).toBe('suspended');
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });

  it('of what can be patched: that is patched back', () => {
    const story = serving(x, stateful).edit(patchable('3'));
    story.look();
    expect(story.side(x).spec.flinkConfiguration).toHaveProperty([historyCount]);
    play(story.edit(() => stateful));
    expect(story.side(x).spec.flinkConfiguration).not.toHaveProperty([historyCount]);
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });

  it('of what acts on resume: the image is not left on the side', () => {
    const story = suspended(x).edit(image('app:2'), fromNothing);
    story.look();
    expect(story.side(x).spec).toMatchObject({ image: 'app:2', job: { statelessRedeployNonce: 7 } });
    play(story.edit(image('app:1'), job({ statelessRedeployNonce: undefined })));
    expect(story.side(x).spec.image).toBe('app:1');
    play(story.edit(resume));
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.side(x).spec.image).toBe('app:1');
  });

  it('after an abort: x is as it was, and what was given up stays so', () => {
    const story = aborted(x).edit(suspend);
    story.look();
    expect(story.side(x).spec.job?.state).toBe('suspended');
    play(story.edit(resume));
    expect(story.side(x).spec).toMatchObject({ image: 'app:1', job: { state: 'running' } });
    expect(story.status.aborted).toBeDefined();
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('of what can be patched on the target: that is patched back', () => {
    const story = starting(x).edit(patchable('3'));
    story.look();
    expect(story.side(story.y).spec.flinkConfiguration).toHaveProperty([historyCount]);
    story.edit(() => ({ ...stateful, template: { spec: { ...stateful.template?.spec, image: 'app:2' } } })).settle();
    expect(story.side(story.y).spec.flinkConfiguration).not.toHaveProperty([historyCount]);
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
  });
});

describe.each(colors)('a change of %s in place that the API server refuses', (x) => {
  it('is told, and gives way to a fix', () => {
    const story = serving(x, stateful).edit(patchable('4'));
    refuse(story);
    story.look(1);
    expect(story.status.error).toBe(`counter-${x.toLowerCase()} could not be changed: denied by a webhook`);
    expect(story.jobState).toBe('FAILING');
    story.deeds.length = 0;
    story.edit(patchable('3')).settle();
    expect(story.done()).toEqual([`patch counter-${x.toLowerCase()}`]);
    expect(story.side(x).spec.flinkConfiguration).toMatchObject({ [historyCount]: '3' });
    expect(story.status.error).toBeUndefined();
  });

  it('is dropped when the edit is taken back', () => {
    const story = serving(x, stateful).edit(suspend);
    refuse(story);
    story.edit(job({ state: undefined })).settle();
    expect(story.done()).toEqual([]);
    expect(story.side(x).spec.job?.state).not.toBe('suspended');
    expect(story.status.inPlace).toBeUndefined();
    expect(story.status.error).toBeUndefined();
  });

  it('leaves nonces pending', () => {
    const story = suspended(x).edit(fromMine);
    refuse(story);
    expect(story.status.nonces).toBeUndefined();
    story.deeds.length = 0;
    story.edit(image('app:2')).settle();
    expect(story.done()).toEqual([`patch counter-${x.toLowerCase()}`]);
    expect(story.side(x).spec.job).toMatchObject({ savepointRedeployNonce: 7, initialSavepointPath: 's3://mine' });
    expect(story.status.nonces).toEqual({ savepointRedeploy: 7 });
  });
});

describe('an edit of the first deployment that is taken back before it was seen', () => {
  const initializing = (): Story => {
    const story = new Story(viewOf(stateful));
    story.settle();
    story.becomes('BLUE', 'settling').settle();
    return story;
  };

  it('of suspended to running: blue comes up', () => {
    const story = initializing().edit(suspend);
    story.look();
    expect(story.side('BLUE').spec.job?.state).toBe('suspended');
    play(story.edit(resume));
    expect(story.side('BLUE').spec.job?.state).toBe('running');
    expect(`${story.state} ${story.jobState}`).toBe('ACTIVE_BLUE RUNNING');
  });

  it('of another image: blue has the one that is wanted', () => {
    const story = initializing().edit(image('app:2'));
    story.look();
    play(story.edit(image('app:1')));
    expect(story.side('BLUE').spec.image).toBe('app:1');
    expect(story.state).toBe('ACTIVE_BLUE');
  });
});
