import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { annotations } from './annotations.ts';
import { follow } from './follow.fixture.ts';
import { draining, retiring, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import type { Story } from './story.fixture.ts';
import { configured, edited, image, ingressed, job, patchable, stateful } from './view.fixture.ts';

const routed = edited(stateful, ingressed('{{name}}.example.com'));
const leadsTo = (story: Story): Color | undefined =>
  colors.find((color) => story.view.ingress?.backends.includes(`counter-${color.toLowerCase()}-rest`));

/** y is ready and it is written that traffic moves, but the operator died before it led the Ingress there. */
function switching(x: Color): Story {
  const story = starting(x, routed);
  story.becomes(story.y, 'ready').look(1);
  expect([story.phase, leadsTo(story)]).toEqual(['switching', x]);
  return story;
}

describe.each(colors)('traffic that moves from %s', (x) => {
  it('stays where it is when the target is not ready any more by then', () => {
    const story = switching(x);
    story.becomes(story.y, 'failing').settle();
    expect([story.phase, story.status.serving?.color, leadsTo(story)]).toEqual(['starting', x, x]);
    story.becomes(story.y, 'ready');
    play(story);
    expect([story.state, leadsTo(story)]).toEqual([`ACTIVE_${story.y}`, story.y]);
  });

  it('stays there too when the target is patched in place by then', () => {
    const story = switching(x);
    story.becomes(story.y, 'failing').edit(patchable('5')).look();
    expect(leadsTo(story)).toBe(x);
    story.settle();
    expect([story.phase, leadsTo(story)]).toEqual(['starting', x]);
  });

  it('carries the id of its move on the Ingress, and keeps it afterwards', () => {
    const story = draining(x, routed);
    const { moveId } = story.status.transition ?? {};
    expect(moveId).toBeDefined();
    expect(story.view.ingress?.move).toBe(moveId);
    play(story);
    story.deeds.length = 0;
    story.settle();
    expect(story.view.ingress?.move).toBe(moveId);
    expect(story.deeds.every((deed) => deed.do === 'apply')).toBe(true);
  });

  it('does not return by what a cache still shows: the Ingress must have been led back by this move', () => {
    const story = switching(x);
    const old = story.view.ingress;
    story.look();
    expect(leadsTo(story)).toBe(story.y);
    const real = story.view;
    // The next process sees the Ingress as it was, and an edit.
    story.now({ ingress: old }).edit(image('app:3'));
    const decision = story.look(1);
    expect(story.phase).toBe('returning');
    const apply = decision.actions.find((action) => action.do === 'apply');
    expect(apply).toMatchObject({ resourceVersion: old?.ref.resourceVersion });
    expect(decision.actions.some((action) => action.do === 'delete')).toBe(false);
    expect(follow(real, { actions: apply ? [apply] : [], because: 'late' }).conflict).toBe(apply);
  });

  it('returns for good: a request to lead the Ingress to the target that arrives late is refused', () => {
    const story = switching(x);
    const [late] = story.look(0).actions.filter((action) => action.do === 'apply');
    story.becomes(story.y, 'failing').settle();
    expect([story.phase, leadsTo(story)]).toEqual(['starting', x]);
    expect(follow(story.view, { actions: late ? [late] : [], because: 'late' }).conflict).toBe(late);
  });

  it('returns to a side that is marked anew each time', () => {
    const marks = new Set<string | undefined>();
    const story = retiring(x, routed);
    for (const _ of [1, 2]) {
      story.becomes(story.y, 'failed').settle();
      expect(leadsTo(story)).toBe(x);
      marks.add(story.side(x).annotations[annotations.kept]);
      story.becomes(story.y, 'ready').settle();
      story.passes(5_000).look(1);
      expect(story.phase).toBe('retiring');
    }
    expect(marks.size).toBe(2);
  });

  it('returns before something else of the target’s name is deleted', () => {
    const story = draining(x, routed);
    const { ref } = story.side(story.y);
    story.seen(story.y, { ref: { ...ref, uid: 'another', resourceVersion: '900' } }).look();
    expect([story.phase, leadsTo(story), story.side(story.y).terminating]).toEqual(['returning', x, false]);
    story.settle();
    expect([leadsTo(story), story.side(story.y).terminating]).toEqual([x, true]);
  });

  it('is left where it is until the old side is known to stay', () => {
    const story = retiring(x, routed);
    story.becomes(story.y, 'failed');
    expect(story.look().actions.map((action) => action.do)).not.toContain('apply');
  });
});

describe.each(colors)('a transition that waits for a person although traffic has moved from %s', (x) => {
  it('goes on when the template is edited', () => {
    const story = starting(x, edited(routed, configured({ promotion: 'manual' })));
    story.becomes(x, 'lost').becomes(story.y, 'ready').settle();
    expect([story.phase, story.condition('Reconciling')?.reason]).toEqual(['draining', 'AwaitsPromotion']);
    story.edit(job({ statelessRedeployNonce: 1 }));
    play(story);
    expect(story.status.nonces?.statelessRedeploy).toBe(1);
  });
});

describe.each(colors)('a target that was deleted by hand when its time was over', (x) => {
  it('is given up: there is no clock in the past', () => {
    const story = starting(x).passes(600_000);
    const { wakeAt } = story.gone(story.y).settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.status.aborted?.color).toBe(story.y);
    expect(wakeAt).toBeUndefined();
  });
});
