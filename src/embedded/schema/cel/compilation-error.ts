import { TypeError as CheckError, ParseError } from '@marcbachmann/cel-js';

/**
 * Why an expression does not compile, laid out as the API server lays it out: place, reason, and the line with a mark
 * under it. The reasons are the evaluator's own where they are not one of the common ones.
 */
export function compilationError(text: string, error: unknown): string {
  const known = error instanceof ParseError || error instanceof CheckError;
  const reason = known ? reasonOf(error.code, error.summary) : error instanceof Error ? error.message : String(error);
  const start = known ? (error.range?.start ?? 0) : 0;
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - (before.lastIndexOf('\n') + 1);
  const source = text.split('\n')[line - 1] ?? '';
  return `compilation failed: ERROR: <input>:${line}:${column + 1}: ${reason}\n | ${source}\n | ${'.'.repeat(column)}^`;
}

function reasonOf(code: string, summary: string): string {
  const subject = /(?::|for) '?([^'(]+)/.exec(summary)?.[1]?.trim() ?? '';
  switch (code) {
    case 'no_such_key':
      return `undefined field '${subject}'`;
    case 'unknown_variable':
      return `undeclared reference to '${subject}' (in container '')`;
    default:
      return summary;
  }
}
