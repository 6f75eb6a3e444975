import { byBytes, workOfSorting } from '../../format/bytes.ts';
import { quote } from '../../format/quote.ts';
import { text as printed } from '../../format/sprint.ts';
import { FunctionFailure, type GoFunction, type Room } from '../../function.ts';
import { GoStringMap, type GoValue } from '../../value.ts';
import { isSpace, lowercase, swapped, titled, untitled, uppercase } from './case.ts';
import { define, defineVariadic, slow } from './define.ts';
import { binaryOf, cut, fromBinary } from './go-bytes.ts';
import { chargeItems, isSlice, strings } from './slices.ts';
import { textsOfValue } from './texts-of-value.ts';
import { camelCase, connectedCase } from './word-case.ts';
import { abbreviate, wrap } from './wrap.ts';

/** Units of work to look at a character and write it down, perhaps escaped. */
const QUOTING = 5;

export const STRINGS: Readonly<Record<string, GoFunction>> = {
  abbrev: define(['int', 'string'], ([width, text]) => abbreviate(text, 0, width)),
  abbrevboth: define(['int', 'int', 'string'], ([left, right, text]) => {
    if (left > 0 && right < 7) return text;
    return abbreviate(text, left, right);
  }),
  camelcase: slow(
    100,
    define(['string'], ([text]) => camelCase(text)),
  ),
  cat: defineVariadic([], 'interface {}', (_, values, room) =>
    withoutNil(values)
      .map((value) => printed(value, room))
      .join(' '),
  ),
  contains: define(['string', 'string'], ([part, text]) => text.includes(part)),
  hasPrefix: define(['string', 'string'], ([prefix, text]) => text.startsWith(prefix)),
  hasSuffix: define(['string', 'string'], ([suffix, text]) => text.endsWith(suffix)),
  hello: define([], () => 'Hello!'),
  indent: define(['int', 'string'], ([spaces, text], room) => indented(text, spaces, room)),
  initials: slow(
    10,
    define(['string'], ([text]) => initials(text)),
  ),
  join: define(['string', 'interface {}'], ([separator, value], room) => {
    const texts = textsOfValue(value, room);
    room.charge(separator.length * texts.length + texts.reduce((sum, text) => sum + text.length, 0));
    return texts.join(separator);
  }),
  kebabcase: slow(
    150,
    define(['string'], ([text]) => connectedCase(text, '-')),
  ),
  lower: define(['string'], ([text]) => lowercase(text)),
  nindent: define(['int', 'string'], ([spaces, text], room) => `\n${indented(text, spaces, room)}`),
  nospace: slow(
    10,
    define(['string'], ([text]) => withoutSpace(text)),
  ),
  plural: define(['string', 'string', 'int'], ([one, many, count]) => (count === 1 ? one : many)),
  quote: defineVariadic([], 'interface {}', (_, values, room) =>
    withoutNil(values)
      .map((value) => quoted(printed(value, room), room))
      .join(' '),
  ),
  repeat: define(['int', 'string'], ([count, text], room) => repeated(text, count, room)),
  replace: define(['string', 'string', 'string'], ([old, by, text], room) => replaced(text, old, by, room)),
  snakecase: slow(
    150,
    define(['string'], ([text]) => connectedCase(text, '_')),
  ),
  sortAlpha: define(['interface {}'], ([value], room) => {
    if (!isSlice(value)) return strings([printed(value, room)]);
    const texts = textsOfValue(value, room);
    room.work(workOfSorting(texts));
    return strings([...texts].sort(byBytes));
  }),
  split: define(['string', 'string'], ([separator, text], room) => numbered(split(text, separator, -1, room))),
  splitList: define(['string', 'string'], ([separator, text], room) => strings(split(text, separator, -1, room))),
  splitn: define(['string', 'int', 'string'], ([separator, count, text], room) =>
    numbered(split(text, separator, count, room)),
  ),
  squote: defineVariadic([], 'interface {}', (_, values, room) =>
    withoutNil(values)
      .map((value) => `'${printed(value, room)}'`)
      .join(' '),
  ),
  substr: define(['int', 'int', 'string'], ([start, end, text]) => substring(text, start, end)),
  swapcase: slow(
    10,
    define(['string'], ([text]) => swapped(text)),
  ),
  title: slow(
    10,
    define(['string'], ([text]) => titled(text)),
  ),
  toString: define(['interface {}'], ([value], room) => printed(value, room)),
  toStrings: define(['interface {}'], ([value], room) => strings(textsOfValue(value, room))),
  trim: define(['string'], ([text]) => trimmed(text)),
  trimAll: slow(
    5,
    define(['string', 'string'], ([set, text]) => trimmedOf(text, set)),
  ),
  trimall: slow(
    5,
    define(['string', 'string'], ([set, text]) => trimmedOf(text, set)),
  ),
  trimPrefix: define(['string', 'string'], ([prefix, text]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  trimSuffix: define(['string', 'string'], ([suffix, text]) =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  trunc: define(['int', 'string'], ([length, text]) => {
    const binary = binaryOf(text);
    return binary.length <= length ? text : fromBinary(cut(binary, 0, length));
  }),
  untitle: slow(
    10,
    define(['string'], ([text]) => untitled(text)),
  ),
  upper: define(['string'], ([text]) => uppercase(text)),
  wrap: define(['int', 'string'], ([width, text], room) => wrap(text, { width, separator: '\n', long: 'keep' }, room)),
  wrapWith: define(['int', 'string', 'string'], ([width, separator, text], room) =>
    wrap(text, { width, separator, long: 'break' }, room),
  ),
};

function withoutNil(values: readonly GoValue[]): readonly GoValue[] {
  return values.filter((value) => value !== null);
}

function quoted(text: string, room: Room): string {
  room.work(text.length * QUOTING);
  return quote(text);
}

function repeated(text: string, count: number, room: Room): string {
  if (count < 0) throw new FunctionFailure('strings: negative Repeat count');
  room.charge(text.length * count);
  return text.repeat(count);
}

function indented(text: string, spaces: number, room: Room): string {
  const pad = repeated(' ', spaces, room);
  return pad + replaced(text, '\n', `\n${pad}`, room);
}

/** Every occurrence; an empty one is before each character and at the end. */
function replaced(text: string, old: string, by: string, room: Room): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  room.charge(text.length + (parts.length - 1) * by.length);
  return parts.join(by);
}

/** The first byte of each word. Go takes every byte for a character here, so only ASCII comes out as it went in. */
function initials(text: string): string {
  let out = '';
  let beginning = true;
  for (const byte of binaryOf(text)) {
    if (isSpace(byte)) beginning = true;
    else if (beginning) {
      out += byte;
      beginning = false;
    }
  }
  return out;
}

/** Bytes that are no space. As in Go, a text that had one comes out with every byte as a character. */
function withoutSpace(text: string): string {
  const binary = binaryOf(text);
  const kept = [...binary].filter((byte) => !isSpace(byte)).join('');
  return kept.length === binary.length ? text : kept;
}

/** At most `count` parts, the last one with all the rest; none for 0, no limit below. */
function split(text: string, separator: string, count: number, room: Room): readonly string[] {
  if (count === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  chargeItems(parts.length, room);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

/** As sprig hands parts to templates: `._0`, `._1`. */
function numbered(parts: readonly string[]): GoStringMap {
  return new GoStringMap(parts.map((part, index) => [`_${index}`, part]));
}

/** By bytes. A negative start means from the beginning, and then the end is not looked at twice. */
function substring(text: string, start: number, end: number): string {
  const binary = binaryOf(text);
  if (start < 0) return fromBinary(cut(binary, undefined, end));
  if (end < 0 || end > binary.length) return fromBinary(cut(binary, start, undefined));
  return fromBinary(cut(binary, start, end));
}

/** Without spaces at both ends: all of them are single units. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start] as string)) start += 1;
  while (end > start && isSpace(text[end - 1] as string)) end -= 1;
  return text.slice(start, end);
}

/** Without any character of the set at both ends. */
function trimmedOf(text: string, set: string): string {
  const unwanted = new Set(set);
  const characters = [...text];
  let start = 0;
  let end = characters.length;
  while (start < end && unwanted.has(characters[start] as string)) start += 1;
  while (end > start && unwanted.has(characters[end - 1] as string)) end -= 1;
  return characters.slice(start, end).join('');
}
