import { createHash } from 'node:crypto';
import { isObject } from '../../src/change/equal.ts';

/**
 * An object with what was made of its names told as those names: the contents of Secrets as text, and a hash of a text that its
 * spec holds as that text. Lanes differ by their names alone, and behind base64 or a hash nobody sees that it is only the name.
 * A hash of anything else stays, so that one of an old name shows.
 */
export function spelledOut(object: unknown): unknown {
  if (!isObject(object)) return object;
  const { kind, data, labels, spec } = object;
  return {
    ...object,
    ...(kind === 'Secret' && isObject(data) && { data: mapped(data, decoded) }),
    ...(isObject(labels) && { labels: mapped(labels, (value) => unhashed(value, spec)) }),
  };
}

function mapped(map: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

/** What is no text in base64 stays as it is. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = Buffer.from(value, 'base64').toString('utf8');
  return Buffer.from(text, 'utf8').toString('base64') === value ? text : value;
}

function unhashed(value: unknown, spec: unknown): unknown {
  if (typeof value !== 'string' || !/^[0-9a-f]{56}$/.test(value)) return value;
  const text = isObject(spec) ? Object.values(spec).find((one) => typeof one === 'string' && hash(one) === value) : '';
  return text ? `the hash of ${text}` : value;
}

function hash(text: string): string {
  return createHash('sha224').update(text, 'utf8').digest('hex');
}
