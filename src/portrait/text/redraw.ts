import { cutTo } from './width.ts';

/** Where a text goes that is written over again and again. */
export interface Surface {
  write(text: string): void;
  readonly columns: number;
}

/** Writes a text over the one before it. Lines are cut at the width of the terminal, so that each takes one row. */
export function redrawer({ write, columns }: Surface): (text: string) => void {
  let rows = 0;
  let shown = '';
  return (text) => {
    if (text === shown) return;
    const lines = text
      .replace(/\n+$/, '')
      .split('\n')
      .map((line) => (columns < 2 ? line : cutTo(line, columns)));
    // Up to where the last text began, and away with everything below.
    const back = rows === 0 ? '' : `\u001b[${rows}A\u001b[0J`;
    write(`${back}${lines.join('\n')}\n`);
    rows = lines.length;
    shown = text;
  };
}
