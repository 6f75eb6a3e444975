import { describe, expect, it } from 'vitest';
import type { Summary } from '../../portrait/summary.ts';
import { byNeed } from './order.ts';
import { summaryOf } from './summary.fixture.ts';

const named = (name: string, given: Partial<Summary> = {}): Summary => summaryOf(given, { name });

describe('the order of the fleet', () => {
  it('begins with who needs a person, then goes by phase, then by name', () => {
    const sorted = [
      named('b'),
      named('a'),
      named('rolling', { phase: 'progressing', inTransition: true }),
      named('dead', { phase: 'failed' }),
      named('held', { phase: 'waiting', needsYou: 'promote it' }),
      named('dead-and-asked', { phase: 'failed', needsYou: 'fix the image' }),
    ].sort(byNeed);
    expect(sorted.map((one) => one.subject.name)).toEqual(['dead-and-asked', 'held', 'dead', 'rolling', 'a', 'b']);
  });

  it('puts a phase that it does not know at the end', () => {
    const odd = { ...named('a'), phase: 'dancing' } as unknown as Summary;
    expect([odd, named('b')].sort(byNeed).map((one) => one.subject.name)).toEqual(['b', 'a']);
  });

  it('goes by what people call it', () => {
    const app = summaryOf({}, { name: '0000', title: 'zebra' });
    expect([app, named('apple')].sort(byNeed)[0]?.subject.name).toBe('apple');
  });
});
