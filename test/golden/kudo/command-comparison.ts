import { expect } from 'vitest';
import { type CommandDifference, commandDifferences } from './command-differences.ts';

/** Compares lines with recorded ones, and keeps account of the differences that were met. */
export class CommandComparison {
  readonly #met = new Set<CommandDifference>();

  /** Fails on lines that only one side has and that the table does not speak of. */
  compare(step: string, ours: readonly string[], theirs: readonly string[]): void {
    expect({
      ours: this.#unlisted(step, 'ours', minus(ours, theirs)),
      theirs: this.#unlisted(step, 'theirs', minus(theirs, ours)),
    }).toEqual({ ours: [], theirs: [] });
  }

  /** Entries of these steps that matched nothing. There must be none. */
  stale(steps: readonly string[]): readonly CommandDifference[] {
    return commandDifferences.filter((one) => steps.some((step) => one.step.test(step)) && !this.#met.has(one));
  }

  #unlisted(step: string, only: CommandDifference['only'], lines: readonly string[]): readonly string[] {
    return lines.filter((line) => {
      const entry = commandDifferences.find((one) => one.only === only && one.step.test(step) && one.line.test(line));
      if (entry) this.#met.add(entry);
      return !entry;
    });
  }
}

/** Without the lines that are in the other list as well, each as often as it is there. */
function minus(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
