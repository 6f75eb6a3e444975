import { flatten } from '../../change/flatten.ts';

/**
 * A configuration of Flink as Flink sees it: flat keys, values as text. A map and not an object, because keys are
 * whatever people write.
 */
export type FlinkConfig = ReadonlyMap<string, string>;

/** Lists inside one another: deeper than any value of Flink, and no writer of JSON runs out of stack. */
const deepest = 100;

/** What a `flinkConfiguration` says, nested or flat. Total: what is no map, or nests without end, says nothing. */
export function flatConfig(configuration: unknown): FlinkConfig {
  const flat = new Map<string, string>();
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) return flat;
  for (const [key, value] of flatten(configuration as Readonly<Record<string, unknown>>)) {
    // Lists of maps keep their structure: JSON is YAML, in which Flink reads such values.
    if (typeof value === 'string') flat.set(key, value);
    else if (!isDeeper(value, deepest)) flat.set(key, JSON.stringify(value));
  }
  return flat;
}

function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
