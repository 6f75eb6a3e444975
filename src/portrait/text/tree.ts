import { harmless } from './harmless.ts';

/** A line, and what hangs below it. */
export interface Branch {
  readonly text: string;
  readonly branches?: readonly Branch[];
}

/** What KUDO's trees have below a line: two of the blanks are no-break spaces, and scripts that read the tree rely on them. */
const bar = '│\u00a0\u00a0 ';

/**
 * The tree with box drawing characters, `root` first; every line ends, and an empty one follows, as people know it. A branch is
 * one line, whatever its text is.
 */
export function tree(root: string, branches: readonly Branch[]): string {
  return `${[root, ...linesOf(branches, '')].join('\n')}\n\n`;
}

function linesOf(branches: readonly Branch[], indent: string): string[] {
  return branches.flatMap(({ text, branches: below = [] }, index) => {
    const last = index === branches.length - 1;
    return [
      `${indent}${last ? '└── ' : '├── '}${harmless(text)}`,
      ...linesOf(below, `${indent}${last ? '    ' : bar}`),
    ];
  });
}
