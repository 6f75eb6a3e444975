import { isAbsent, isObject, member, plain } from './equal.ts';

/** Longest text of one value. */
const longest = 60;

/** A value as one short piece of text; absent is `(none)`. Total for any depth and size: it stops when it has enough. */
export function show(value: unknown): string {
  if (isAbsent(value)) return '(none)';
  const text = write(plain(value), longest + 1);
  return text.length > longest ? `${cut(text, longest - 1)}…` : text;
}

/** The same text on one line: control characters, which could forge lines or colours in a log, become escapes. */
export function line(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** JSON, but no longer than needed: every level writes at least a character, so `room` bounds depth as well. */
function write(value: unknown, room: number): string {
  if (typeof value === 'string') return word(value.length > room ? cut(value, room) : value);
  if (Array.isArray(value)) {
    let text = '[';
    for (const [index, element] of value.entries()) {
      if (text.length >= room) return text;
      text += (index === 0 ? '' : ', ') + write(plain(element), room - text.length);
    }
    return `${text}]`;
  }
  if (isObject(value)) {
    let text = '{';
    for (const key of Object.keys(value).sort()) {
      if (text.length >= room) return text;
      const name = word(key.length > room ? cut(key, room) : key);
      text += `${text === '{' ? '' : ', '}${name}: ${write(member(value, key), room - text.length)}`;
    }
    return `${text}}`;
  }
  return String(value);
}

/** A string bare when nobody could take it for something else, quoted otherwise. */
function word(text: string): string {
  const bare = /^[\p{L}\p{N}/_.][\p{L}\p{N}/_.:@+-]*$/u.test(text) && Number.isNaN(Number(text));
  return bare && !['true', 'false', 'null'].includes(text) ? text : line(JSON.stringify(text));
}

/** The first `length` characters, not ending in half of one. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
