import { describe, expect, it } from 'vitest';
import { validateDeployment } from './deployment.ts';
import { deployment, edited, operator } from './example.fixture.ts';

function judge(settings: Readonly<Record<string, string>>, enabled = 'true'): readonly string[] {
  const flinkConfiguration = {
    'job.autoscaler.enabled': enabled,
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`job.autoscaler.${key}`, value])),
  };
  const problems = validateDeployment(edited(deployment, { 'spec.flinkConfiguration': flinkConfiguration }), {
    operator,
  });
  return problems.map(({ message }) => /\[[^,\]]+, [^\]]+\]/.exec(message)?.[0] ?? message);
}

describe('numbers of the autoscaler', () => {
  it.each([
    ['scale-down.max-factor', '-0.1', '[0.0, ∞]'],
    ['scale-up.max-factor', '-1', '[0.0, ∞]'],
    ['utilization.target', '1.01', '[0.0, 1.0]'],
    ['target.utilization.boundary', '-0.1', '[0.0, ∞]'],
    ['utilization.max', '1.1', '[0.7, 1.0]'],
    ['utilization.min', '0.71', '[0.0, 0.7]'],
    ['memory.gc-pressure.threshold', '2', '[0.0, 1.0]'],
    ['memory.heap-usage.threshold', 'much', '[0.0, 1.0]'],
  ])('%s is not %s', (key, value, range) => {
    expect(judge({ [key]: value })).toEqual([range]);
    expect(judge({ [key]: value }, 'false')).toEqual([]);
  });

  it.each([
    ['observed-scalability.enabled', 'observed-scalability.coefficient-min', '0', '[0.01, 1.0]'],
    ['scaling.effectiveness.detection.enabled', 'scaling.effectiveness.threshold', '1.5', '[0.0, 1.0]'],
    ['memory.tuning.enabled', 'memory.tuning.overhead', '-1', '[0.0, 1.0]'],
  ])('of %s count only when it is on', (feature, key, value, range) => {
    expect(judge({ [key]: value })).toEqual([]);
    expect(judge({ [key]: value, [feature]: 'true' })).toEqual([range]);
  });

  it('may be written under their old names', () => {
    const old = {
      'kubernetes.operator.job.autoscaler.enabled': 'true',
      'kubernetes.operator.job.autoscaler.utilization.target': '3',
    };
    const problems = validateDeployment(edited(deployment, { 'spec.flinkConfiguration': old }), { operator });
    expect(problems.map(({ field }) => field)).toEqual([
      'spec.flinkConfiguration[kubernetes.operator.job.autoscaler.utilization.target]',
    ]);
  });
});

describe('periods in which the autoscaler rests', () => {
  it.each(['9:30-10:30', '09:30 - 10:30', '* * 9-11 ? * MON-FRI', '0:00-23:59 && * * * ? * 2-6'])(
    'may be %s',
    (period) => {
      expect(judge({ 'excluded.periods': period })).toEqual([]);
    },
  );

  it.each([
    ['9:30-9:30', 'ends before it begins'],
    ['24:00-25:00', 'not two times of day'],
    ['1:00-2:00 && 3:00-4:00 && 5:00-6:00', 'joins more than'],
    ['weekends', '6 or 7 fields'],
  ])('may not be %s', (period, why) => {
    expect(judge({ 'excluded.periods': period })).toEqual([expect.stringContaining(why)]);
  });
});
