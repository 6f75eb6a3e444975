/** What was said at a terminal, for tests that wait for a line instead of a while. */
export class Spoken {
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();

  readonly say = (line: string): void => {
    this.lines.push(line);
    for (const look of [...this.#waiting]) look();
  };

  /** Resolves with the first line from `since` on that matches. A test that waits in vain ends by its own time limit. */
  heard(pattern: RegExp, since = 0): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const line = this.lines.slice(since).find((text) => pattern.test(text));
        if (line === undefined) return;
        this.#waiting.delete(look);
        resolve(line);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
