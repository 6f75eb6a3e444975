/**
 * What a change of a specification demands, from the mildest to the strongest. When several fields change at once the
 * strongest demand wins, so the order of this list is the meaning of the words.
 */
export const demands = [
  /** Nothing has to be done now; the value is read when it is needed next. */
  'nothing',
  /** Objects are updated in place; nothing that runs notices. */
  'patch',
  /** More or fewer of the same. */
  'scale',
  /** The same program starts again. */
  'restart',
  /** Another program, or another configuration, takes over with the state of the one before. */
  'upgrade',
  /** Everything starts anew from the state that the user names. */
  'redeploy-from-savepoint',
  /** Everything starts anew and empty. */
  'redeploy-without-state',
] as const;

/** A point on the scale of `demands`. */
export type Demand = (typeof demands)[number];
