import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { fromMine, suspend } from './example.fixture.ts';
import { starting, suspended } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { image, job, patchable, sideSeen, stateful } from './view.fixture.ts';

/** The operator died between the record of a change and the change. */
const half = (story: Story) => {
  story.look(1);
  expect(story.status.inPlace).toBeDefined();
  return story;
};

const another = (story: Story, color: Color) => {
  const { ref } = story.side(color);
  return story.seen(color, { ref: { ...ref, uid: 'another' } });
};

describe.each(colors)('a change of %s in place', (x) => {
  it('is written down before it is made', () => {
    const story = serving(x, stateful).edit(suspend);
    const { actions } = story.look(1);
    expect(actions.map((action) => action.do)).toEqual(['status', 'patch']);
    expect(story.status.inPlace).toMatchObject({ color: x, uid: story.side(x).ref.uid, how: 'replaced' });
    expect(story.status.lastReconciledSpec).not.toContain('"state":"suspended"');
    story.look();
    expect(story.side(x).spec.job?.state).toBe('suspended');
    story.look();
    expect(story.status.lastReconciledSpec).toContain('"state":"suspended"');
    expect(story.status).not.toHaveProperty('inPlace');
  });

  it('is made once more when the side changed meanwhile', () => {
    const story = half(serving(x, stateful).edit(suspend));
    story.becomes(x, 'failing').settle();
    expect(story.side(x).spec.job?.state).toBe('suspended');
  });

  it('loses no nonce when the side is deleted before it gets it', () => {
    const story = half(suspended(x).edit(fromMine)).gone(x);
    play(story);
    expect(story.status.nonces).toBeUndefined();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    story.edit(job({ state: 'running' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
  });

  it('does not count for another side of the same name, which gets it as well', () => {
    const story = another(half(serving(x, stateful).edit(suspend)), x);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    expect(story.side(x).spec.job?.state).toBe('suspended');
  });

  it('of a target that was deleted is made on the one that is made again', () => {
    const story = half(starting(x).edit(patchable('3')));
    story.gone(story.y);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
    expect(story.side(story.y).spec.flinkConfiguration).toMatchObject({
      'kubernetes.operator.savepoint.history.max.count': '3',
    });
  });

  it('is seen through before an edit that takes it back', () => {
    const story = half(serving(x, stateful).edit(suspend)).edit(job({ state: 'running' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.side(x).spec.job?.state).toBe('running');
  });

  it('touches nothing else that somebody did to the side, where only some of it is patched', () => {
    const story = serving(x, stateful);
    const { spec } = story.side(x);
    story.seen(x, { spec: { ...spec, image: 'by-hand' } }).edit(patchable('3'));
    play(story);
    expect(story.side(x).spec.image).toBe('by-hand');
    expect(story.condition('ChangedByHand')?.message).toContain('by-hand');
  });

  it('says why the API server refuses it, and takes a mended edit up', () => {
    const story = half(serving(x, stateful).edit(suspend));
    const at = story.view.now;
    const id = `patch flink.apache.org/v1beta1 FlinkDeployment shop/counter-${x.toLowerCase()}`;
    const refused = { result: 'refused' as const, at, since: at, of: '', message: 'forbidden by policy' };
    story.now({ outcomes: { [id]: refused } }).look(1);
    expect(story.jobState).toBe('FAILING');
    expect(story.status.error).toContain('forbidden by policy');
    story.edit(job({ state: 'running' })).look(1);
    expect(story.status.error).toBeUndefined();
    expect(story.status).not.toHaveProperty('inPlace');
  });

  it('does not hold up the deletion of what is left of a transition', () => {
    const story = serving(x, stateful).edit(suspend, image('app:2'));
    const stray = sideSeen(story.y, stateful, 'ready');
    story.now({ sides: { ...story.view.sides, [story.y]: stray } });
    play(story);
    expect(story.view.sides[story.y]).toBeUndefined();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
  });
});
