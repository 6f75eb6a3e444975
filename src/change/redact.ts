import type { KeyRules } from '../schema/change-rule.ts';
import type { Field } from '../schema/field.ts';
import { isAbsent, isObject, type Members, member } from './equal.ts';
import { rulesOf } from './rules.ts';

/** What is shown in place of a secret: that it is there, and nothing else. */
export const hidden = '(secret)';

/** Below this depth nothing is shown of a map that may hold secrets. */
const deepest = 100;

/** What takes the place of a secret value. */
export type Hide = (secret: unknown) => unknown;

/**
 * The value without what its schema calls secret, however deep inside. A value without secrets is returned as it is. `hide` is for
 * whoever has to tell one secret from another: the same word stands for all of them otherwise.
 */
export function redact(value: unknown, field: Field | undefined, hide: Hide = () => hidden): unknown {
  if (!field || isAbsent(value)) return value;
  if (field.secret) return hide(value);
  if (Array.isArray(value)) return field.items ? kept(value, (element) => redact(element, field.items, hide)) : value;
  if (!isObject(value)) return value;
  const { keys } = rulesOf(field.change);
  if (keys?.secrets) return withoutSecretKeys(value, keys, hide, '', 0);
  return mapped(value, (key, inner) => {
    const known = field.properties && Object.hasOwn(field.properties, key);
    return redact(inner, known ? field.properties?.[key] : field.additionalProperties, hide);
  });
}

/** Whether a map's rules call the value of this key secret. */
export function isSecretKey(key: string, { secrets = [] }: KeyRules): boolean {
  return secrets.some((word) => key.toLowerCase().includes(word.toLowerCase()));
}

function withoutSecretKeys(map: Members, rules: KeyRules, hide: Hide, prefix: string, depth: number): unknown {
  if (depth >= deepest) return hide(map);
  return mapped(map, (key, value) => {
    if (isSecretKey(prefix + key, rules)) return hide(value);
    const nested = rules.flatten && isObject(value);
    return nested ? withoutSecretKeys(value, rules, hide, `${prefix}${key}.`, depth + 1) : value;
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
