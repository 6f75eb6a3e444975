import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Json } from '../../kube/object.ts';
import { formatFloat, SHORTEST } from '../template/format/float.ts';
import { resolvePlain } from './yaml-scalar.ts';

/** What is not YAML, or more of it than a parameter may hold. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** So many values a text may stand for, aliases included: no real parameter comes near, every bomb goes beyond. */
const most = 200_000;

const deepest = 1000;

/**
 * The first document of a text as KUDO reads it: YAML 1.1 as Go's library knows it, then everything as JSON would have it.
 * Keys are texts, numbers are float64, timestamps stay texts, the last of several equal keys counts, no text at all is
 * null. Throws a `YamlError`.
 */
export function readYaml(text: string): Json {
  try {
    const documents = parseAllDocuments(text, {
      schema: 'failsafe',
      version: '1.1',
      strict: false,
      uniqueKeys: false,
      logLevel: 'silent',
    });
    const document = documents[0] as Document.Parsed | undefined;
    if (!document) return null;
    const [error] = document.errors;
    if (error) throw new YamlError(error.message);
    return readNode(document.contents, { document, count: 0, depth: 0 });
  } catch (error) {
    if (error instanceof YamlError) throw error;
    // The parser is recursive: what nests deeper than the stack ends here.
    throw new YamlError(error instanceof RangeError ? 'it is nested too deeply' : String(error));
  }
}

interface Reading {
  readonly document: Document.Parsed;
  count: number;
  depth: number;
}

function readNode(node: unknown, reading: Reading): Json {
  if (++reading.count > most) throw new YamlError(`it stands for more than ${most} values`);
  if (++reading.depth > deepest) throw new YamlError('it is nested too deeply');
  try {
    if (isAlias(node)) return readNode(target(node, reading), reading);
    if (isScalar(node)) return jsonOf(scalarOf(node));
    if (isSeq(node)) return node.items.map((item) => readNode(item, reading));
    if (isMap(node)) return Object.fromEntries(entriesOf(node, reading));
    return null;
  } finally {
    reading.depth--;
  }
}

function target(alias: Alias, { document }: Reading): unknown {
  const node = alias.resolve(document);
  if (!node) throw new YamlError(`there is no anchor ${alias.source}`);
  return node;
}

/** In order, and merged where it is asked for: what comes later replaces what came before, as in Go's library. */
function entriesOf(map: YAMLMap, reading: Reading): Map<string, Json> {
  const entries = new Map<string, Json>();
  for (const { key, value } of map.items) {
    const merged = isMerge(key) ? mergedOf(value, reading) : [[keyOf(key, reading), readNode(value, reading)] as const];
    for (const [name, json] of merged) entries.set(name, json);
  }
  return entries;
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

function mergedOf(node: unknown, reading: Reading): Iterable<readonly [string, Json]> {
  const value = isAlias(node) ? target(node, reading) : node;
  if (++reading.count > most) throw new YamlError(`it stands for more than ${most} values`);
  if (isMap(value)) return entriesOf(value, reading);
  // The first of several has the last word.
  if (isSeq(value)) return value.items.toReversed().flatMap((item) => [...mapEntriesOf(item, reading)]);
  throw new YamlError('only maps can be merged with <<');
}

function mapEntriesOf(node: unknown, reading: Reading): Iterable<readonly [string, Json]> {
  const value = isAlias(node) ? target(node, reading) : node;
  if (!isMap(value)) throw new YamlError('only maps can be merged with <<');
  return entriesOf(value, reading);
}

function keyOf(node: unknown, reading: Reading): string {
  const key = isAlias(node) ? target(node, reading) : node;
  const value = isScalar(key) ? scalarOf(key) : undefined;
  if (value === undefined || value === null) throw new YamlError('a key must be a text, a number or a boolean');
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return String(value);
  return formatFloat(value, 'g', SHORTEST);
}

/** By its tag if it has one; a text in quotes is a text. */
function scalarOf(node: Scalar): null | boolean | number | string {
  const text = String(node.value ?? '');
  switch (node.tag) {
    case 'tag:yaml.org,2002:str':
      return text;
    case 'tag:yaml.org,2002:binary':
      return Buffer.from(text, 'base64').toString();
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
    case 'tag:yaml.org,2002:bool':
    case 'tag:yaml.org,2002:null':
      return resolvePlain(text);
    default:
      return node.type === 'PLAIN' ? resolvePlain(text) : text;
  }
}

function jsonOf(value: null | boolean | number | string): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new YamlError('JSON has no such number');
  return value;
}
