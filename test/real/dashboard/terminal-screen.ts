const [esc, bell] = ['\u001b', '\u0007'];
/** What a title and the like consist of. */
const told = `${esc}\\][^${bell}${esc}]*`;
/** One thing that a program writes to a terminal: a control sequence, a title, another escape, a control character, or text. */
const piece = new RegExp(
  `${esc}\\[([?>=]?)([\\d;]*)([@-~])|${told}(?:${bell}|${esc}\\\\)|${esc}[@-Z\\\\^_=>]|\\p{Cc}|\\P{Cc}+`,
  'gu',
);
/** What may be the beginning of a sequence whose rest is still to come. */
const unfinished = new RegExp(`(?:${esc}(?:\\[[?>=]?[\\d;]*)?|${told}${esc}?)$`, 'u');

/** Lines, and where the next character goes. */
interface Paper {
  lines: string[][];
  row: number;
  column: number;
}

/**
 * What a person sees on a terminal to which a program has written: as much of the standard as a shell and Cutover use. A sequence
 * that is not known is an error, so that nothing is seen here that a terminal would show otherwise.
 */
export class TerminalScreen {
  /** Whether the cursor is shown. */
  cursor = true;
  readonly #columns: number;
  readonly #rows: number;
  readonly #main: Paper = { lines: [[]], row: 0, column: 0 };
  #own: Paper | undefined;
  #rest = '';

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** A program has taken the whole screen, and gives it back later. */
  get isTaken(): boolean {
    return this.#own !== undefined;
  }

  /** What is visible now. */
  get text(): string {
    const paper = this.#paper;
    return textOf(paper.lines.slice(this.#top(paper)));
  }

  /** What was ever on the screen that is not taken, also what has left it at the top. */
  get all(): string {
    return textOf(this.#main.lines);
  }

  write(given: string): void {
    const text = this.#rest + given;
    this.#rest = unfinished.exec(text)?.[0] ?? '';
    for (const [whole, mark, numbers = '', letter] of text.slice(0, text.length - this.#rest.length).matchAll(piece)) {
      if (letter !== undefined) this.#obey(mark ?? '', numbers, letter);
      else if (whole >= ' ') for (const sign of whole) this.#put(sign);
      else this.#control(whole);
    }
  }

  get #paper(): Paper {
    return this.#own ?? this.#main;
  }

  #top({ lines }: Paper): number {
    return Math.max(0, lines.length - this.#rows);
  }

  #put(sign: string): void {
    const paper = this.#paper;
    if (paper.column >= this.#columns) {
      paper.column = 0;
      this.#down();
    }
    const line = paper.lines[paper.row] ?? [];
    while (line.length < paper.column) line.push(' ');
    line[paper.column++] = sign;
  }

  #down(): void {
    const paper = this.#paper;
    paper.row++;
    if (paper.row === paper.lines.length) paper.lines.push([]);
  }

  #control(sign: string): void {
    const paper = this.#paper;
    if (sign === '\n') this.#down();
    else if (sign === '\r') paper.column = 0;
    else if (sign === '\b') paper.column = Math.max(0, paper.column - 1);
    else if (sign === '\t') paper.column = Math.min(this.#columns - 1, (Math.floor(paper.column / 8) + 1) * 8);
  }

  #obey(mark: string, numbers: string, letter: string): void {
    const paper = this.#paper;
    const [first = 0, second = 0] = numbers.split(';').map(Number);
    const line = paper.lines[paper.row] ?? [];
    const what = `${mark}${letter}`;
    if (what === '?h' || what === '?l') this.#mode(numbers, letter === 'h');
    else if (what === 'H') this.#goTo(Math.max(1, first) - 1, Math.max(1, second) - 1);
    else if (what === 'A') paper.row = Math.max(this.#top(paper), paper.row - Math.max(1, first));
    else if (what === 'C') paper.column = Math.min(this.#columns - 1, paper.column + Math.max(1, first));
    else if (what === 'D') paper.column = Math.max(0, paper.column - Math.max(1, first));
    else if (what === 'G') paper.column = Math.max(1, first) - 1;
    else if (what === 'K' && first === 0) line.length = Math.min(line.length, paper.column);
    else if (what === 'J' && first === 0) this.#clearBelow(line);
    else if (what !== 'm') throw new Error(`the terminal does not know ESC [ ${mark}${numbers}${letter}`);
  }

  #mode(number: string, on: boolean): void {
    if (number === '25') this.cursor = on;
    else if (number === '1049') this.#own = on ? { lines: [[]], row: 0, column: 0 } : undefined;
    // Pasted text is marked by terminals that can; nobody pastes here.
    else if (number !== '2004') throw new Error(`the terminal does not know the mode ${number}`);
  }

  #goTo(row: number, column: number): void {
    const paper = this.#paper;
    const to = this.#top(paper) + Math.min(row, this.#rows - 1);
    while (paper.lines.length <= to) paper.lines.push([]);
    paper.row = to;
    paper.column = column;
  }

  #clearBelow(line: string[]): void {
    const paper = this.#paper;
    line.length = Math.min(line.length, paper.column);
    paper.lines.length = paper.row + 1;
  }
}

function textOf(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.join('').trimEnd()).join('\n');
}
