import type { Strategy } from '../resource.ts';
import { requiredValue, tooLong } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { immutable, invalidFor } from './checks.ts';
import { dataLimit, validateSealed } from './config-map.ts';
import { fields, fillEmpty, inside } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { Secret } from './objects/storage.ts';
import { configKey, dns1123Subdomain } from './syntax.ts';

/** What a Secret of a known type must hold. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

export const secretStrategy: Strategy = {
  defaults(draft) {
    fillEmpty(draft, { type: 'Opaque' });
    const plain = fields(draft.stringData);
    if (!plain) return;
    const data = inside(draft, 'data');
    if (!data) return;
    for (const [key, value] of Object.entries(plain)) {
      const encoded = typeof value === 'string' ? Buffer.from(value).toString('base64') : value;
      Object.defineProperty(data, key, { value: encoded, enumerable: true, writable: true, configurable: true });
    }
    delete draft.stringData;
  },
  validate(object, before) {
    const { data = {}, type = '' } = object as unknown as Secret;
    const wrong: FieldError[] = [...validateBuiltIn(object, before, dns1123Subdomain)];
    if (before) wrong.push(...immutable('type', type, before.type), ...validateSealed(object, before, ['data']));
    let size = 0;
    for (const [key, value] of Object.entries(data)) {
      wrong.push(...invalidFor(`data[${key}]`, key, configKey(key)));
      size += Math.floor((value.length * 3) / 4);
    }
    if (size > dataLimit) wrong.push(tooLong('data', dataLimit));
    const required = Object.hasOwn(requiredKeys, type) ? (requiredKeys[type] ?? []) : [];
    for (const key of required) {
      if (!Object.hasOwn(data, key)) wrong.push(requiredValue(`data[${key}]`));
    }
    const annotation = 'kubernetes.io/service-account.name';
    if (type === 'kubernetes.io/service-account-token' && !object.metadata.annotations?.[annotation]) {
      wrong.push(requiredValue(`metadata.annotations[${annotation}]`));
    }
    const basic = type === 'kubernetes.io/basic-auth';
    if (basic && !Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
      wrong.push(requiredValue('data[username]'), requiredValue('data[password]'));
    }
    return wrong;
  },
  fields: (object) => ({ type: String(object.type ?? '') }),
};
