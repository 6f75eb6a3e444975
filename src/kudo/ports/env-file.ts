/** Space as Go knows it. A byte order mark is none. */
const leadingSpace = /^[\t\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * The variables of an environment file: `KEY=VAL` lines, with empty lines and those that begin with `#` left out. The last of
 * several equal keys counts; values are taken as they are, quotes and trailing spaces included.
 *
 * Problems name lines, never what stands there: it may be a secret, even where a key should be.
 */
export function readEnvFile(
  content: Uint8Array,
): { readonly variables: ReadonlyMap<string, string> } | { readonly problem: string } {
  const variables = new Map<string, string>();
  const lines = textOf(content)?.split('\n');
  if (!lines) return { problem: 'it is not UTF-8 text' };
  for (const [index, line] of lines.entries()) {
    const text = (index === 0 ? line.replace(/^\ufeff/, '') : line).replace(/\r$/, '').replace(leadingSpace, '');
    if (text === '' || text.startsWith('#')) continue;
    const equals = text.indexOf('=');
    if (equals < 0) return { problem: `line ${index + 1} is not a valid env var definition (KEY=VAL)` };
    const key = text.slice(0, equals);
    if (!isKey(key)) {
      return { problem: `line ${index + 1} has no valid key name: letters, digits, '-', '_' and '.', no digit first` };
    }
    variables.set(key, text.slice(equals + 1));
  }
  return { variables };
}

function isKey(key: string): boolean {
  return /^[-._a-zA-Z][-._a-zA-Z0-9]{0,252}$/.test(key) && key !== '.' && !key.startsWith('..');
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
