import { isFields } from '../schema/json.ts';

/** Deeper values are refused: nothing that Kubernetes knows comes near, and every walk over a value is recursive. */
const deepest = 1000;

/** A text that is not JSON, or is too deep. The message says where. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

/**
 * Reads JSON and lists the keys that an object of it has twice, as paths (`data.a`, `spec.ports[0].name`). Of such a
 * key the last value counts.
 *
 * @throws MalformedJson
 */
export function parseJson(text: string): { readonly value: unknown; readonly duplicates: readonly string[] } {
  const { keys } = survey(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedJson((error as Error).message);
  }
  // Counting is cheap, and almost always enough to know that there are none.
  return { value, duplicates: countKeys(value) === keys ? [] : duplicatesIn(text) };
}

/** Counts the keys of a text, and refuses one that is too deep before anyone descends into it. */
function survey(text: string): { readonly keys: number } {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case colon:
        keys++;
        break;
      case openBrace:
      case openBracket:
        if (++depth > deepest) throw new MalformedJson(`exceeded max depth at position ${at}`);
        break;
      case closeBrace:
      case closeBracket:
        depth--;
        break;
    }
  }
  return { keys };
}

function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
  } else if (isFields(value)) {
    for (const key in value) {
      count++;
      const child = value[key];
      if (typeof child === 'object') count += countKeys(child);
    }
  }
  return count;
}

/** Walks valid JSON once more, remembering the keys of every open object. */
function duplicatesIn(text: string): string[] {
  const found: string[] = [];
  const open: { readonly keys: Set<string> | undefined; index: number; key: string }[] = [];
  const path = (): string =>
    open.map(({ keys, index, key }, level) => (keys ? `${level === 0 ? '' : '.'}${key}` : `[${index}]`)).join('');
  for (let at = 0; at < text.length; at++) {
    const top = open.at(-1);
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        let next = end + 1;
        while (isSpace(text.charCodeAt(next))) next++;
        if (top?.keys && text.charCodeAt(next) === colon) {
          top.key = JSON.parse(text.slice(at, end + 1)) as string;
          if (top.keys.has(top.key)) found.push(path());
          top.keys.add(top.key);
        }
        at = end;
        break;
      }
      case comma:
        if (top && !top.keys) top.index++;
        break;
      case openBrace:
        open.push({ keys: new Set(), index: 0, key: '' });
        break;
      case openBracket:
        open.push({ keys: undefined, index: 0, key: '' });
        break;
      case closeBrace:
      case closeBracket:
        open.pop();
        break;
    }
  }
  return found;
}

/** The position of the quote that closes the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
