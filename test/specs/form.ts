/** How much is done. */
export interface Form {
  /** `short`, `long`, or how many operations. */
  readonly name: string;
  /** Objects of a kind that are worked on at once. */
  readonly lanes: number;
  /** Operations on a kind, beyond those that touch each of its properties once. */
  readonly most: number;
  /** Chains of two edits of a kind. */
  readonly chains: number;
  /** Whether a kind is looked at. */
  readonly isWanted: (kind: string) => boolean;
}

/**
 * In `npm test` a sample of operations, the same each time; all of them, and chains, with `SPECS=long`; so many of a kind, and
 * fewer chains, with `SPECS=300`. `SPECS_KIND=CFApp,CFTask` looks at these kinds alone.
 */
export function formOf(short: Pick<Form, 'lanes' | 'most' | 'chains'>): Form {
  const kinds = process.env.SPECS_KIND?.split(',');
  const isWanted = (kind: string): boolean => kinds?.includes(kind) ?? true;
  const { SPECS: wanted = '' } = process.env;
  if (wanted === 'long') return { ...short, name: wanted, isWanted, most: Number.POSITIVE_INFINITY, chains: 60 };
  const most = Number(wanted);
  return most > 0 ? { ...short, name: wanted, isWanted, most, chains: 12 } : { ...short, name: 'short', isWanted };
}
