import type { Strategy } from '../resource.ts';
import { forbiddenValue, invalidValue, tooLong } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { invalidFor, same } from './checks.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { ConfigMap } from './objects/storage.ts';
import { configKey, dns1123Subdomain } from './syntax.ts';

/** What etcd takes in one piece; ConfigMaps and Secrets are refused above it. */
export const dataLimit = 1024 * 1024;

/** Whether an object is sealed by `immutable: true` and what is wrong with changing it. */
export function validateSealed(
  after: { readonly immutable?: boolean; readonly [field: string]: unknown },
  before: { readonly immutable?: boolean; readonly [field: string]: unknown } | undefined,
  parts: readonly string[],
): FieldError[] {
  if (before?.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const wrong = after.immutable === true ? [] : [forbiddenValue('immutable', detail)];
  return [
    ...wrong,
    ...parts.filter((part) => !same(after[part], before[part])).map((part) => forbiddenValue(part, detail)),
  ];
}

export const configMapStrategy: Strategy = {
  validate(object, before) {
    const { data = {}, binaryData = {} } = object as unknown as ConfigMap;
    const wrong: FieldError[] = [...validateBuiltIn(object, before, dns1123Subdomain)];
    if (before) wrong.push(...validateSealed(object, before, ['data', 'binaryData']));
    let size = 0;
    for (const [key, value] of Object.entries(data)) {
      wrong.push(...invalidFor(`data[${key}]`, key, configKey(key)));
      if (Object.hasOwn(binaryData, key)) {
        wrong.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
      }
      size += Buffer.byteLength(value);
    }
    for (const [key, value] of Object.entries(binaryData)) {
      wrong.push(...invalidFor(`binaryData[${key}]`, key, configKey(key)));
      size += Math.floor((value.length * 3) / 4);
    }
    if (size > dataLimit) wrong.push(tooLong('', dataLimit));
    return wrong;
  },
};
