import { EvaluationError, Optional } from '@marcbachmann/cel-js';
import type { FieldError } from '../../status-error.ts';
import { equal } from '../equal.ts';
import { duplicateValue, forbiddenValue, invalidValue, omitted, requiredValue } from '../field-error.ts';
import { getField, isFields } from '../json.ts';
import { noOld, oldItem } from '../old-value.ts';
import type { Schema } from '../schema.ts';
import { type CompiledRule, compileRules } from './rules.ts';
import type { Shape } from './shape.ts';

/** A value, what it was before, and the nearest value around it that has a counterpart before. */
interface Place {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
  /** Whether this value, or else the nearest that can be compared, is as it was. */
  unchanged(): boolean;
}

const longestMessage = 5 * 1024;

/**
 * Runs the rules of a schema against an object. A rule that fails on a value which has not changed is forgiven, except
 * a transition rule: that one is about the change.
 */
export function checkRules(schema: Schema, value: unknown, old: unknown, errors: FieldError[]): void {
  if (!hasRules(schema)) return;
  walk(schema, { value, old, path: '', unchanged: comparing(value, old, () => false) }, errors);
}

function comparing(value: unknown, old: unknown, otherwise: () => boolean): () => boolean {
  return old === noOld ? otherwise : () => equal(value, old);
}

function walk(schema: Schema, place: Place, errors: FieldError[]): void {
  const { value, old, path } = place;
  if (value === null || value === undefined || !hasRules(schema)) return;
  if (schema['x-kubernetes-validations']) {
    for (const rule of compileRules(schema)) {
      const error = evaluate(schema, rule, place);
      if (error) errors.push(error);
    }
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items || !hasRules(items)) return;
    for (const [i, item] of value.entries()) descend(items, item, oldItem(schema, old, item), `${path}[${i}]`);
  } else if (isFields(value)) {
    const { properties, additionalProperties: more } = schema;
    const before = isFields(old) ? old : {};
    for (const key of Object.keys(value)) {
      const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const child = known ?? (typeof more === 'object' ? more : undefined);
      if (!child || !hasRules(child)) continue;
      const was = Object.hasOwn(before, key) ? getField(before, key) : noOld;
      descend(child, value[key], was, known ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`);
    }
  }

  function descend(child: Schema, next: unknown, was: unknown, at: string): void {
    walk(child, { value: next, old: was, path: at, unchanged: comparing(next, was, place.unchanged) }, errors);
  }
}

function evaluate(schema: Schema, compiled: CompiledRule, place: Place): FieldError | undefined {
  const { rule, shape, program } = compiled;
  const field = place.path === '' ? '<nil>' : place.path;
  if (!program && !compiled.problem) return undefined;
  if (!program || !shape) return invalidValue(field, schema.type ?? '', `rule compile error: ${compiled.problem}`);
  const absent = place.old === noOld || place.old === null || place.old === undefined;
  if (compiled.usesOldSelf && absent && !rule.optionalOldSelf) return undefined;

  let scope: object;
  try {
    scope = scopeOf(compiled, shape, place, absent);
    if (program(scope) === true) return undefined;
  } catch (error) {
    const why = `${runtimeText(error)} evaluating rule: ${(rule.message || rule.rule).trim()}`;
    return invalidValue(field, schema.type ?? '', why);
  }
  if (!compiled.usesOldSelf && place.unchanged()) return undefined;
  const at =
    compiled.fieldPath === undefined
      ? field
      : place.path === ''
        ? compiled.fieldPath
        : join(place.path, compiled.fieldPath);
  return failure(at, shownValue(schema, place.value), detailOf(compiled, scope), rule.reason);
}

function scopeOf({ rule, usesOldSelf }: CompiledRule, shape: Shape, place: Place, absent: boolean): object {
  const self = shape.convert(place.value);
  if (!usesOldSelf) return { self };
  const before = absent ? undefined : shape.convert(place.old);
  if (!rule.optionalOldSelf) return { self, oldSelf: before };
  return { self, oldSelf: absent ? Optional.none() : Optional.of(before) };
}

const join = (path: string, rest: string): string => (rest.startsWith('[') ? path + rest : `${path}.${rest}`);

const shownValue = (schema: Schema, value: unknown): unknown =>
  schema.type === 'object' || schema.type === 'array' ? omitted : value;

function failure(field: string, value: unknown, detail: string, reason: string | undefined): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return requiredValue(field, detail);
    case 'FieldValueDuplicate':
      return duplicateValue(field, value);
    default:
      return invalidValue(field, value, detail);
  }
}

/** The rule's own words; a message expression that fails, or says nothing fit to print, gives way to them. */
function detailOf({ rule, message }: CompiledRule, scope: object): string {
  try {
    const text: unknown = message?.(scope);
    if (typeof text === 'string') {
      const line = text.trim();
      if (line !== '' && line.length <= longestMessage && !/[\n\r]/.test(line)) return line;
    }
  } catch {
    // The rule failed all the same; it is the better thing to report.
  }
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
}

/** An evaluation error in the API server's spelling. */
function runtimeText(error: unknown): string {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error);
  const bounds = /index (-?\d+)/.exec(error.summary);
  if (error.code === 'index_out_of_bounds' && bounds) return `index out of bounds: ${bounds[1]}`;
  return error.summary.replace(/^No such key/, 'no such key');
}

const withRules = new WeakMap<Schema, boolean>();

/** Most schemas, and most parts of those that have rules, have none: their values need not be walked. */
export function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  withRules.set(schema, false);
  const { items, properties, additionalProperties: more } = schema;
  const found =
    (schema['x-kubernetes-validations']?.length ?? 0) > 0 ||
    (items !== undefined && hasRules(items)) ||
    (typeof more === 'object' && hasRules(more)) ||
    Object.values(properties ?? {}).some(hasRules);
  withRules.set(schema, found);
  return found;
}
