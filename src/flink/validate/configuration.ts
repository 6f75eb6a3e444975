import { isOperatorKey } from '../config/effective-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { highAvailability } from '../config/high-availability.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { type AnyOption, read } from '../config/option.ts';
import { configFile } from '../manifests/config-file.ts';
import type { Rule } from './rule.ts';
import { fieldOfKey, settingOf, shownSetting } from './setting.ts';
import type { Configured, DeploymentSubject } from './subject.ts';

/** Keys whose value follows from the resource itself. */
const forbidden: Readonly<Record<string, string>> = {
  'kubernetes.namespace': 'a cluster runs in the namespace of its FlinkDeployment',
  'kubernetes.cluster-id': 'a cluster is named like its FlinkDeployment',
  'high-availability.cluster-id': 'a cluster is named like its FlinkDeployment',
};

const { rollbackEnabled, healthCheck, recoveryEnabled } = operatorOptions;

export const configurationRules: readonly Rule<Configured>[] = [
  {
    rule: 'forbidden-configuration',
    field: 'spec.flinkConfiguration',
    says: `Keys whose values follow from the resource are not written: ${Object.keys(forbidden).join(', ')}.`,
    check: ({ written }) =>
      Object.entries(forbidden).flatMap(([key, why]) => {
        const text = written.get(key);
        if (text === undefined) return [];
        const message = `Forbidden Flink config key: ${key}. ${shownSetting({ key, text })} in spec.flinkConfiguration; remove it, for ${why}.`;
        return [{ field: fieldOfKey(key), message }];
      }),
  },
  {
    rule: 'rollback-needs-ha',
    field: fieldOfKey(rollbackEnabled.key),
    says: 'Rollback needs high availability: without it there is no state to go back with.',
    check: ({ config }) =>
      read(config, rollbackEnabled) && highAvailability(config) === 'none'
        ? `HA must be enabled for rollback support. ${rollbackEnabled.key} is true, and high-availability.type is not set: write "high-availability.type: kubernetes" and a high-availability.storageDir in spec.flinkConfiguration, or disable rollback there.`
        : undefined,
  },
  {
    rule: 'health-check-needs-recovery',
    field: fieldOfKey(healthCheck.key),
    says: 'The health check needs the recovery of JobManagers: it restarts clusters by it.',
    check: ({ config }) =>
      read(config, healthCheck) && !read(config, recoveryEnabled)
        ? `Deployment recovery (${recoveryEnabled.key}) must be enabled for job health check (${healthCheck.key}) support. The former is false and the latter true: remove one of them from spec.flinkConfiguration.`
        : undefined,
  },
];

const readable: readonly AnyOption[] = [...Object.values(flinkOptions), ...Object.values(operatorOptions)].filter(
  ({ scope }) => scope === 'resource',
);

/** What the upstream lets through, and Flink or the operator then stumbles over. */
export const settingRules: readonly Rule<Configured>[] = [
  {
    rule: 'configuration-value',
    field: 'spec.flinkConfiguration',
    says: 'Values of options that decide how a cluster is made and looked after are what the option holds.',
    check: ({ written }) =>
      readable.flatMap((option) => {
        const setting = settingOf(written, option);
        if (!setting || option.kind.parse(setting.text) !== undefined) return [];
        const message = `Could not parse value for key '${setting.key}': ${shownSetting(setting)}, and that is not ${option.kind.name}. Write for example "${option.kind.example}" in spec.flinkConfiguration.`;
        return [{ field: fieldOfKey(setting.key), message }];
      }),
  },
  {
    rule: 'task-slots',
    field: fieldOfKey(flinkOptions.taskSlots.key),
    says: 'A TaskManager has at least one slot.',
    check({ written }) {
      const slots = settingOf(written, flinkOptions.taskSlots);
      return slots && read(written, flinkOptions.taskSlots) < 1
        ? `A TaskManager needs a slot: ${shownSetting(slots)}. Write 1 or more in spec.flinkConfiguration.`
        : undefined;
    },
  },
];

/** What can be said one by one and not together. */
export const configFileRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'configuration-file',
    field: 'spec.flinkConfiguration',
    says: 'The configuration can be written into the file that this version of Flink reads.',
    check({ config, spec: { flinkVersion } }) {
      const forFlink = new Map([...config].filter(([key]) => !isOperatorKey(key)));
      const file = configFile(forFlink, flinkVersion, []);
      return 'problem' in file ? `spec.${file.problem}.` : undefined;
    },
  },
];
