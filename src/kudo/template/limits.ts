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
  /** Variables that may be in scope at once. */
  readonly variables: number;
  /**
   * All that takes time, in units of about ten nanoseconds: a character or an item that a function reads or makes is one
   * (more where a function is slow), a step is 30. This is the limit that bounds how long a rendering blocks the process:
   * about a second.
   */
  readonly work: number;
}

export const LIMITS: Limits = {
  output: 4 << 20,
  steps: 2_000_000,
  depth: 300,
  memory: 32 << 20,
  variables: 10_000,
  work: 100_000_000,
};

const WORDS: Readonly<Record<keyof Limits, string>> = {
  output: 'characters of output',
  steps: 'steps',
  depth: 'levels of nesting',
  memory: 'characters and items made by functions',
  variables: 'variables',
  work: 'units of work',
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
