import { describe, expect, it } from 'vitest';
import { colors } from '../../resources/blue-green-transition.ts';
import { activeExamples } from './active-examples.fixture.ts';
import { initializingExamples } from './initializing-examples.fixture.ts';
import { savepointingExamples } from './savepointing-examples.fixture.ts';
import type { Story } from './story.fixture.ts';
import { table } from './table.ts';
import { transitioningExamples } from './transitioning-examples.fixture.ts';

const examples = { ...initializingExamples, ...activeExamples, ...savepointingExamples, ...transitioningExamples };

const placed = (text: string, { x, y }: Story) => text.replaceAll('_x', `_${x}`).replaceAll('_y', `_${y}`);

function deedsOf(story: Story): readonly string[] {
  const sides = story.done().map((deed) => {
    const [verb, side] = deed.split(' ');
    return `${verb} ${side === `counter-${story.x.toLowerCase()}` ? 'x' : 'y'}`;
  });
  const savepoints = story.done('FlinkStateSnapshot').map((deed) => `${deed.split(' ')[0]} savepoint`);
  return [...sides, ...savepoints, ...story.done('Ingress').map((deed) => `${deed.split(' ')[0]} Ingress`)];
}

describe('the table of states and changes', () => {
  it('has an example for every row, and none for rows that are not in it', () => {
    expect(Object.keys(examples)).toEqual(table.map(({ id }) => id));
  });

  it('has no two rows of the same name', () => {
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
  });

  for (const [id, list] of Object.entries(examples)) {
    const initializing = table.find((row) => row.id === id)?.in === 'initializing';
    for (const { when, given, leads, does = [], says = [], check } of list) {
      it.each(initializing ? (['BLUE'] as const) : colors)(`${when}, x %s`, (x) => {
        const story = given(x);
        expect(story.rows[0]).toBe(id);
        story.deeds.length = 0;
        story.events.length = 0;
        story.look();
        expect(`${story.state} ${story.jobState}`).toBe(placed(leads, story));
        expect(deedsOf(story)).toEqual(does);
        const conditions = (story.status.conditions ?? []).map(
          ({ type, status, reason }) => `${type}=${status} ${reason}`,
        );
        expect(conditions).toEqual(expect.arrayContaining([...says]));
        check?.(story);
      });
    }
  }
});
