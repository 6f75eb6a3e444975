import type { FieldError } from '../status-error.ts';
import { equal } from './equal.ts';
import { invalidType, invalidValue, requiredValue, tooLong, tooMany, unsupportedValue } from './field-error.ts';
import { stringFormat } from './formats.ts';
import { goJson, goNumber, quote } from './go-text.ts';
import { type Fields, isFields } from './json.ts';
import { noOld, oldField, oldItem } from './old-value.ts';
import { goRegExp } from './regexp.ts';
import type { Schema } from './schema.ts';

/** What a walk has found. `matches` counts what was right: of several failing branches the closest one is reported. */
interface Findings {
  readonly errors: FieldError[];
  matches: number;
}

/**
 * Checks types, bounds, formats, enums and combinators, in Kubernetes' words. With `old` given, what is wrong in a
 * value that has not changed is forgiven (the server "ratchets": a stricter schema must not block unrelated edits).
 */
export function validateValue(schema: Schema, value: unknown, old: unknown, path: string): FieldError[] {
  const findings: Findings = { errors: [], matches: 0 };
  checkRatcheted(schema, value, old, path, findings);
  return findings.errors;
}

function checkRatcheted(schema: Schema, value: unknown, old: unknown, path: string, findings: Findings): void {
  const before = findings.errors.length;
  check(schema, value, old, path, findings);
  if (findings.errors.length > before && old !== noOld && equal(value, old)) findings.errors.length = before;
}

function check(schema: Schema, value: unknown, old: unknown, path: string, findings: Findings): void {
  checkType(schema, value, path, findings);
  if (value === null) {
    checkEnum(schema, value, path, findings);
    return;
  }
  checkCombinators(schema, value, old, path, findings);
  switch (typeof value) {
    case 'string':
      checkString(schema, value, path, findings);
      break;
    case 'number':
      checkNumber(schema, value, path, findings);
      break;
  }
  if (Array.isArray(value)) checkArray(schema, value, old, path, findings);
  checkEnum(schema, value, path, findings);
  if (isFields(value)) checkObject(schema, value, old, path, findings);
  findings.matches += 2;
}

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path.replace(/^\./, ''));

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/** The JSON type and Go's format of a value. */
function typeOf(value: unknown): readonly [type: string, format: string] {
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'boolean') return ['boolean', ''];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'int64'] : ['number', 'float64'];
  return [Array.isArray(value) ? 'array' : 'object', ''];
}

/** Formats that the server forgets because it does not know them for the type. */
function effectiveFormat(schema: Schema, types: readonly string[]): string {
  const format = schema.format;
  if (!format || types.length > 1) return '';
  const type = types[0] ?? '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  return (type === '' || type === 'string') && stringFormat(format) ? format : '';
}

function checkType(schema: Schema, value: unknown, path: string, findings: Findings): void {
  const types = typesOf(schema);
  const wrong = (wanted: string, actual: string): void => {
    findings.errors.push(
      invalidType(fieldOf(path), actual, `${path} in body must be of type ${wanted}: ${quote(actual)}`),
    );
  };
  if (value === null) {
    if (types.length > 0 && !schema.nullable) wrong(types.join(','), 'null');
    else findings.matches++;
    return;
  }
  if (types.length === 0) return;
  const [type, format] = typeOf(value);
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) {
    findings.matches++;
    return;
  }
  const wanted = effectiveFormat(schema, types);
  if (wanted !== '' && type !== 'string' && type !== 'array') wrong(wanted, format);
  else wrong(types.join(','), type);
}

function checkCombinators(schema: Schema, value: unknown, old: unknown, path: string, findings: Findings): void {
  const { allOf, anyOf, oneOf, not } = schema;
  if (!allOf && !anyOf && !oneOf && !not) return;
  const attempt = (branch: Schema): Findings => {
    const found: Findings = { errors: [], matches: 0 };
    check(branch, value, old, path, found);
    return found;
  };
  const composite = (message: string): void => {
    findings.errors.push(invalidValue('<nil>', '', `${quote(path)} ${message}`));
  };
  if (anyOf && anyOf.length > 0) {
    const results = anyOf.map(attempt);
    if (!results.some(passed)) {
      composite('must validate at least one schema (anyOf)');
      findings.errors.push(...closest(results));
    }
  }
  if (oneOf && oneOf.length > 0) {
    const results = oneOf.map(attempt);
    const valid = results.filter(passed).length;
    if (valid === 0) {
      composite('must validate one and only one schema (oneOf). Found none valid');
      findings.errors.push(...closest(results));
    } else if (valid > 1) {
      composite(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
    }
  }
  if (allOf && allOf.length > 0) {
    const results = allOf.map(attempt);
    for (const result of results) findings.errors.push(...result.errors);
    const valid = results.filter(passed).length;
    if (valid !== results.length) {
      composite(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
  }
  if (not && passed(attempt(not))) composite('must not validate the schema (not)');
}

const passed = (findings: Findings): boolean => findings.errors.length === 0;

function closest(results: readonly Findings[]): readonly FieldError[] {
  return results.reduce((best, next) => (next.matches > best.matches ? next : best)).errors;
}

function checkString(schema: Schema, value: string, path: string, findings: Findings): void {
  const { minLength, maxLength, pattern, format } = schema;
  const field = fieldOf(path);
  findings.matches++;
  if (maxLength !== undefined && characters(value) > maxLength) {
    findings.errors.push(tooLong(field, maxLength));
  } else if (minLength !== undefined && characters(value) < minLength) {
    const detail = `${path} in body should be at least ${minLength} chars long`;
    findings.errors.push(invalidValue(field, value, detail));
  } else if (pattern) {
    const expression = goRegExp(pattern);
    const broken = expression instanceof Error ? `, but pattern is invalid: ${expression.message}` : '';
    if (expression instanceof Error || !expression.test(value)) {
      findings.errors.push(invalidValue(field, value, `${path} in body should match '${pattern}${broken}'`));
    }
  }
  if (format && (schema.type === undefined || schema.type === 'string')) {
    const valid = stringFormat(format);
    if (valid && !valid(value)) {
      findings.errors.push(invalidType(field, value, `${path} in body must be of type ${format}: ${quote(value)}`));
    }
  }
}

function characters(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length - 1; i++) {
    const code = value.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdbff) count--;
  }
  return count;
}

function checkNumber(schema: Schema, value: number, path: string, findings: Findings): void {
  const { minimum, maximum, multipleOf } = schema;
  const fail = (shown: number, what: string): void => {
    findings.errors.push(invalidValue(fieldOf(path), shown, what));
  };
  findings.matches++;
  checkRange(schema, value, path, findings);
  // The server compares whole numbers as integers, and cuts off what the bound has behind the point.
  const bound = Number.isInteger(value) ? Math.trunc : (limit: number): number => limit;
  if (multipleOf !== undefined) {
    const factor = bound(multipleOf);
    if (factor <= 0) fail(factor, `factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`);
    else if (!isMultiple(value, factor)) fail(value, `${path} in body should be a multiple of ${goNumber(factor)}`);
  }
  if (minimum !== undefined) {
    const least = bound(minimum);
    const than = schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    if (schema.exclusiveMinimum ? value <= least : value < least) {
      fail(value, `${path} in body should be ${than} ${goNumber(least)}`);
    }
  }
  if (maximum !== undefined) {
    const most = bound(maximum);
    const than = schema.exclusiveMaximum ? 'less than' : 'less than or equal to';
    if (schema.exclusiveMaximum ? value >= most : value > most) {
      fail(value, `${path} in body should be ${than} ${goNumber(most)}`);
    }
  }
}

/** Whether a number fits the type that the schema names. */
function checkRange(schema: Schema, value: number, path: string, findings: Findings): void {
  const types = typesOf(schema);
  if (types.length !== 1 || types[0] !== 'integer') return;
  const format = effectiveFormat(schema, types);
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  if (Number.isInteger(value) && value >= -limit && value < limit) return;
  const wanted = format ? `integer with format ${format}` : 'integer (default format)';
  findings.errors.push(invalidValue('<nil>', '', `Checked value must be of type ${wanted} in ${path}`));
}

function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const ratio = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

function checkEnum(schema: Schema, value: unknown, path: string, findings: Findings): void {
  const allowed = schema.enum;
  if (!allowed || allowed.length === 0 || allowed.some((one) => one !== null && equal(one, value))) return;
  const texts = allowed.map((one) => (typeof one === 'string' ? one : goJson(one)));
  findings.errors.push(unsupportedValue(fieldOf(path), value, texts));
}

function checkArray(schema: Schema, list: readonly unknown[], old: unknown, path: string, findings: Findings): void {
  const { items, minItems, maxItems } = schema;
  findings.matches++;
  if (items) {
    for (let i = 0; i < list.length; i++) {
      checkRatcheted(items, list[i], oldItem(schema, old, list[i]), `${path}[${i}]`, findings);
    }
  }
  if (minItems !== undefined && list.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    findings.errors.push(invalidValue(fieldOf(path), list.length, detail));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    findings.errors.push(tooMany(fieldOf(path), list.length, maxItems));
  }
  if (schema.uniqueItems && list.some((item, i) => list.slice(0, i).some((earlier) => equal(item, earlier)))) {
    findings.errors.push(invalidValue(fieldOf(path), '', `${path} in body shouldn't contain duplicates`));
  }
}

function checkObject(schema: Schema, value: Fields, old: unknown, path: string, findings: Findings): void {
  const { properties, additionalProperties: more, required, minProperties, maxProperties } = schema;
  const field = fieldOf(path);
  findings.matches++;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const size = Object.keys(value).length;
    if (minProperties !== undefined && size < minProperties) {
      const detail = `${path} in body should have at least ${minProperties} properties`;
      findings.errors.push(invalidValue(field, size, detail));
    }
    if (maxProperties !== undefined && size > maxProperties) findings.errors.push(tooMany(field, size, maxProperties));
  }
  for (const key in value) {
    if (value[key] === undefined || !Object.hasOwn(value, key)) continue;
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!known && more === false) {
      findings.errors.push(invalidValue(field, key, `${path}.${key} in body is a forbidden property`));
      continue;
    }
    const child = known ?? (typeof more === 'object' ? more : undefined);
    if (!child) continue;
    const unratcheted = old === noOld || (path === '' && (key === 'kind' || key === 'apiVersion'));
    const childPath = path === '' && known ? key : `${path}.${key}`;
    checkRatcheted(child, value[key], unratcheted ? noOld : oldField(schema, old, key), childPath, findings);
  }
  if (required) {
    for (const key of required) {
      const there = Object.hasOwn(value, key) && value[key] !== undefined;
      if (!there) findings.errors.push(requiredValue(path === '' ? key : `${path}.${key}`));
      else findings.matches++;
    }
  }
}
