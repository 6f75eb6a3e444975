import { type FlinkConfig, flatConfig } from './flink-config.ts';
import { atLeast, rank } from './flink-version.ts';
import type { OperatorConfig } from './operator-config.ts';
import { isOnlyForOperator } from './operator-options.ts';

/** Where a cluster runs and what runs in it: this decides which of the operator's defaults are its own. */
export interface Place {
  readonly namespace: string;
  readonly flinkVersion?: string | undefined;
}

const defaults = 'kubernetes.operator.default-configuration.';

/**
 * What is in force for a resource. Later layers win:
 *
 * 1. the operator's own settings
 * 2. its defaults for the namespace
 * 3. its defaults for versions from some version on (`v1_19+`), the lowest first
 * 4. its defaults for exactly this version
 * 5. what users wrote, in the given order: of a session job, its cluster's and then its own. Keys that only the operator
 *    may set say nothing here
 */
export function effectiveConfig(operator: OperatorConfig, place: Place, ...written: readonly unknown[]): FlinkConfig {
  const config = new Map<string, string>();
  for (const [key, value] of Object.entries(operator.settings)) {
    if (!key.startsWith(defaults)) config.set(key, value);
  }
  for (const { key, value } of layeredDefaults(operator, place)) config.set(key, value);
  for (const configuration of written) {
    for (const [key, value] of flatConfig(configuration)) if (!isOnlyForOperator(key)) config.set(key, value);
  }
  return config;
}

/**
 * What is in force for a cluster that runs: what was deployed, and of the present spec all that takes effect without a
 * deployment.
 */
export function observeConfig(
  operator: OperatorConfig,
  place: Place,
  deployed: unknown,
  current: unknown,
): FlinkConfig {
  const config = new Map(effectiveConfig(operator, place, deployed));
  for (const key of config.keys()) if (actsAtOnce(key)) config.delete(key);
  for (const [key, value] of effectiveConfig(operator, place, current)) if (actsAtOnce(key)) config.set(key, value);
  return config;
}

/** Whether a key is for the operator, not for the cluster. */
export function isOperatorKey(key: string): boolean {
  return key.startsWith('kubernetes.operator.') || key.startsWith('job.autoscaler.');
}

function actsAtOnce(key: string): boolean {
  return isOperatorKey(key) || key === 'state.savepoints.dir' || key === 'execution.checkpointing.savepoint-dir';
}

interface Default {
  readonly key: string;
  readonly value: string;
  /** Higher wins. */
  readonly weight: number;
}

function layeredDefaults({ settings }: OperatorConfig, { namespace, flinkVersion }: Place): readonly Default[] {
  const found: Default[] = [];
  const forNamespace = `namespace.${namespace}.`;
  for (const [name, value] of Object.entries(settings)) {
    if (!name.startsWith(defaults)) continue;
    const rest = name.slice(defaults.length);
    if (rest.startsWith(forNamespace)) found.push({ key: rest.slice(forNamespace.length), value, weight: -1 });
    const [, version, onward, key] = /^flink-version\.(v\d+_\d+)(\+?)\.(.+)$/.exec(rest) ?? [];
    if (version === undefined || key === undefined) continue;
    if (onward && atLeast(flinkVersion, version)) found.push({ key, value, weight: rank(version) });
    else if (version === flinkVersion) found.push({ key, value, weight: Number.POSITIVE_INFINITY });
  }
  return found.sort((a, b) => a.weight - b.weight || 0);
}
