import { type Line, printed } from './render/line.ts';

/** A terminal that a screen is drawn on. */
export interface Terminal {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
}

const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
/** A screen of its own: what was there before is there again afterwards. */
const ownScreen = '\u001b[?1049h';
const formerScreen = '\u001b[?1049l';

/**
 * Draws lines over those before, without flicker: nothing is cleared before it is written over. What does not fit is left out, with
 * a word about how much that is. `close` gives the terminal back as it was, with the last lines on it.
 */
export class Screen implements Disposable {
  readonly #terminal: Terminal;
  readonly #color: boolean;
  #shown = '';
  #last: readonly Line[] = [];
  #open = false;

  constructor(terminal: Terminal, color: boolean) {
    this.#terminal = terminal;
    this.#color = color;
  }

  draw(lines: readonly Line[]): void {
    const { columns, rows } = this.#terminal;
    const room = Math.max(2, rows) - 1;
    const fitting = lines.length <= room ? lines : [...lines.slice(0, room - 1), leftOut(lines.length - room + 1)];
    const text = fitting.map((line) => `${this.#print(line, columns)}${clearLine}\r\n`).join('');
    this.#last = lines;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#terminal.write(`${this.#open ? '' : `${ownScreen}${hideCursor}`}${home}${text}${clearBelow}`);
    this.#open = true;
  }

  /** Lines wrap as they like on another size: everything is drawn anew. */
  forget(): void {
    this.#shown = '';
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    const { columns } = this.#terminal;
    const text = this.#last.map((line) => `${this.#print(line, columns)}\r\n`).join('');
    this.#terminal.write(`${showCursor}${formerScreen}${text}`);
  }

  #print(line: Line, width: number): string {
    return printed(line, { width: Math.max(2, width), color: this.#color });
  }
}

function leftOut(count: number): Line {
  return [{ text: `… ${count} more lines; make the terminal larger to see them`, tone: 'faint' }];
}
