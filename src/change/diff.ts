import type { ChangeClass, KeyRules } from '../schema/change-rule.ts';
import type { Field } from '../schema/field.ts';
import type { Json } from '../schema/json.ts';
import type { Change } from './change.ts';
import { equal, isAbsent, isObject, type Members, member, plain } from './equal.ts';
import { flatten } from './flatten.ts';
import { byKeys, sameSet } from './lists.ts';
import { element, under } from './path.ts';
import { isSecretKey, redact } from './redact.ts';
import { type Context, demandOf, rulesOf } from './rules.ts';

/** Below this depth a difference is reported as a whole. No spec nests so deep; hostile input does. */
const deepest = 100;

/** Where the comparison stands: the schema there, if any, and the class that holds unless the schema says otherwise. */
interface Place {
  readonly field: Field | undefined;
  readonly path: string;
  readonly inherited: ChangeClass;
  readonly depth: number;
  readonly context: Context;
}

type Changes = readonly Change[];

/**
 * What differs between two specs, and what each difference demands.
 *
 * A field has the class of its `change` metadata, else that of the object that holds it, else `upgrade`: a field that
 * nobody classified is not changed silently. An object that is there on one side only is one change, of its own class.
 * Null, absent and the schema's default are the same. Sealed values are compared and shown by their fingerprints.
 *
 * Guarantees: total on any JSON, whatever the schema; no changes between equal values; the order of keys does not
 * matter; the result is ordered by the schema, then by key.
 */
export function diff(schema: Field, before: unknown, after: unknown, context: Context = {}, at = 'spec'): Changes {
  return compare({ field: schema, path: at, inherited: 'upgrade', depth: 0, context }, before, after);
}

function compare(outer: Place, left: unknown, right: unknown): Changes {
  const { field } = outer;
  const rules = rulesOf(field?.change);
  const place = { ...outer, inherited: rules.demands ?? outer.inherited };
  const absent = rules.absentMeans ?? field?.default;
  const [from, to] = [present(left, absent), present(right, absent)];

  if (rules.ignoreAbsent && isIgnored(rules.ignoreAbsent, from, to)) return [];
  if (rules.keys && isMap(from) && isMap(to)) return compareKeys(place, from ?? {}, to ?? {}, rules.keys);
  if (isAbsent(from) || isAbsent(to)) return isAbsent(from) && isAbsent(to) ? [] : report(place, from, to);
  if (rules.equal && holds(rules.equal, from, to)) return [];
  if (!rules.whole && !field?.secret && place.depth < deepest) {
    const atomic = field?.['x-kubernetes-map-type'] === 'atomic';
    if (isObject(from) && isObject(to) && !atomic)
      return compareMembers(place, from, to, rules.unknownKeys === 'ignore');
    if (Array.isArray(from) && Array.isArray(to)) return compareLists(place, from, to);
  }
  return equal(from, to, isAbsent) ? [] : report(place, from, to);
}

function compareMembers(place: Place, from: Members, to: Members, knownOnly: boolean): Changes {
  const properties = place.field?.properties ?? {};
  const known = Object.keys(properties);
  const others = union(Object.keys(from), Object.keys(to)).filter((key) => !Object.hasOwn(properties, key));
  return [...known, ...(knownOnly ? [] : others)].flatMap((key) => {
    return compare(below(place, fieldOf(place, key), under(place.path, key)), member(from, key), member(to, key));
  });
}

function compareKeys(place: Place, from: Members, to: Members, rules: KeyRules): Changes {
  const [left, right] = rules.flatten ? [flatten(from), flatten(to)] : [entries(from), entries(to)];
  return union(left.keys(), right.keys()).flatMap((key) => {
    const [, found] = rules.prefixes.find(([prefix]) => key.startsWith(prefix)) ?? [];
    const field = rules.flatten ? undefined : fieldOf(place, key);
    const inherited = found ?? rules.otherwise ?? place.inherited;
    const inner = below(place, isSecretKey(key, rules) ? { ...field, secret: true } : field, under(place.path, key));
    return compare({ ...inner, inherited }, left.get(key), right.get(key));
  });
}

function compareLists(place: Place, from: readonly unknown[], to: readonly unknown[]): Changes {
  const { field, path } = place;
  const items = field?.items;
  const type = field?.['x-kubernetes-list-type'];
  if (type === 'map') {
    const keys = field?.['x-kubernetes-list-map-keys'] ?? [];
    const [left, right] = [byKeys(from, keys, items), byKeys(to, keys, items)];
    if (left && right) {
      return union(left.keys(), right.keys()).flatMap((id) => {
        const { keys: values = [] } = left.get(id) ?? right.get(id) ?? {};
        return compare(below(place, items, element(path, values)), left.get(id)?.element, right.get(id)?.element);
      });
    }
  }
  if (type === undefined && from.length === to.length && [...from, ...to].every((one) => isObject(plain(one)))) {
    return from.flatMap((one, index) => compare(below(place, items, `${path}[${index}]`), one, to[index]));
  }
  const same = equal(from, to, isAbsent) || (type === 'set' && sameSet(from, to));
  return same ? [] : report(place, from, to);
}

function report({ field, path, inherited, context }: Place, from: unknown, to: unknown): Changes {
  const shown = (value: unknown): Json | undefined => (isAbsent(value) ? undefined : (redact(value, field) as Json));
  return [{ path, from: shown(from), to: shown(to), demands: demandOf(inherited, context) }];
}

function union(left: Iterable<string>, right: Iterable<string>): string[] {
  return [...new Set([...left, ...right])].sort();
}

/** The schema of a key: its own, else that of all values. */
function fieldOf({ field }: Place, key: string): Field | undefined {
  const { properties = {}, additionalProperties } = field ?? {};
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

function below(place: Place, field: Field | undefined, path: string): Place {
  return { ...place, field, path, depth: place.depth + 1 };
}

function present(value: unknown, absent: unknown): unknown {
  const found = plain(value);
  return isAbsent(found) ? plain(absent) : found;
}

function isIgnored(when: 'before' | 'after' | 'either', from: unknown, to: unknown): boolean {
  return (when !== 'after' && isAbsent(from)) || (when !== 'before' && isAbsent(to));
}

function isMap(value: unknown): value is Members | null | undefined {
  return isAbsent(value) || isObject(value);
}

function entries(object: Members): Map<string, unknown> {
  return new Map(Object.keys(object).map((key) => [key, member(object, key)]));
}

/** A rule that cannot cope with a value says nothing about it. */
function holds(rule: (from: unknown, to: unknown) => boolean, from: unknown, to: unknown): boolean {
  try {
    return rule(from, to);
  } catch {
    return false;
  }
}
