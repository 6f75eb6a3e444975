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

  constructor(text: string) {
    this.#text = text;
  }

  of(at: number): Position {
    if (at < this.#at) {
      this.#at = 0;
      this.#line = 1;
      this.#column = 0;
    }
    for (let end = this.#text.indexOf('\n', this.#at); end >= 0 && end < at; end = this.#text.indexOf('\n', this.#at)) {
      this.#at = end + 1;
      this.#line++;
      this.#column = 0;
    }
    this.#column += Buffer.byteLength(this.#text.slice(this.#at, at));
    this.#at = at;
    return { line: this.#line, column: this.#column };
  }
}
