import type { JsonObject } from '../../kube/object.ts';
import { goJson, quote } from '../schema/go-text.ts';
import { isFields } from '../schema/json.ts';

/**
 * A set of fields of an object, in the very form in which `managedFields` carry it (`FieldsV1`), so that reading and
 * writing it costs nothing.
 *
 * A key names a step: `f:name` a field, `k:{"name":"web"}` the item of a list with these keys, `v:"x"` the item of a
 * list with this value, `i:0` an item by position. A step that leads to `{}`, or to an object with `.`, belongs to the
 * set itself; one without `.` only leads to fields that do. Sets are never changed once made.
 */
export interface FieldSet {
  readonly [step: string]: FieldSet;
}

/** A set under construction. */
export type Builder = { [step: string]: FieldSet };

export const emptySet: FieldSet = Object.freeze({});

const self = '.';

export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the step that leads to `node` belongs to the set itself. */
export function isMember(node: FieldSet): boolean {
  return isEmpty(node) || node[self] !== undefined;
}

/** What a step leads to: `children` below it, and itself when it is a `member`. */
export function node(member: boolean, children: FieldSet): FieldSet {
  if (!member || children[self] !== undefined) return children;
  return isEmpty(children) ? emptySet : { [self]: emptySet, ...children };
}

/** What lies below a step, without the step itself. */
export function below(set: FieldSet): FieldSet {
  if (set[self] === undefined) return set;
  const { [self]: _, ...children } = set;
  return children;
}

/** Adds a step unless it neither belongs to the set nor leads anywhere. */
export function put(builder: Builder, step: string, member: boolean, children: FieldSet): void {
  if (member || !isEmpty(children)) builder[step] = node(member, children);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const out: Builder = { ...a };
  for (const step in b) {
    const [left, right] = [a[step], b[step] as FieldSet];
    if (step === self || left === undefined) out[step] = right;
    else out[step] = node(isMember(left) || isMember(right), union(below(left), below(right)));
  }
  return out;
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a;
  const out: Builder = {};
  for (const step in a) {
    const [left, right] = [a[step] as FieldSet, b[step]];
    if (right === undefined) out[step] = left;
    else put(out, step, isMember(left) && !isMember(right), difference(below(left), below(right)));
  }
  return out;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: Builder = {};
  for (const step in a) {
    const [left, right] = [a[step] as FieldSet, b[step]];
    if (right === undefined) continue;
    put(out, step, isMember(left) && isMember(right), intersection(below(left), below(right)));
  }
  return out;
}

/** `a` without the members of `b` and everything below them. */
export function without(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a;
  const out: Builder = {};
  for (const step in a) {
    const [left, right] = [a[step] as FieldSet, b[step]];
    if (right === undefined) out[step] = left;
    else if (!isMember(right)) put(out, step, isMember(left), without(below(left), below(right)));
  }
  return out;
}

/** The members, as paths in the spelling of conflict messages: `.spec.containers[name="web"].image`. */
export function paths(set: FieldSet, prefix = ''): string[] {
  const out: string[] = [];
  for (const step of Object.keys(set).sort()) {
    if (step === self) continue;
    const child = set[step] as FieldSet;
    const path = prefix + stepText(step);
    if (isMember(child)) out.push(path);
    out.push(...paths(below(child), path));
  }
  return out;
}

export const fieldStep = (name: string): string => `f:${name}`;
export const keyStep = (keys: JsonObject): string => `k:${goJson(keys)}`;
export const valueStep = (value: unknown): string => `v:${goJson(value)}`;

/** A step in the spelling of messages: `.name`, `[name="web"]`, `[="x"]`, `[0]`. */
export function stepText(step: string): string {
  const rest = step.slice(2);
  switch (step.slice(0, 2)) {
    case 'f:':
      return `.${rest}`;
    case 'k:':
      return `[${Object.entries(JSON.parse(rest) as JsonObject)
        .map(([key, value]) => `${key}=${scalarText(value)}`)
        .join(',')}]`;
    case 'v:':
      return `[=${scalarText(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

const scalarText = (value: unknown): string => (typeof value === 'string' ? quote(value) : goJson(value));

/**
 * Reads a set that came from outside. Steps of kinds we do not know are left out, as the API server does; `undefined`
 * when it is not a set at all.
 */
export function decode(fields: unknown): FieldSet | undefined {
  if (fields === undefined) return emptySet;
  if (!isFields(fields)) return undefined;
  const out: Builder = {};
  for (const [key, value] of Object.entries(fields)) {
    const step = canonical(key);
    if (step === undefined) return undefined;
    if (step === '') continue;
    const child = decode(value);
    if (!child) return undefined;
    out[step] = child;
  }
  return out;
}

/** The same step in the one spelling that we compare by; empty for an unknown kind, `undefined` for a broken one. */
function canonical(step: string): string | undefined {
  if (step === self) return step;
  if (step[1] !== ':') return undefined;
  const rest = step.slice(2);
  switch (step[0]) {
    case 'f':
      return step;
    case 'i':
      return /^-?\d+$/.test(rest) ? step : undefined;
    case 'k':
    case 'v':
      try {
        const value: unknown = JSON.parse(rest);
        if (step[0] === 'k' && !isFields(value)) return undefined;
        return `${step[0]}:${goJson(value)}`;
      } catch {
        return undefined;
      }
    default:
      return '';
  }
}

/** The set as the API server writes it: steps in order. The set itself when it is in order already. */
export function encode(set: FieldSet): FieldSet {
  const steps = Object.keys(set);
  let asIs = true;
  for (let i = 1; i < steps.length && asIs; i++) asIs = (steps[i - 1] as string) < (steps[i] as string);
  if (!asIs) steps.sort();
  const out: Builder = {};
  for (const step of steps) {
    const child = encode(set[step] as FieldSet);
    asIs &&= child === set[step];
    out[step] = child;
  }
  return asIs ? set : out;
}
