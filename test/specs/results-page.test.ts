import { expect, it } from 'vitest';
import type { Report } from './fuzz-kind.ts';
import { resultsPage } from './results-page.ts';

const operation = { class: 'set', about: 'spec.on', name: 'spec.on := true', spec: { on: true }, live: true } as const;
const report: Report = {
  kind: 'Lamp',
  properties: ['spec.on', 'spec.off'],
  untouched: ['spec.off'],
  lanesLost: 0,
  findings: [
    { kind: 'Lamp', operation, outcome: { is: 'realised' }, problems: [], declared: ['It is dark.'], state: '' },
    { kind: 'Lamp', operation, outcome: { is: 'told', words: 'dark' }, problems: [], state: '' },
  ],
};
const form = { name: 'short', lanes: 1, most: 1, chains: 0, isWanted: () => true } as const;

it('counts what became of each kind and class, and leaves the rest of the page alone', () => {
  const page = 'before\n<!-- results: toy -->\noutdated\n<!-- end: toy -->\nafter';
  const fresh = resultsPage(page, 'toy', form, [report]);
  expect(fresh).toMatch(/^before\n<!-- results: toy -->\n\nThe short form:/);
  expect(fresh).toMatch(/<!-- end: toy -->\nafter$/);
  expect(fresh).not.toContain('outdated');
  expect(fresh).toContain('| Lamp | 2 | 1 | 2 | 1 | 0 | 0 | 1 | 0 | 0 |');
  expect(fresh).toContain('| set | 2 | 1 | 0 | 0 | 1 | 0 | 0 |');
  expect(fresh).toContain('- Lamp: It is dark. (1)');
  expect(resultsPage(fresh, 'toy', form, [report])).toBe(fresh);
  expect(() => resultsPage('', 'toy', form, [])).toThrow('no place for the results of toy');
});
