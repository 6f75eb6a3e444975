/**
 * A table as KUDO's commands print it: columns of equal width with a tab between them, cells of several lines, no spaces at
 * the end of a line. The first row is the title.
 */
export function tableText(rows: readonly (readonly string[])[], widest = Number.POSITIVE_INFINITY): string {
  const cells = rows.map((row) => row.map((cell) => cell.split('\n').flatMap((line) => wrapped(line, widest))));
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...cells.map((row) => Math.max(0, ...(row[column] ?? []).map((line) => [...line].length)))),
  );
  const lines = cells.flatMap((row) => {
    const height = Math.max(...row.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      widths
        .map((width, column) => padded(row[column]?.[line] ?? '', width))
        .join('\t')
        .trimEnd(),
    );
  });
  return `${lines.join('\n')}\n`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Broken between words. A word that is too long stays whole: half a value would be a wrong one. */
function wrapped(line: string, widest: number): readonly string[] {
  if (line.length <= widest) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (longer.length > widest && current !== '') {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}
