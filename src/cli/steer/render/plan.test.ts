import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../portrait/plan.ts';
import { printed } from './line.ts';
import { flinkPage, now } from './pages.fixture.ts';
import { planLines } from './plan.ts';

const plan: Plan = {
  subject: flinkPage.portrait.subject,
  risk: 'restart',
  line: 'takes a savepoint of blue, then starts green; blue serves until then',
  changes: [
    { path: 'spec.template.spec.image', from: 'flink:1.20.3', to: 'flink:1.20.4', demands: 'upgrade' },
    { path: 'spec.template.spec.job.args', to: '--fast', demands: 'upgrade' },
    { path: 'spec.configuration.a', from: 'b', demands: 'none' },
  ],
  steps: [
    { symbol: '·', what: 'Take a savepoint of blue', usuallyMs: 3400 },
    { symbol: '+', what: 'Create green', detail: 'from the savepoint' },
    { symbol: '→', what: 'Move traffic to green' },
    { symbol: '-', what: 'Delete blue' },
  ],
  restarts: [
    { kind: 'Deployment', name: 'orders-blue', pods: ['orders-blue-1', 'orders-blue-2'], because: 'green replaces it' },
  ],
  state: { outcome: 'kept', sentence: 'green starts from a savepoint.' },
  availability: { serves: 'throughout', sentence: 'blue serves until green is ready.' },
  traffic: 'orders leads to green when it is ready.',
  extra: '2 CPU and 4 GiB while both run.',
  undo: { possible: true, sentence: 'apply the old image again.' },
  estimate: { ms: 80_000, basis: 'the last 3 took that long' },
  warnings: ['the image tag is not fixed'],
  problems: [],
};

function shown(given: Plan): readonly string[] {
  const lines = planLines(given, { width: Number.POSITIVE_INFINITY, now, program: 'cutover' });
  return lines.map((line) => printed(line, { width: Number.POSITIVE_INFINITY, color: false }));
}

describe('a plan', () => {
  it('tells what changes, what is done, who restarts, and what that means', () => {
    expect(shown(plan)).toEqual([
      'FlinkBlueGreenDeployment streaming/orders: restarts, and serves all the while',
      'In short:     takes a savepoint of blue, then starts green; blue serves until then',
      '',
      'Changes:',
      '  ~ spec.template.spec.image     upgrade  flink:1.20.3 → flink:1.20.4',
      '  + spec.template.spec.job.args  upgrade  --fast',
      '  - spec.configuration.a         none     b → (none)',
      '',
      'Steps:',
      '  ·  Take a savepoint of blue  usually 3.4s',
      '  +  Create green                            from the savepoint',
      '  →  Move traffic to green',
      '  -  Delete blue',
      '',
      'Restarts:',
      '  ↻ Deployment orders-blue: orders-blue-1, orders-blue-2; green replaces it',
      '',
      'State:        kept: green starts from a savepoint.',
      'Availability: throughout: blue serves until green is ready.',
      'Traffic:      orders leads to green when it is ready.',
      'Extra:        2 CPU and 4 GiB while both run.',
      'Undo:         possible: apply the old image again.',
      'Takes:        about 1m20s (the last 3 took that long)',
      'Warning:      the image tag is not fixed',
    ]);
  });

  it('says only why, when it is refused', () => {
    const problems = [
      { field: 'spec.job.parallelism', rule: 'parallelism', message: 'spec.job.parallelism: 0 is no number of tasks' },
    ];
    expect(shown({ ...plan, problems })).toEqual([
      'FlinkBlueGreenDeployment streaming/orders: refused',
      '              spec.job.parallelism: 0 is no number of tasks',
    ]);
  });

  it('says what a disruption is', () => {
    const disruption = (outcome: 'kept' | 'dropped', serves: 'throughout' | 'interrupted'): string | undefined =>
      shown({
        ...plan,
        risk: 'disruption',
        state: { outcome, sentence: '' },
        availability: { serves, sentence: '' },
      })[0];
    expect(disruption('dropped', 'interrupted')).toContain('does not serve for a while, and drops state');
    expect(disruption('dropped', 'throughout')).toMatch(/: drops state$/);
    expect(disruption('kept', 'interrupted')).toMatch(/: does not serve for a while$/);
  });

  it('is two lines when nothing changes', () => {
    expect(shown({ ...plan, risk: 'none', line: 'nothing differs', changes: [], warnings: [] })).toEqual([
      'FlinkBlueGreenDeployment streaming/orders: nothing changes',
      'In short:     nothing differs',
    ]);
  });
});
