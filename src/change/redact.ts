import type { KeyRules } from '../schema/change-rule.ts';
import type { Field } from '../schema/field.ts';
import { isAbsent, isObject, type Members, member } from './equal.ts';
import { rulesOf } from './rules.ts';

/** What is shown in place of a secret: that it is there, and nothing else. */
const hidden = '(secret)';

/** Below this depth nothing is shown of a map that may hold secrets. */
const deepest = 100;

/** The value without what its schema calls secret, however deep inside. A value without secrets is returned as it is. */
export function redact(value: unknown, field: Field | undefined): unknown {
  if (!field || isAbsent(value)) return value;
  if (field.secret) return hidden;
  if (Array.isArray(value)) return field.items ? kept(value, (element) => redact(element, field.items)) : value;
  if (!isObject(value)) return value;
  const { keys } = rulesOf(field.change);
  if (keys?.secrets) return withoutSecretKeys(value, keys, '', 0);
  return mapped(value, (key, inner) => {
    const known = field.properties && Object.hasOwn(field.properties, key);
    return redact(inner, known ? field.properties?.[key] : field.additionalProperties);
  });
}

/** Whether a map's rules call the value of this key secret. */
export function isSecretKey(key: string, { secrets = [] }: KeyRules): boolean {
  return secrets.some((word) => key.toLowerCase().includes(word.toLowerCase()));
}

function withoutSecretKeys(map: Members, rules: KeyRules, prefix: string, depth: number): unknown {
  if (depth >= deepest) return hidden;
  return mapped(map, (key, value) => {
    if (isSecretKey(prefix + key, rules)) return hidden;
    return rules.flatten && isObject(value) ? withoutSecretKeys(value, rules, `${prefix}${key}.`, depth + 1) : value;
  });
}

function mapped(object: Members, change: (key: string, value: unknown) => unknown): Members {
  const keys = Object.keys(object);
  const values = keys.map((key) => change(key, member(object, key)));
  if (keys.every((key, index) => member(object, key) === values[index])) return object;
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

function kept(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const values = list.map(change);
  return values.every((value, index) => value === list[index]) ? list : values;
}
