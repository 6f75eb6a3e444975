/** How much a template may do. Whoever writes a template may be hostile or careless; the process is shared. */
export interface Limits {
  /** Characters a template may print. */
  readonly output: number;
  /** Actions, arguments and calls it may evaluate. */
  readonly steps: number;
  /** Templates, blocks and parentheses that may be open inside one another. */
  readonly depth: number;
  /** Characters and items its functions may make, all together. */
  readonly memory: number;
}

export const LIMITS: Limits = { output: 4 << 20, steps: 2_000_000, depth: 300, memory: 32 << 20 };

const WORDS: Readonly<Record<keyof Limits, string>> = {
  output: 'characters of output',
  steps: 'steps',
  depth: 'levels of nesting',
  memory: 'characters and items made by functions',
};

/** A template wanted more than it may have. The evaluator adds where in the template it was. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  readonly limit: keyof Limits;

  constructor(limit: keyof Limits, most: number) {
    super(`too much for a template: more than ${most} ${WORDS[limit]}`);
    this.limit = limit;
  }
}
