export interface Position {
  /** The first line is 1. */
  readonly line: number;
  /** Bytes before the place in its line, as Go counts. */
  readonly column: number;
}

/** Finds places in a text. Asked in the order of the text, it reads the text once. */
export class Positions {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #column = 0;
  #lineEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = lineEnd(text, 0);
  }

  of(at: number): Position {
    if (at < this.#at) return new Positions(this.#text).of(at);
    while (this.#lineEnd < at) {
      this.#at = this.#lineEnd + 1;
      this.#line++;
      this.#column = 0;
      this.#lineEnd = lineEnd(this.#text, this.#at);
    }
    this.#column += Buffer.byteLength(this.#text.slice(this.#at, at));
    this.#at = at;
    return { line: this.#line, column: this.#column };
  }
}

/** Where the line ends that begins here, or is read from here; after everything if it is the last. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? Number.POSITIVE_INFINITY : end;
}
