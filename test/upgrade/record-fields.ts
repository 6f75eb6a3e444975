import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What a definition says of one field of a status. */
export interface RecordField {
  readonly type: string;
  /** The values that it may have; absent: any of its type. */
  readonly values?: readonly string[];
  /** Whoever writes what it is in must write it, too. */
  readonly required?: true;
}

/** The fields of the status of each kind, by kind and path: `status.transition.phase`. */
export type RecordFields = Readonly<Record<string, Readonly<Record<string, RecordField>>>>;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Of all definitions in a folder. */
export function recordFieldsIn(folder: string): RecordFields {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const definitions = files.map((name) => parse(readFileSync(join(folder, name), 'utf8')) as Definition);
  const kinds = definitions.map(({ spec: { names, versions } }) => {
    const fields: Record<string, RecordField> = {};
    for (const { schema } of versions) collect('status', schema.openAPIV3Schema.properties?.status, false, fields);
    return [names.kind, fields] as const;
  });
  return Object.fromEntries(kinds.filter(([, fields]) => Object.keys(fields).length > 0));
}

function collect(path: string, schema: Schema | undefined, required: boolean, into: Record<string, RecordField>): void {
  if (!schema) return;
  into[path] = {
    type: schema.type ?? 'any',
    ...(schema.enum && { values: schema.enum.map(String).sort() }),
    ...(required && { required }),
  };
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    collect(`${path}.${name}`, one, schema.required?.includes(name) ?? false, into);
  }
  if (typeof schema.additionalProperties === 'object') collect(`${path}.*`, schema.additionalProperties, false, into);
  collect(`${path}[]`, schema.items, false, into);
}

/** A line for each field: `Instance status.history[].outcome! string COMPLETE|FATAL_ERROR`. */
export function printed(fields: RecordFields): string {
  const lines = Object.entries(fields).flatMap(([kind, paths]) =>
    Object.entries(paths).map(([path, { type, values, required }]) =>
      [kind, path + (required ? '!' : ''), type, ...(values ? [values.join('|')] : [])].join(' '),
    ),
  );
  return `${lines.join('\n')}\n`;
}

export function readPrinted(text: string): RecordFields {
  const fields: Record<string, Record<string, RecordField>> = {};
  for (const line of text.trimEnd().split('\n')) {
    const [kind = '', path = '', type = '', values] = line.split(' ');
    const paths = fields[kind] ?? {};
    fields[kind] = paths;
    paths[path.replace(/!$/, '')] = {
      type,
      ...(values !== undefined && { values: values.split('|') }),
      ...(path.endsWith('!') && { required: true }),
    };
  }
  return fields;
}

/**
 * Why a version with the fields `now` could not resume what one with the fields `before` has left, or the other way round. Empty when
 * both can: an operator is upgraded, and taken back, in the middle of whatever it does.
 */
export function strains(before: RecordFields, now: RecordFields): readonly string[] {
  return Object.entries(before).flatMap(([kind, fields]) => {
    const later = now[kind] ?? {};
    const known = Object.entries(fields).flatMap(([path, old]) => strainsOf(`${kind} ${path}`, old, later[path]));
    const demanded = Object.entries(later)
      .filter(([path, { required }]) => required && !fields[path] && fields[parentOf(path)])
      .map(([path]) => `${kind} ${path}: is required now, and older records do not have it`);
    return [...known, ...demanded];
  });
}

function strainsOf(what: string, old: RecordField, now: RecordField | undefined): readonly string[] {
  if (!now) return [`${what}: is gone, and older records have it`];
  if (now.type !== old.type) return [`${what}: was ${old.type}, and is ${now.type}`];
  const [then = [], values = []] = [old.values, now.values];
  return [
    ...(now.required && !old.required ? [`${what}: is required now, and older records may lack it`] : []),
    ...(old.required && !now.required ? [`${what}: need not be there any more, and older versions rely on it`] : []),
    ...(now.values ? then : []).filter((one) => !values.includes(one)).map((one) => `${what}: ${one} is gone`),
    ...(old.values ? values : [])
      .filter((one) => !then.includes(one))
      .map((one) => `${what}: ${one} is new, and older versions do not know what to do about it`),
  ];
}

const parentOf = (path: string): string => path.replace(/(\.[^.]*|\[\])$/, '');
