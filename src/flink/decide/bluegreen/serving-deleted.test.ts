import { describe, expect, it } from 'vitest';
import { actionDigest } from '../../../control/outcome.ts';
import { colors } from '../../resources/blue-green-transition.ts';
import { suspend } from './example.fixture.ts';
import { startingEmpty } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { serving } from './story.fixture.ts';
import { image, job, sideSeen, stateful, stateless } from './view.fixture.ts';

describe.each(colors)('%s, deleted by hand while it served', (x) => {
  const name = `counter-${x.toLowerCase()}`;

  it('is made again under one id, however often that is asked for', () => {
    const story = serving(x, stateless).gone(x);
    story.look(1);
    const { attempt } = story.status;
    const written = story.view.resource;
    story.look(0);
    expect(story.look(0).actions.map((action) => action.do)).toEqual(['create']);
    expect(story.view.resource).toBe(written);
    expect(story.status.attempt).toBe(attempt);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.side(x).id).toBe(`uid-1-${attempt}`);
    expect(story.events.filter((event) => event.startsWith('ServingDeleted'))).toHaveLength(0);
  });

  it('says so when the API server refuses it, and writes nothing more', () => {
    const story = serving(x, stateless).gone(x);
    const create = story.look(1).actions.find((action) => action.do === 'create');
    if (!create) throw new Error('nothing is made');
    const at = story.view.now;
    const refused = { result: 'refused' as const, at, since: at, of: actionDigest(create), message: 'no quota' };
    story.now({ outcomes: { [`create flink.apache.org/v1beta1 FlinkDeployment shop/${name}`]: refused } }).look(1);
    expect(story.jobState).toBe('FAILING');
    expect(story.status.error).toContain('no quota');
    const written = story.view.resource;
    story.look(0);
    expect(story.view.resource).toBe(written);
  });

  it('is not taken for gone while it is being deleted, and not made before it is', () => {
    const story = serving(x, stateless).seen(x, { terminating: true, terminatingSince: 0 });
    story.settle();
    expect(story.done()).toEqual([]);
    expect(story.condition('Reconciling')?.reason).toBe('SideLeaving');
    play(story);
    expect(story.done()).toEqual([`create ${name}`]);
  });

  it('is served again by whoever puts it back, with its state', () => {
    const story = serving(x, stateful).gone(x);
    story.settle();
    expect(story.jobState).toBe('FAILING');
    const restored = sideSeen(x, stateful, 'ready', { id: undefined });
    story.now({ sides: { ...story.view.sides, [x]: { ...restored, ref: { ...restored.ref, uid: 'put-back' } } } });
    story.settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
    expect(story.status.serving?.uid).toBe('put-back');
  });

  it('is made again as it was, not as what was given up', () => {
    const story = startingEmpty(x).passes(600_000);
    story.settle();
    expect(story.status.aborted).toBeDefined();
    story.gone(x);
    story.settle();
    expect(story.side(x).spec.image).toBe('app:1');
  });

  it('is made again on resume, when it is stateless', () => {
    const story = serving(x, stateless).gone(x).edit(suspend);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} SUSPENDED`);
    expect(story.done()).toEqual([]);
    story.edit(job({ state: 'running' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
  });

  it('leaves a stateful edit pending, and a stateless one goes to the other side', () => {
    const story = serving(x, stateful).gone(x).edit(image('app:2'));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.done()).toEqual([]);
    story.edit(job({ upgradeMode: 'stateless' }));
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });
});
