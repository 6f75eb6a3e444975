const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const object = Buffer.from('object');
const metadata = Buffer.from('metadata');
const managedFields = Buffer.from('managedFields');

/**
 * The text of one watch event without `object.metadata.managedFields`.
 *
 * That field is often half of an object, no reader of a cache wants it, and to step over its bytes is several times
 * cheaper than to decode it. Only compact JSON, which is what API servers send, is understood: anything else comes back
 * whole, and a decoder finds the field, or the mistake, in it.
 */
export function textWithoutManagedFields(line: Buffer): string {
  const inEvent = member(line, 0, object);
  const inObject = inEvent && member(line, inEvent.value, metadata);
  const found = inObject && member(line, inObject.value, managedFields);
  const end = found ? skip(line, found.value) : -1;
  if (!found || end === -1) return line.toString('utf8');
  const first = line[found.key - 1] !== comma;
  const from = first ? found.key : found.key - 1;
  const to = first && line[end] === comma ? end + 1 : end;
  return line.toString('utf8', 0, from) + line.toString('utf8', to);
}

/** Where a member of the object that starts at `at` has its key and its value. */
function member(text: Buffer, at: number, name: Buffer): { readonly key: number; readonly value: number } | undefined {
  if (text[at] !== openBrace) return undefined;
  let key = at + 1;
  while (text[key] === quote) {
    const end = skipString(text, key);
    if (end === -1 || text[end] !== colon) return undefined;
    const value = end + 1;
    if (end - key - 2 === name.length && startsWith(text, key + 1, name)) return { key, value };
    const next = skip(text, value);
    if (next === -1 || text[next] !== comma) return undefined;
    key = next + 1;
  }
  return undefined;
}

function startsWith(text: Buffer, at: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (text[at + i] !== name[i]) return false;
  return true;
}

/** The position after the string that starts at `at`; -1 when it does not end. */
function skipString(text: Buffer, at: number): number {
  const { length } = text;
  for (let i = at + 1; i < length; i++) {
    const byte = text[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return -1;
}

/** The position after the value that starts at `at`; -1 when it does not end. */
function skip(text: Buffer, at: number): number {
  const first = text[at];
  if (first === quote) return skipString(text, at);
  return first === openBrace || first === openBracket ? skipContainer(text, at) : skipScalar(text, at);
}

function skipContainer(text: Buffer, at: number): number {
  const { length } = text;
  let depth = 0;
  for (let i = at; i < length; i++) {
    switch (text[i]) {
      case quote:
        i = skipString(text, i) - 1;
        if (i < 0) return -1;
        break;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        depth--;
        if (depth === 0) return i + 1;
    }
  }
  return -1;
}

function skipScalar(text: Buffer, at: number): number {
  for (let i = at; i < text.length; i++) {
    const byte = text[i];
    if (byte === comma || byte === closeBrace || byte === closeBracket) return i;
  }
  return -1;
}
