/** Says for how long something has been as it is. */
export interface Stopwatch {
  /** `at` and the answer in milliseconds of a clock that does not jump. What could not be read is not as it was. */
  read(as: string | undefined, at: number): number;
}

export function stopwatch(): Stopwatch {
  let seen: { readonly as: string | undefined; readonly since: number } | undefined;
  return {
    read(as, at) {
      if (!seen || as === undefined || as !== seen.as) seen = { as, since: at };
      return at - seen.since;
    },
  };
}
