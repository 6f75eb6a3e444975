import { padTo, widthOf } from '../../../portrait/text/width.ts';
import { type Line, type Span, shown } from './line.ts';

/** A cell: one text, or several in a row. */
export type Cell = string | Span | readonly Span[];

/** No column is wider than this except the last: one long name must not push the rest out of sight. */
const widest = 80;

/** Columns as wide as their widest cell, two blanks apart. With a header: it is faint. Empty columns are left out. */
export function grid(rows: readonly (readonly Cell[])[], header?: readonly string[]): readonly Line[] {
  const head = header?.map((text): Cell => ({ text, tone: 'faint' }));
  const body = rows.map((row) => row.map(spansOf));
  const count = Math.max(header?.length ?? 0, ...body.map((row) => row.length), 0);
  const used = Array.from({ length: count }, (_, column) => column).filter((column) =>
    body.some((row) => widthOfAll(row[column] ?? []) > 0),
  );
  const all = [...(head ? [head.map(spansOf)] : []), ...body];
  const last = used.at(-1);
  const widths = new Map(
    used.map((column) => [column, Math.min(widest, Math.max(...all.map((row) => widthOfAll(row[column] ?? []))))]),
  );
  return all.map((row) =>
    used.flatMap((column): readonly Span[] => {
      const spans = row[column] ?? [];
      if (column === last) return spans;
      const missing = (widths.get(column) ?? 0) - widthOfAll(spans);
      return [...spans, { text: padTo('', Math.max(0, missing) + 2) }];
    }),
  );
}

function spansOf(cell: Cell): readonly Span[] {
  const spans = typeof cell === 'string' ? [{ text: cell }] : 'text' in cell ? [cell] : cell;
  return spans.map((span) => ({ ...span, text: shown(span.text) }));
}

function widthOfAll(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}
