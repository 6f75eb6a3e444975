/** Values as Go prints them, because Kubernetes' messages are made of them and clients compare messages. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what gets escaped
const special = /[\u0000-\u001f"\\\u007f-\u00a0\u00ad\u2028\u2029\ufeff\ufffd]/g;

const short: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u000b': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** `%q`: a double-quoted Go string. */
export function quote(text: string): string {
  const escaped = text.replace(special, (character) => {
    const named = short[character];
    if (named) return named;
    const code = character.charCodeAt(0);
    if (character === '\ufffd') return character;
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

/** `%v` of a number that came as JSON. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return Object.is(value, -0) ? '0' : BigInt(value).toString();
  const magnitude = Math.abs(value);
  const text = magnitude !== 0 && magnitude < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** `json.Marshal` of a map: keys sorted, `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  return goStruct(sorted(value));
}

/** `json.Marshal` of a struct: fields as they stand. */
export function goStruct(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How a field error shows the value that is wrong. */
export function goValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'boolean') return String(value);
  return goJson(value);
}

/** `%v`: `map[a:1 b:[x y]]`. */
export function goPrint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object' || value === null) return value === null ? '<nil>' : String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, child]) => `${key}:${goPrint(child)}`).join(' ')}]`;
}

/** `%T` of a value that came as JSON. */
export function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'object' ? 'map[string]interface {}' : 'string';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
