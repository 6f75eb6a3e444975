import { parseDuration, showDuration } from './duration.ts';
import { parseMemorySize, showMemorySize } from './memory-size.ts';
import { parseList, parseMap, parseMaps, showList, showMap } from './structured.ts';

/** A kind of values that configuration keys have. */
export interface ValueKind<T> {
  /** With its article: `a duration`. */
  readonly name: string;
  /** What people may write instead of something that cannot be read. */
  readonly example: string;
  /** Undefined when the text is no such value. */
  readonly parse: (text: string) => T | undefined;
  readonly show: (value: T) => string;
}

export const text: ValueKind<string> = { name: 'a text', example: 'text', parse: (value) => value, show: String };

export const boolean: ValueKind<boolean> = {
  name: 'a boolean',
  example: 'true',
  parse: (value) => ({ true: true, false: false })[value.trim().toLowerCase()],
  show: String,
};

/** A whole number within the range of Java's int. */
export const integer: ValueKind<number> = {
  name: 'a whole number',
  example: '10',
  parse: (value) => {
    const number = /^[-+]?\d{1,10}$/.test(value.trim()) ? Number(value) : Number.NaN;
    return number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
  },
  show: String,
};

/** How many of something. */
export const count: ValueKind<number> = {
  name: 'a whole number, 0 or more',
  example: '10',
  parse: (value) => {
    const number = integer.parse(value);
    return number !== undefined && number >= 0 ? number : undefined;
  },
  show: String,
};

export const decimal: ValueKind<number> = {
  name: 'a number',
  example: '0.5',
  parse: (value) =>
    /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?[df]?$/i.test(value.trim()) ? parseFloat(value) : undefined,
  show: String,
};

/** In milliseconds. */
export const duration: ValueKind<number> = {
  name: 'a duration',
  example: '30 s',
  parse: parseDuration,
  show: showDuration,
};

/** Longer than anybody waits; beyond it lie times that cannot be written. */
const longest = 36_500 * 86_400_000;

/** In milliseconds, never negative. A bare number is none: it would be milliseconds, and hardly anybody means them. */
export const waitingTime: ValueKind<number> = {
  name: 'a duration with its unit',
  example: '30 s',
  parse: (value) => {
    const milliseconds = /^\s*[-+]?\d+\s*$/.test(value) ? undefined : parseDuration(value);
    return milliseconds !== undefined && milliseconds >= 0 && milliseconds <= longest ? milliseconds : undefined;
  },
  show: showDuration,
};

/** In bytes. */
export const memory: ValueKind<number> = {
  name: 'a memory size',
  example: '2 gb',
  parse: parseMemorySize,
  show: showMemorySize,
};

export const list: ValueKind<readonly string[]> = {
  name: 'a list',
  example: 'one;two',
  parse: parseList,
  show: showList,
};

export const map: ValueKind<ReadonlyMap<string, string>> = {
  name: 'a map',
  example: 'key:value,other:value',
  parse: parseMap,
  show: showMap,
};

export const maps: ValueKind<readonly ReadonlyMap<string, string>[]> = {
  name: 'a list of maps',
  example: 'key:value,other:value;key:value',
  parse: parseMaps,
  show: (value) => showList(value.map(showMap)),
};

/** Texts by regular expressions. `(?i)`, `(?m)` and `(?s)` at the beginning mean what they do in Java. */
export const patterns: ValueKind<readonly (readonly [RegExp, string])[]> = {
  name: 'a map of regular expressions',
  example: 'No such file:storage,(?i)timeout:slow',
  parse(value) {
    const map = parseMap(value);
    const found = map && [...map].flatMap(([source, label]) => asPattern(source, label));
    return found?.length === map?.size ? found : undefined;
  },
  show: (value) => showMap(value.map(([{ source }, text]) => [source, text])),
};

function asPattern(text: string, label: string): readonly (readonly [RegExp, string])[] {
  const [, flags = '', source = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(text) ?? [];
  try {
    return [[new RegExp(source, flags), label]];
  } catch {
    return [];
  }
}

/** A port that is known beforehand: neither 0 nor a range. */
export const port: ValueKind<number> = {
  name: 'a single port',
  example: '8081',
  parse: (value) => {
    const number = integer.parse(value);
    return number !== undefined && number > 0 && number < 65_536 ? number : undefined;
  },
  show: String,
};

/** A single port, or 0 for one that is not known beforehand. */
export const portOrAny: ValueKind<number> = {
  ...port,
  parse: (value) => (integer.parse(value) === 0 ? 0 : port.parse(value)),
};

/** One of some words, in any case; as it is spelled here. */
export function oneOf<const W extends string>(...words: readonly W[]): ValueKind<W> {
  return {
    name: `one of ${words.join(', ')}`,
    example: words[0] ?? '',
    parse: (value) => words.find((word) => word.toLowerCase() === value.trim().toLowerCase()),
    show: String,
  };
}

/** A value that may be left out. */
export function optional<T>(kind: ValueKind<T>): ValueKind<T | undefined> {
  return { ...kind, show: (value) => (value === undefined ? '' : kind.show(value)) };
}
