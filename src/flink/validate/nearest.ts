/** Keys that are longer than this are compared by their beginning: what people mistype is shorter. */
const longest = 100;

/** The text that takes the fewest keystrokes to make of `text`; of several the first. Nothing when there is none. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  let [best, fewest] = [known[0], Number.POSITIVE_INFINITY];
  for (const one of known) {
    const steps = keystrokes(text.slice(0, longest), one.slice(0, longest));
    if (steps < fewest) [best, fewest] = [one, steps];
  }
  return best;
}

/** How many characters are added and removed. What is replaced counts twice: people leave words out rather than swap them. */
function keystrokes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 2);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
