import { sortedKeys } from '../../format/bytes.ts';
import type { Room } from '../../function.ts';
import { GoInt, type GoMap, GoObject, type GoValue } from '../../value.ts';
import { momentOf, rfc3339 } from './dates/moment.ts';
import { NilMap } from './define.ts';
import { isEscape } from './go-bytes.ts';
import { isNilSlice, isSlice, itemsOf } from './slices.ts';
import { weigh } from './weigh.ts';

/** JSON as Go writes it: keys in order, and nothing in it that HTML could take for a tag. Empty if there is no JSON for it. */
export function toJson(value: GoValue, room: Pick<Room, 'charge'>): string {
  return written(value, '', room);
}

export function toPrettyJson(value: GoValue, room: Pick<Room, 'charge'>): string {
  return written(value, '  ', room);
}

function written(value: GoValue, indent: string, room: Pick<Room, 'charge'>): string {
  weigh(value, room);
  return json(value, indent, '\n', room) ?? '';
}

/** Nothing when a part of it cannot be written: a number that is none, or is infinite. */
function json(value: GoValue, indent: string, line: string, room: Pick<Room, 'charge'>): string | undefined {
  if (value === null || isNilSlice(value) || value instanceof NilMap) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? number(value) : undefined;
  if (value instanceof GoInt) return value.value.toString();
  if (typeof value === 'boolean') return String(value);
  if (value instanceof GoObject) return object(value, indent, line, room);
  const inner = line + indent;
  if (isSlice(value)) {
    return block(
      '[]',
      itemsOf(value).map((item) => json(item, indent, inner, room)),
      { indent, line },
      room,
    );
  }
  return members(value as GoMap, sortedKeys(value as GoMap), { indent, line }, room);
}

function members(
  map: ReadonlyMap<string, GoValue>,
  keys: readonly string[],
  { indent, line }: { readonly indent: string; readonly line: string },
  room: Pick<Room, 'charge'>,
): string | undefined {
  const colon = indent === '' ? ':' : ': ';
  const parts = keys.map((key) => {
    const text = json(map.get(key) as GoValue, indent, line + indent, room);
    return text === undefined ? undefined : quoted(key) + colon + text;
  });
  return block('{}', parts, { indent, line }, room);
}

function block(
  brackets: '[]' | '{}',
  parts: readonly (string | undefined)[],
  { indent, line }: { readonly indent: string; readonly line: string },
  room: Pick<Room, 'charge'>,
): string | undefined {
  if (parts.includes(undefined)) return undefined;
  if (parts.length === 0) return brackets;
  const inner = indent === '' ? '' : line + indent;
  room.charge(parts.length * (inner.length + 1));
  return brackets[0] + inner + parts.join(`,${inner}`) + (indent === '' ? '' : line) + brackets[1];
}

/** A time is its text, so is a version; a struct is its fields. */
function object(value: GoObject, indent: string, line: string, room: Pick<Room, 'charge'>): string | undefined {
  if (value.type === 'time.Time') return quoted(rfc3339(momentOf(value)));
  if (value.fields.size === 0) return quoted(value.text);
  return members(value.fields, [...value.fields.keys()], { indent, line }, room);
}

/** JavaScript and Go agree, except on what is less than zero and yet zero. */
function number(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must be escaped
  const escaped = text.replace(/["\\\u0000-\u001f<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return SHORT.get(character) ?? `\\u${code}`;
  });
  if (escaped.isWellFormed()) return `"${escaped}"`;
  return `"${[...escaped].map((c) => (isEscape(c.codePointAt(0) as number) ? '\\ufffd' : c)).join('')}"`;
}
