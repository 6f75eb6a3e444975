/** What is compared with the recordings. Every comparison has one word here. */
export type Compared = 'diff text' | 'recorded spec' | 'objects' | 'refusal';

/** A known difference between what Cutover does and what was recorded, with the reason why it stays. */
export interface Difference {
  /** The case, or `*` when it can happen in any. */
  readonly case: string;
  readonly what: Compared;
  /** Where in the case, in the words of the comparison: an edit, an object and field, a kind of difference. */
  readonly where: string;
  readonly because: string;
}

/** All of them. A difference that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const differences: readonly Difference[] = [
  {
    case: '*',
    what: 'diff text',
    where: 'order of configuration keys',
    because: 'recorded in the order of a hash table; ours are sorted, so that the same edit always reads the same',
  },
  {
    case: '*',
    what: 'diff text',
    where: 'elements of a list',
    because:
      'recorded with what stands at the position in the old and in the new list, so a removal from the middle reads like a replacement and several in a row repeat the first; ours tells what was removed and what was added',
  },
];
