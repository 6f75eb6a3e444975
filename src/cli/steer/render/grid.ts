import { widthOf } from '../../../portrait/text/width.ts';
import { type Line, type Span, shown } from './line.ts';

/** A cell: one text, or several in a row. */
export type Cell = string | Span | readonly Span[];

/** No column is wider than this except the last: one long name must not push the rest out of sight. */
const widest = 80;

interface Measured {
  readonly spans: readonly Span[];
  readonly width: number;
}

/** Columns as wide as their widest cell, two blanks apart. With a header: it is faint. Empty columns are left out. */
export function grid(rows: readonly (readonly Cell[])[], header?: readonly string[]): readonly Line[] {
  const body = rows.map((row) => row.map(measured));
  const widths: number[] = [];
  for (const row of body) widen(widths, row);
  const used = [...widths.keys()].filter((column) => (widths[column] ?? 0) > 0);
  const head = header?.map((text) => measured({ text, tone: 'faint' }));
  if (head) widen(widths, head);
  const last = used.at(-1);
  return [...(head ? [head] : []), ...body].map((row) =>
    used.flatMap((column): readonly Span[] => {
      const { spans, width } = row[column] ?? nothing;
      if (column === last) return spans;
      const missing = Math.max(0, Math.min(widest, widths[column] ?? 0) - width);
      return [...spans, { text: ' '.repeat(missing + 2) }];
    }),
  );
}

const nothing: Measured = { spans: [], width: 0 };

function widen(widths: number[], row: readonly Measured[]): void {
  for (const [column, { width }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width);
}

function measured(cell: Cell): Measured {
  const given = typeof cell === 'string' ? [{ text: cell }] : 'text' in cell ? [cell] : cell;
  const spans = given.map(
    (span): Span => (span.tone ? { text: shown(span.text), tone: span.tone } : { text: shown(span.text) }),
  );
  return { spans, width: spans.reduce((sum, { text }) => sum + widthOf(text), 0) };
}
