import type { FlinkConfig } from './flink-config.ts';
import type { ValueKind } from './value-kind.ts';

/** A key that we read, and what it may hold. */
export interface Option<T> {
  readonly key: string;
  /** Its older names, and keys that stand in for it; the first that is set is read when `key` is not. */
  readonly otherKeys: readonly string[];
  readonly kind: ValueKind<T>;
  /** What holds when it is not set. */
  readonly otherwise: T;
  /** Who may set it: only the operator's own configuration, or any resource too. */
  readonly scope: 'operator' | 'resource';
  /** Read once, when the operator starts: a change takes effect with the next pod. Absent: at every look. */
  readonly atStart?: true;
  /** What it does, in one line. */
  readonly says: string;
}

/** An option of any kind, for those who do not need its value. */
export type AnyOption = Omit<Option<unknown>, 'kind'> & { readonly kind: Omit<ValueKind<unknown>, 'show'> };

/**
 * What a configuration says. Total: a value that cannot be read counts as not set; `problemWith` says so, and validation
 * refuses it before anything is decided on.
 */
export function read<T>(config: FlinkConfig, option: Option<T>): T {
  const key = keyOf(config, option);
  return (key === undefined ? undefined : option.kind.parse(config.get(key) ?? '')) ?? option.otherwise;
}

/** Whether the configuration says anything about it. */
export function isSet(config: FlinkConfig, option: AnyOption): boolean {
  return keyOf(config, option) !== undefined;
}

/** Why a value cannot be read, and what to write instead; undefined when it can be, or is not set. */
export function problemWith(config: FlinkConfig, option: AnyOption): string | undefined {
  const key = keyOf(config, option);
  const value = key === undefined ? undefined : config.get(key);
  if (value === undefined || option.kind.parse(value) !== undefined) return undefined;
  const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  return `${key}: ${JSON.stringify(shown)} is not ${option.kind.name}; write for example "${option.kind.example}"`;
}

/** All that cannot be read. */
export function problemsWith(config: FlinkConfig, table: Readonly<Record<string, AnyOption>>): readonly string[] {
  return Object.values(table).flatMap((option) => problemWith(config, option) ?? []);
}

/** The key under which it is set. */
export function keyOf(config: FlinkConfig, { key, otherKeys }: AnyOption): string | undefined {
  return config.has(key) ? key : otherKeys.find((other) => config.has(other));
}
