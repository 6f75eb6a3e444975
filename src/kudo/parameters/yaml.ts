import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  type Scalar,
  visit,
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

const deepest = 500;

const tooDeep = 'it is nested too deeply';

/**
 * The first document of a text as KUDO reads it: YAML 1.1 as Go's library knows it, then everything as JSON would have it.
 * Keys are texts, numbers are float64, timestamps stay texts, the last of several equal keys counts, no text at all is
 * null. Throws a `YamlError`. Who wants to know which keys stand twice in a map gives `twice`.
 */
export function readYaml(text: string, twice: (key: string) => void = () => {}): Json {
  const [document] = parsed(text);
  if (!document) return null;
  const [error] = document.errors;
  if (error) throw new YamlError(`${told(error.message)} at line ${text.slice(0, error.pos[0]).split('\n').length}`);
  const targets = text.includes('&') ? targetsIn(document) : new Map<Alias, Node>();
  return readNode(document.contents, { targets, twice, count: 0, depth: 0 });
}

/** Without the parser's own excerpts: it makes one for every error, each as long as the line. */
function parsed(text: string): readonly Document.Parsed[] {
  const options = { schema: 'failsafe', version: '1.1', strict: false, uniqueKeys: false } as const;
  try {
    return parseAllDocuments(text, { ...options, logLevel: 'silent', prettyErrors: false }) as Document.Parsed[];
  } catch (error) {
    throw new YamlError(told(String(error)));
  }
}

/** The parser is recursive, and tells so in the words of the engine. */
function told(message: string): string {
  return message.includes('call stack') ? tooDeep : message;
}

interface Reading {
  /** What every alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly twice: (key: string) => void;
  count: number;
  depth: number;
}

function readNode(node: unknown, reading: Reading): Json {
  if (++reading.count > most) throw new YamlError(`it stands for more than ${most} values`);
  if (++reading.depth > deepest) throw new YamlError(tooDeep);
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

function target(alias: Alias, { targets }: Reading): unknown {
  const node = targets.get(alias);
  if (!node) throw new YamlError(`there is no anchor ${alias.source}`);
  return node;
}

/** In one walk: the parser itself would search the whole document for every alias. The last anchor before an alias counts. */
function targetsIn(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, (_, node) => {
    if (isAlias(node)) {
      const anchored = anchors.get(node.source);
      if (anchored) targets.set(node, anchored);
    } else if (isNode(node) && 'anchor' in node && node.anchor) {
      anchors.set(node.anchor, node);
    }
  });
  return targets;
}

/** In order, and merged where it is asked for: what comes later replaces what came before, as in Go's library. */
function entriesOf(map: YAMLMap, reading: Reading): Map<string, Json> {
  const entries = new Map<string, Json>();
  const written = new Set<string>();
  for (const { key, value } of map.items) {
    if (isMerge(key)) {
      for (const [name, json] of mergedOf(value, reading)) entries.set(name, json);
      continue;
    }
    const name = keyOf(key, reading);
    if (written.has(name)) reading.twice(name);
    written.add(name);
    entries.set(name, readNode(value, reading));
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
