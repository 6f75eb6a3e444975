/** The end of a log that never ends: the last lines only, so that a page which is left open does not grow. */
export interface LogTail {
  readonly lines: readonly string[];
  /** What came after the last line break. */
  readonly rest: string;
  /** How many lines were let go. */
  readonly dropped: number;
}

export const emptyTail: LogTail = { lines: [], rest: '', dropped: 0 };

/** The colours that programs print for terminals. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** Longer ones are cut, and say so. */
const longestLine = 4000;

export function appended(tail: LogTail, text: string, most = 2000): LogTail {
  const parts = (tail.rest + text).split(/\r?\n/);
  const rest = clipped(parts.pop() ?? '');
  if (parts.length === 0) return { ...tail, rest };
  const lines = [...tail.lines, ...parts.map((line) => clipped(line.replace(colours, '')))];
  const over = Math.max(0, lines.length - most);
  return { lines: lines.slice(over), rest, dropped: tail.dropped + over };
}

function clipped(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)} …`;
}
