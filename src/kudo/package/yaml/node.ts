import type { Position } from '../position.ts';

/** A YAML file as data, each value with its place. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly kind: 'map';
  readonly at: Position;
  /** A `Map`, so that a key is only a key, whatever it is called. */
  readonly entries: ReadonlyMap<string, YamlEntry>;
}

export interface YamlEntry {
  /** Where the key stands. */
  readonly at: Position;
  readonly value: YamlNode;
}

export interface YamlList {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: Scalar;
}

export type Scalar = null | boolean | string | number;

/** What is left when the places are forgotten. */
export type Plain = null | boolean | string | number | readonly Plain[] | ReadonlyMap<string, Plain>;

export function plain(node: YamlNode): Plain {
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'map') return new Map([...node.entries].map(([key, entry]) => [key, plain(entry.value)]));
  return node.value;
}
