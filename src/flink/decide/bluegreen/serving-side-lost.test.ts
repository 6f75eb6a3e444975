import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { startingEmpty } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import type { Story } from './story.fixture.ts';
import { configured, ingressed } from './view.fixture.ts';

const service = (color: string) => `counter-${color.toLowerCase()}-rest`;

describe.each(colors)('while the promotion waits and %s is lost', (x) => {
  const routed = ingressed('{{name}}.example.com');
  const waiting = (settings: Readonly<Record<string, string>>): Story => {
    const story = startingEmpty(x, configured(settings), routed);
    story.becomes(story.y, 'ready').settle();
    expect(story.phase).toBe('verifying');
    expect(story.view.ingress?.backends).toEqual([service(x)]);
    return story;
  };

  it('for a person: traffic goes to the side that serves, and x stays until a person promotes', () => {
    const story = waiting({ promotion: 'manual' }).becomes(x, 'failed');
    story.settle();
    expect(story.view.ingress?.backends).toEqual([service(story.y)]);
    expect(story.condition('Reconciling')).toMatchObject({ reason: 'AwaitsPromotion' });
    play(story.passes(3_600_000));
    expect(story.side(x).terminating).toBe(false);
    story.annotate({ 'cutover.dev/promote': story.status.transition?.id ?? '' });
    play(story);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.view.sides[x]).toBeUndefined();
  });

  it('for a person, and is gone altogether: y serves', () => {
    const story = waiting({ promotion: 'manual' }).gone(x);
    story.settle();
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.view.ingress?.backends).toEqual([service(story.y)]);
  });

  it('for a while: traffic does not wait for its end', () => {
    const story = waiting({ 'promotion.hold': '1 h', 'deployment-deletion.delay': '5 s' }).becomes(x, 'failed');
    story.settle();
    expect(story.view.ingress?.backends).toEqual([service(story.y)]);
  });
});
