import { showDuration } from '../config/duration.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { type Option, read } from '../config/option.ts';
import { boolean, decimal, duration, list, type ValueKind } from '../config/value-kind.ts';
import { excludedPeriodFault } from './excluded-period.ts';
import { type Rule, shown } from './rule.ts';
import { fieldOfKey, settingOf, shownSetting } from './setting.ts';
import type { Configured } from './subject.ts';

const minute = 60_000;

/** The options of the autoscaler that must fit together. */
const options = {
  enabled: scaler(boolean, false, 'enabled'),
  scaleDown: scaler(decimal, 0.6, 'scale-down.max-factor'),
  scaleUp: scaler(decimal, 100_000, 'scale-up.max-factor'),
  target: scaler(decimal, 0.7, 'utilization.target', 'target.utilization'),
  boundary: scaler(decimal, 0.3, 'target.utilization.boundary'),
  max: scaler(decimal, 1, 'utilization.max'),
  min: scaler(decimal, 0, 'utilization.min'),
  gcPressure: scaler(decimal, 1, 'memory.gc-pressure.threshold'),
  heapUsage: scaler(decimal, 1, 'memory.heap-usage.threshold'),
  scalability: scaler(boolean, false, 'observed-scalability.enabled'),
  coefficient: scaler(decimal, 0.5, 'observed-scalability.coefficient-min'),
  effectiveness: scaler(boolean, false, 'scaling.effectiveness.detection.enabled'),
  effect: scaler(decimal, 0.1, 'scaling.effectiveness.threshold'),
  tuning: scaler(boolean, false, 'memory.tuning.enabled'),
  overhead: scaler(decimal, 0.2, 'memory.tuning.overhead'),
  excluded: scaler(list, [], 'excluded.periods'),
  window: scaler(duration, 15 * minute, 'metrics.window'),
};

/** Each option with the range of its value; some count only when something else is on. */
const ranges: readonly {
  readonly option: Option<number>;
  readonly from: (config: Configured['config']) => number;
  readonly to?: (config: Configured['config']) => number;
  readonly when?: Option<boolean>;
}[] = [
  { option: options.scaleDown, from: () => 0 },
  { option: options.scaleUp, from: () => 0 },
  { option: options.target, from: () => 0, to: () => 1 },
  { option: options.boundary, from: () => 0 },
  { option: options.max, from: (config) => read(config, options.target), to: () => 1 },
  { option: options.min, from: () => 0, to: (config) => read(config, options.target) },
  { option: options.gcPressure, from: () => 0, to: () => 1 },
  { option: options.heapUsage, from: () => 0, to: () => 1 },
  { option: options.coefficient, from: () => 0.01, to: () => 1, when: options.scalability },
  { option: options.effect, from: () => 0, to: () => 1, when: options.effectiveness },
  { option: options.overhead, from: () => 0, to: () => 1, when: options.tuning },
];

export const autoscalerRules: readonly Rule<Configured>[] = [
  {
    rule: 'autoscaler-range',
    field: 'spec.flinkConfiguration',
    says: `Numbers of the autoscaler are in their ranges: ${ranges.map(({ option: { key } }) => key).join(', ')}.`,
    check: whenEnabled(({ config }) =>
      ranges.flatMap(({ option, from, to, when }) => {
        const setting = settingOf(config, option);
        if (!setting || (when && !read(config, when))) return [];
        const value = decimal.parse(setting.text);
        const [least, most] = [from(config), to?.(config)];
        if (value !== undefined && value >= least && value <= (most ?? value)) return [];
        const range = `[${shownNumber(least)}, ${most === undefined ? '∞' : shownNumber(most)}]`;
        const message = `The AutoScalerOption ${option.key} is invalid, it should be a value within the range ${range}. ${shownSetting(setting)} in spec.flinkConfiguration; write a number of that range.`;
        return [{ field: fieldOfKey(setting.key), message }];
      }),
    ),
  },
  {
    rule: 'autoscaler-excluded-periods',
    field: fieldOfKey(options.excluded.key),
    says: 'Periods in which the autoscaler rests are times of day or cron expressions.',
    check: whenEnabled(({ config }) =>
      read(config, options.excluded).flatMap((period) => {
        const fault = excludedPeriodFault(period);
        if (fault === undefined) return [];
        return `The AutoScalerOption ${options.excluded.key} is invalid: ${shown(period)} is no period, ${fault}. Write for example "9:30-10:30" or "* * 9-11 ? * MON-FRI" in spec.flinkConfiguration, several joined by ";".`;
      }),
    ),
  },
  {
    rule: 'autoscaler-window',
    field: fieldOfKey(options.window.key),
    says: 'The window of the autoscaler is not shorter than the interval at which jobs are looked at.',
    check: whenEnabled(({ config }) => {
      const setting = settingOf(config, options.window);
      const value = duration.parse(setting?.text ?? showDuration(options.window.otherwise));
      const interval = read(config, operatorOptions.reconcileInterval);
      if (setting && value === undefined) {
        return `The AutoScalerOption ${options.window.key} is invalid: ${shownSetting(setting)}, which is no duration. Write for example "15 min" in spec.flinkConfiguration.`;
      }
      if (value === undefined || value >= interval) return undefined;
      return `The AutoScalerOption ${options.window.key} is invalid, it should not be smaller than ${operatorOptions.reconcileInterval.key}: ${showDuration(value)} against ${showDuration(interval)}. Write at least ${showDuration(interval)} in spec.flinkConfiguration.`;
    }),
  },
];

function whenEnabled(check: Rule<Configured>['check']): Rule<Configured>['check'] {
  return (subject) => (read(subject.config, options.enabled) ? check(subject) : undefined);
}

/** Under its name, its former names, and each of them under the operator's prefix, as older versions had it. */
function scaler<T>(kind: ValueKind<T>, otherwise: T, name: string, ...former: readonly string[]): Option<T> {
  const [key = '', ...otherKeys] = [name, ...former].flatMap((one) => [
    `job.autoscaler.${one}`,
    `kubernetes.operator.job.autoscaler.${one}`,
  ]);
  return { key, otherKeys, kind, otherwise, scope: 'resource', says: '' };
}

function shownNumber(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
