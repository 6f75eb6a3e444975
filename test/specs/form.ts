/** How much is done. */
export interface Form {
  readonly name: 'short' | 'long';
  /** Objects of a kind that are worked on at once. */
  readonly lanes: number;
  /** Operations on a kind, beyond those that touch each of its properties once. */
  readonly most: number;
  /** Chains of two edits of a kind. */
  readonly chains: number;
}

/** In `npm test` a sample of operations, the same each time; all of them, and chains, with `SPECS=long`. */
export function formOf(short: Omit<Form, 'name'>): Form {
  if (process.env.SPECS !== 'long') return { name: 'short', ...short };
  return { name: 'long', lanes: short.lanes, most: Number.POSITIVE_INFINITY, chains: 60 };
}
