import type { Json, JsonObject } from '../kube/object.ts';
import { didYouMean } from '../portrait/text/near-names.ts';
import { isMap } from './merge-values.ts';

/** The words of JSON Schema that values.schema.json may use; a test holds it to them. */
export const knownWords = [
  ...['$schema', 'title', 'description', 'type', 'properties', 'additionalProperties', 'items'],
  ...['enum', 'pattern', 'minLength', 'minimum', 'maximum', 'uniqueItems', 'required'],
] as const;

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly uniqueItems?: boolean;
  readonly required?: readonly string[];
}

/** What is wrong with values, each with its path, what was given and what to write instead; nothing when all is well. */
export function checkValues(schema: Json, values: JsonObject): readonly string[] {
  return problems(schema as Schema, values, '');
}

function problems(schema: Schema, value: Json, path: string): readonly string[] {
  const wanted = schema.type === undefined ? [] : [schema.type].flat();
  if (wanted.length > 0 && !wanted.some((type) => isOf(type, value))) {
    return [`${path}: ${shown(value)} is ${kindOf(value)}; write ${wanted.map(article).join(' or ')}${hint(schema)}`];
  }
  if (schema.enum && !schema.enum.includes(value)) {
    const names = schema.enum.map((one) => (one === '' ? 'nothing' : String(one)));
    const near = typeof value === 'string' ? didYouMean(value, names) : '';
    return [`${path}: ${shown(value)} is none of ${names.join(', ')}.${near}`];
  }
  if (isMap(value)) return inMap(schema, value, path);
  if (Array.isArray(value)) return inList(schema, value, path);
  if (typeof value === 'string') return inText(schema, value, path);
  if (typeof value === 'number') return inNumber(schema, value, path);
  return [];
}

function inMap(schema: Schema, map: JsonObject, path: string): readonly string[] {
  const { properties = {}, additionalProperties = true, required = [] } = schema;
  const names = Object.keys(properties);
  const missing = required.filter((name) => !Object.hasOwn(map, name));
  return [
    ...missing.map((name) => `${place(path, name)}: it is missing, and nothing works without it`),
    ...Object.entries(map).flatMap(([name, value]) => {
      const at = place(path, name);
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known) return problems(known, value, at);
      if (additionalProperties === false) {
        const all = names.length === 0 ? '' : ` Known here: ${names.join(', ')}.`;
        return [`${at}: there is no such value.${didYouMean(name, names) || all}`];
      }
      return additionalProperties === true ? [] : problems(additionalProperties, value, at);
    }),
  ];
}

function inList({ items, uniqueItems }: Schema, list: readonly Json[], path: string): readonly string[] {
  const texts = list.map((item) => JSON.stringify(item));
  const twice = uniqueItems ? texts.find((text, index) => texts.indexOf(text) !== index) : undefined;
  return [
    ...(twice === undefined ? [] : [`${path}: ${twice} is there twice; once is enough`]),
    ...(items ? list.flatMap((item, index) => problems(items, item, `${path}[${index}]`)) : []),
  ];
}

function inText(schema: Schema, text: string, path: string): readonly string[] {
  if (text.length < (schema.minLength ?? 0)) return [`${path}: it is empty${hint(schema)}`];
  if (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)) return [];
  return [`${path}: ${shown(text)} cannot be used${hint(schema)}`];
}

function inNumber({ minimum, maximum }: Schema, number: number, path: string): readonly string[] {
  if (minimum !== undefined && number < minimum) return [`${path}: ${number} is too little; write ${minimum} or more`];
  if (maximum !== undefined && number > maximum) return [`${path}: ${number} is too much; write ${maximum} or less`];
  return [];
}

function place(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The description of a schema says what a value must look like. */
function hint({ description }: Schema): string {
  return description === undefined ? '' : `: ${description}`;
}

function isOf(type: string, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isMap(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

const words: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'nothing',
};

function article(type: string): string {
  return words[type] ?? type;
}

function kindOf(value: Json): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? 'a yes or no' : article(typeof value);
}

const longestShown = 60;

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
