import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { draining, keeping, savepointing, starting } from './moments.fixture.ts';
import { configured, edited, stateful } from './view.fixture.ts';

const [minute, hour] = [60_000, 3_600_000];
const grace = configured({ 'abort.grace-period': '10 min' });

describe.each(colors)('after the clock was set back by an hour, from %s', (x) => {
  it('a side gets its grace period once more, and not an hour more', () => {
    const story = starting(x, edited(stateful, grace));
    story.passes(5 * minute).settle();
    story.passes(-hour).settle();
    story.passes(9 * minute).settle();
    expect(story.state).toBe(`TRANSITIONING_TO_${story.y}`);
    story.passes(minute).settle();
    expect([story.state, story.status.aborted?.color]).toEqual([`ACTIVE_${x}`, story.y]);
  });

  it('the old side goes when the deletion delay has passed once more', () => {
    const story = draining(x);
    story.passes(-hour).settle();
    expect(story.phase).toBe('draining');
    story.passes(5_000).settle();
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('the rollback window is open once more', () => {
    const story = keeping(x);
    story.passes(30 * minute).settle();
    story.passes(-hour).settle();
    story.passes(59 * minute).settle();
    expect(story.phase).toBe('keeping');
    story.passes(minute).settle();
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('a savepoint that hangs is given up when its time has passed once more', () => {
    const story = savepointing(x);
    story.passes(-hour).settle();
    story.passes(12 * minute).settle();
    expect(story.status.transition?.savepointFailures).toBe(1);
  });
});

it('a grace period that is made shorter holds from then on', () => {
  const story = starting('BLUE', edited(stateful, grace));
  story.edit(configured({ 'abort.grace-period': '1 min' })).settle();
  story.passes(minute).settle();
  expect(story.state).toBe('ACTIVE_BLUE');
});
