import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseAllDocuments, Scalar } from 'yaml';
import { resolvePlain } from '../../parameters/yaml-scalar.ts';
import { type Complaint, PackageError } from '../package-error.ts';
import type { Position } from '../position.ts';
import type { Scalar as Resolved, YamlEntry, YamlNode } from './node.ts';
import { numberText } from './number-text.ts';

export interface ReadYaml {
  /** `undefined`: the file is empty. */
  readonly root: YamlNode | undefined;
  readonly warnings: readonly Complaint[];
}

/** More values than this in one file come from aliases of aliases; nobody writes them. */
const MOST_VALUES = 100_000;

/** An operator has little more than that in etcd, templates included. */
const MOST_CHARACTERS = 1 << 20;

/** Lists and maps inside one another. */
const MOST_DEPTH = 100;

/**
 * Reads a file as KUDO does: YAML 1.1, the first document, the last of two equal keys. What KUDO keeps silent about is a
 * warning. Errors: `PackageError`, with the place.
 */
export function readYaml(file: string, text: string): ReadYaml {
  if (text.length > MOST_CHARACTERS)
    throw new PackageError({
      message: `it has ${text.length} characters, and at most ${MOST_CHARACTERS} are read`,
      at: { file, line: 1, column: 1 },
    });
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const documents = parse(text, lines, file);
  const first = documents[0];
  if (!first) return { root: undefined, warnings: [] };
  const broken = first.errors[0];
  if (broken) throw new PackageError({ message: firstLine(broken.message), at: place(broken.pos[0]) });

  const warnings: Complaint[] = [];
  if (documents[1])
    warnings.push({
      message: 'only the first document of the file is read; a line --- begins another',
      at: place(documents[1].range[0]),
    });
  const root = first.contents === null ? undefined : new Reader(place, warnings).node(first.contents, 0);
  return { root: root?.kind === 'scalar' && root.value === null ? undefined : root, warnings };
}

interface Document {
  readonly contents: Node | null;
  readonly errors: readonly { readonly message: string; readonly pos: readonly [number, number] }[];
  readonly range: readonly [number, number, number];
}

function parse(text: string, lineCounter: LineCounter, file: string): readonly Document[] {
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter,
      schema: 'failsafe',
      uniqueKeys: false,
      logLevel: 'silent',
      // The parser's own excerpts: one for every error, each as long as its line.
      prettyErrors: false,
      version: '1.1',
    });
    if (!Array.isArray(parsed)) return [];
    return parsed.map((document) => ({
      contents: document.contents as Node | null,
      errors: document.errors,
      range: document.range,
    }));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PackageError({ message: 'it is nested too deeply', at: { file, line: 1, column: 1 } });
  }
}

class Reader {
  readonly #place: (offset: number) => Position;
  readonly #warnings: Complaint[];
  /** An anchor stands for the value that had it last before the alias, in the order of the text. */
  readonly #anchors = new Map<string, Node>();
  #values = 0;

  constructor(place: (offset: number) => Position, warnings: Complaint[]) {
    this.#place = place;
    this.#warnings = warnings;
  }

  node(node: Node, depth: number): YamlNode {
    const at = this.#place(node.range?.[0] ?? 0);
    if (++this.#values > MOST_VALUES) throw new PackageError({ message: 'it has too many values', at });
    if (depth > MOST_DEPTH) throw new PackageError({ message: 'it is nested too deeply', at });
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (!target) throw new PackageError({ message: `unknown anchor '${node.source}' referenced`, at });
      return this.node(target, depth + 1);
    }
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (isMap(node)) return { kind: 'map', at, entries: this.#entries(node.items as Pair<Node, Node | null>[], depth) };
    if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => this.node(item as Node, depth + 1)) };
    return { kind: 'scalar', at, value: scalarOf(node) };
  }

  #entries(items: readonly Pair<Node, Node | null>[], depth: number): ReadonlyMap<string, YamlEntry> {
    const own = new Map<string, YamlEntry>();
    const merged = new Map<string, YamlEntry>();
    for (const { key, value } of items) {
      const at = this.#place(key.range?.[0] ?? 0);
      const read = value === null ? ({ kind: 'scalar', at, value: null } as const) : this.node(value, depth + 1);
      if (isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<') {
        for (const [name, entry] of mergedEntries(read)) if (!merged.has(name)) merged.set(name, entry);
        continue;
      }
      const name = keyOf(this.node(key, depth + 1));
      const before = own.get(name);
      if (before)
        this.#warnings.push({
          message: `${JSON.stringify(name)} stands here a second time (first in line ${before.at.line}): the last one counts`,
          at,
        });
      own.set(name, { at, value: read });
    }
    for (const [name, entry] of own) merged.set(name, entry);
    return merged;
  }
}

/** `<<: *defaults`, or a list of such, of which the first counts. */
function mergedEntries(node: YamlNode): ReadonlyMap<string, YamlEntry> {
  if (node.kind === 'map') return node.entries;
  const maps = node.kind === 'list' ? node.items : [];
  if (node.kind !== 'list' || maps.some((item) => item.kind !== 'map'))
    throw new PackageError({ message: 'map merge requires map or sequence of maps as the value', at: node.at });
  const all = new Map<string, YamlEntry>();
  for (const item of maps) {
    if (item.kind !== 'map') continue;
    for (const [name, entry] of item.entries) if (!all.has(name)) all.set(name, entry);
  }
  return all;
}

function scalarOf(node: Node): Resolved {
  if (!isScalar(node)) return null;
  const text = String(node.value ?? '');
  if (node.tag === '!' || node.tag?.endsWith('str')) return text;
  return node.type === Scalar.PLAIN || node.type === undefined ? resolvePlain(text) : text;
}

/** A key becomes text as JSON has it: `yes` is "true", `1.50` is "1.5". */
function keyOf(node: YamlNode): string {
  if (node.kind !== 'scalar') throw new PackageError({ message: 'a key must be a single word', at: node.at });
  if (node.value === null) throw new PackageError({ message: 'a key is missing before the colon', at: node.at });
  return typeof node.value === 'number' ? numberText(node.value) : String(node.value);
}

/** The parser catches the end of its own stack and hands it on as an error like any other. */
function firstLine(message: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply';
  return message.split('\n', 1)[0] ?? message;
}
