import type { Row } from './benchmark.ts';

/** The rows as a table for people. */
export function table(rows: readonly Row[]): string {
  const head = ['metric', 'unit', 'ours', 'peer', 'ratio', 'goal', 'holds'];
  const cells = rows.map((row) => [
    row.metric,
    row.unit,
    figure(row.ours),
    row.peer === null ? 'not measured' : figure(row.peer),
    row.ratio === null ? '' : `${row.ratio.toFixed(row.ratio < 0.1 ? 3 : 2)}×`,
    row.goal,
    row.holds === null ? '' : row.holds ? 'yes' : 'NO',
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[head, ...cells].map((line) => (line[column] ?? title).length)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, column) => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ');
  const peers = [...new Set(rows.flatMap((row) => row.peerName ?? []))];
  const note = peers.length > 0 ? [`peer: ${peers.join(', ')}`] : [];
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...cells.map(line), ...note].join('\n');
}

function figure(value: number): string {
  if (value === 0 || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
