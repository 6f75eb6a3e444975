import { flatten } from '../../change/flatten.ts';

/**
 * A configuration of Flink as Flink sees it: flat keys, values as text. A map and not an object, because keys are
 * whatever people write.
 */
export type FlinkConfig = ReadonlyMap<string, string>;

/** What a `flinkConfiguration` says, nested or flat. Total: what is no map says nothing. */
export function flatConfig(configuration: unknown): FlinkConfig {
  const flat = new Map<string, string>();
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) return flat;
  for (const [key, value] of flatten(configuration as Readonly<Record<string, unknown>>)) {
    // Lists of maps keep their structure: JSON is YAML, in which Flink reads such values.
    flat.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return flat;
}
