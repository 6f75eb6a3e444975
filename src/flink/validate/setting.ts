import type { FlinkConfig } from '../config/flink-config.ts';
import { type AnyOption, keyOf } from '../config/option.ts';
import { secretWords } from '../resources/flink-configuration.ts';
import { shown } from './rule.ts';

/** A value of the configuration, and the key under which it was written. */
export interface Setting {
  readonly key: string;
  readonly text: string;
}

/** What is written about an option; nothing when it is empty. */
export function settingOf(config: FlinkConfig, option: AnyOption): Setting | undefined {
  const key = keyOf(config, option);
  const text = key === undefined ? undefined : config.get(key)?.trim();
  return key !== undefined && text ? { key, text } : undefined;
}

/** `spec.flinkConfiguration[taskmanager.numberOfTaskSlots]` */
export function fieldOfKey(key: string): string {
  return `spec.flinkConfiguration[${key}]`;
}

/** `rest.port is "many"`, unless the value is nobody's business. */
export function shownSetting({ key, text }: Setting): string {
  const secret = secretWords.some((word) => key.toLowerCase().includes(word));
  return `${key} is ${secret ? '(secret)' : shown(text)}`;
}
