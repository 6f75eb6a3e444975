import { describe, expect, it } from 'vitest';
import type { Side } from '../../../portrait/portrait.ts';
import { factLines, sideLines } from './facts.ts';
import { type Line, printed } from './line.ts';

const now = Date.parse('2030-01-01T00:01:00Z');
const text = (lines: readonly Line[]): readonly string[] =>
  lines.map((line) => printed(line, { width: Number.POSITIVE_INFINITY, color: false }));

const blue: Side = {
  name: 'blue',
  role: 'serving',
  phase: 'healthy',
  state: 'STABLE',
  facts: [
    { label: 'serves since', value: '2030-01-01T00:00:30.5Z' },
    { label: 'image', value: 'flink:2.3' },
    { label: 'parallelism', value: '2' },
  ],
};
const green: Side = { ...blue, name: 'green', role: 'next', phase: 'progressing', state: 'CREATED', facts: [] };

describe('facts about sides', () => {
  it('are on one line where there is room', () => {
    expect(text(sideLines([blue, green], { now, width: Number.POSITIVE_INFINITY }))).toEqual([
      'SIDE   ROLE     STATUS     FACTS',
      'blue   serving  ✔ STABLE   serves since 29s ago · image flink:2.3 · parallelism 2',
      'green  next     ◌ CREATED',
    ]);
  });

  it('are below each other in their column where there is less', () => {
    expect(text(sideLines([blue, green], { now, width: 70 }))).toEqual([
      'SIDE   ROLE     STATUS     FACTS',
      'blue   serving  ✔ STABLE   serves since 29s ago · image flink:2.3',
      '                           parallelism 2',
      'green  next     ◌ CREATED',
    ]);
  });

  it('stay on one line where there is hardly any room for them', () => {
    expect(text(sideLines([blue], { now, width: 40 }))).toHaveLength(2);
  });
});

it('tells how long ago something was, not when', () => {
  const facts = [
    { label: 'running since', value: '2030-01-01T00:00:00Z' },
    { label: 'started from', value: 's3://2030-01-01T00:00:00Z' },
  ];
  expect(text(factLines(facts, now))).toEqual(['running since  60s ago', 'started from   s3://2030-01-01T00:00:00Z']);
});
