import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal for a line. Whoever leaves instead, by Ctrl-C or Ctrl-D, has said nothing. */
export function ask(question: string): Promise<string> {
  const { stdin: input, stdout: output } = process;
  return new Promise((resolve) => {
    const lines = createInterface({ input, output });
    lines.once('close', () => resolve(''));
    lines
      .question(question)
      .then(resolve, () => resolve(''))
      .finally(() => lines.close());
  });
}
