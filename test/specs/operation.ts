import { equal, isObject } from '../../src/change/equal.ts';
import type { Field } from '../../src/schema/field.ts';
import { misuse } from './misuse.ts';
import { joined, withValue } from './place.ts';
import type { Property } from './property.ts';

/** What is done to a property. */
export const operationClasses = ['set', 'change', 'delete', 'empty', 'boundary', 'shape', 'misuse'] as const;
export type OperationClass = (typeof operationClasses)[number];

/** One edit of a spec. */
export interface Operation {
  readonly class: OperationClass;
  /** What it is about: `spec.job.parallelism`. Of a group, the name of the group. */
  readonly about: string;
  /** `spec.job.parallelism := -1` */
  readonly name: string;
  /** What is written there. */
  readonly value?: unknown;
  /** What stands there otherwise. */
  readonly before?: unknown;
  /** What the spec becomes. */
  readonly spec: unknown;
  /**
   * Whether the controllers get to see it when admission lets it through. Numbers of copies in the billions are right as far
   * as a schema goes, and no test has the memory for them.
   */
  readonly live: boolean;
}

/** All that is done to one property of a spec in which it is present. */
export function operationsOn(property: Property, spec: unknown, good: unknown): readonly Operation[] {
  const { text, steps, field } = property;
  const made = (kind: OperationClass, value: unknown): Operation => ({
    class: kind,
    about: text,
    name: `${text} := ${shown(value)}`,
    value,
    before: good,
    spec: withValue(spec, steps, value),
    live: !(typeof value === 'number' && Math.abs(value) > 1000 && copies.test(text)),
  });
  const all = [
    ...changes(field, good).map((value) => made('change', value)),
    made('delete', undefined),
    ...(good !== null && field.nullable ? [made('empty', null)] : []),
    ...empties(field).map((value) => made('empty', value)),
    ...boundaries(field, good).map((value) => made('boundary', value)),
    ...shapes(field).map((value) => made('shape', value)),
    ...misuse(property).map((value) => made('misuse', isObject(value) ? joined(good, value) : value)),
  ];
  const others = all.filter(({ spec: after }) => !equal(spec, after));
  return others.filter(({ name }, at) => others.findIndex((one) => one.name === name) === at);
}

const copies = /replicas|parallelism|instances|desiredInstances/i;

function changes(field: Field, good: unknown): readonly unknown[] {
  if (field.enum) return field.enum.filter((value) => value !== good);
  if (typeof good === 'boolean') return [!good];
  if (typeof good === 'number') return [good + 1, Math.max(0, good - 1)];
  if (typeof good === 'string') return [`${good}x`];
  return [];
}

function empties({ type }: Field): readonly unknown[] {
  switch (type) {
    case 'string':
      return [''];
    case 'integer':
    case 'number':
      return [0];
    case 'array':
      return [[]];
    case 'object':
      return [{}];
    default:
      return [];
  }
}

const longText = 'long-'.repeat(14_000);
const maxInt32 = 2 ** 31 - 1;

function boundaries(field: Field, good: unknown): readonly unknown[] {
  const { type, minimum, maximum, maxLength, additionalProperties } = field;
  switch (type) {
    case 'string':
      return [longText, 'a\u0000b', '\u001b[2J\u2028', ' ünï𝒳 ', ...(maxLength ? ['x'.repeat(maxLength + 1)] : [])];
    case 'integer':
      return [
        -1,
        maxInt32,
        maxInt32 + 1,
        -maxInt32 - 1,
        Number.MAX_SAFE_INTEGER,
        ...(minimum === undefined ? [] : [minimum, minimum - 1]),
        ...(maximum === undefined ? [] : [maximum, maximum + 1]),
      ];
    case 'number':
      return [-1, 1e300, 0.0001];
    case 'array':
      return Array.isArray(good) && good.length > 0 ? [[...good, ...good], Array(300).fill(good[0])] : [];
    case 'object':
      return additionalProperties && isObject(good)
        ? ['', '__proto__', 'a b/c', 'k'.repeat(400)].map((key) => keyed(good, key))
        : [];
    default:
      return [];
  }
}

/** The same map with one of its values under another key; `__proto__` is a key as any other. */
function keyed(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.fromEntries([...Object.entries(map), [key, Object.values(map)[0] ?? 'x']]);
}

function shapes(field: Field): readonly unknown[] {
  if (field['x-kubernetes-int-or-string']) return [true, {}];
  switch (field.type) {
    case 'string':
      return [7, { a: 1 }];
    case 'integer':
      return ['7', 1.5];
    case 'number':
      return ['7', []];
    case 'boolean':
      return ['true', 1];
    case 'array':
      return [{ a: 1 }, 'x'];
    case 'object':
      return ['x', []];
    default:
      return [];
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}
