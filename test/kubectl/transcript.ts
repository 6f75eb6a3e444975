/** One command and what it printed. */
export interface Step {
  /** A shell line; lines that end in a backslash go on. */
  readonly command: string;
  /** Standard output and standard error as they came, normalised. */
  readonly output: string;
  readonly exitCode: number;
}

/**
 * Reads a transcript: lines that begin with `$ ` are commands, what follows up to the next one is the output, a last
 * line `[N]` is an exit code other than 0, lines that begin with `#` before the first command are a heading.
 */
export function parseTranscript(text: string): readonly Step[] {
  const steps: Step[] = [];
  const blocks = text.split(/^(?=\$ )/m).filter((block) => block.startsWith('$ '));
  for (const block of blocks) {
    const [first = '', ...rest] = block.trimEnd().split('\n');
    const code = /^\[(\d+)\]$/.exec(rest.at(-1) ?? '');
    steps.push({
      command: first.slice(2),
      output: (code ? rest.slice(0, -1) : rest).join('\n').trimEnd(),
      exitCode: Number(code?.[1] ?? 0),
    });
  }
  return steps;
}

/** The text form of a transcript with its heading. */
export function formatTranscript(heading: string, steps: readonly Step[]): string {
  const blocks = steps.map(({ command, output, exitCode }) =>
    [`$ ${command}`, ...(output ? [output] : []), ...(exitCode ? [`[${exitCode}]`] : [])].join('\n'),
  );
  return `${[heading.trimEnd(), ...blocks].filter(Boolean).join('\n\n')}\n`;
}

/** The comment lines at the top of a transcript. */
export function headingOf(text: string): string {
  const end = text.search(/^\$ /m);
  return end < 0 ? text : text.slice(0, end);
}
