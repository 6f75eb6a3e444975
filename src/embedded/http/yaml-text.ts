import type { StatusError } from '../status-error.ts';
import { MalformedJson, parseJson } from './json-text.ts';

/**
 * Reads one YAML document as JSON. JSON is YAML, and what clients mostly send under that name, so it is tried first.
 *
 * @throws what `malformed` makes of the reason, with line and column
 */
export async function parseYaml(
  text: string,
  malformed: (why: string) => StatusError,
): Promise<{ readonly value: unknown; readonly duplicates: readonly string[] }> {
  if (/^\s*\{/.test(text)) {
    try {
      return parseJson(text);
    } catch (error) {
      if (error instanceof MalformedJson && error.message.startsWith('exceeded max depth'))
        throw malformed(error.message);
      // A flow mapping of YAML looks like JSON at first.
    }
  }
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    merge: false,
    strict: false,
    prettyErrors: false,
  });
  const [error] = document.errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw malformed(`yaml: line ${line}: column ${col}: ${error.message}`);
  }
  let value: unknown;
  try {
    // Aliases can make a small text into a huge value; so many are never needed.
    value = document.toJS({ maxAliasCount: 100 });
    // Through JSON, so that what cannot be JSON (dates, maps with odd keys, own prototypes) cannot get in.
    return {
      ...parseJson(JSON.stringify(value ?? null)),
      duplicates: document.errors.map(({ pos }) => keyAt(text, pos[0])),
    };
  } catch (cause) {
    throw malformed(`yaml: ${(cause as Error).message}`);
  }
}

/** The key that begins at a position. */
function keyAt(text: string, position: number): string {
  return /^["']?([^"':\s]+)/.exec(text.slice(position))?.[1] ?? '';
}
