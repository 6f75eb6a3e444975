/** A known difference between an answer of ours and the recorded one, with the reason why it stays. */
export interface Difference {
  /** The recording, or `*` when it can happen in any. */
  readonly recording: string;
  /** Where in the answer: `body.metadata.labels.team`. */
  readonly where: RegExp;
  readonly because: string;
}

/** All of them. A difference that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const differences: readonly Difference[] = [
  {
    recording: '*',
    where: /\.labels\.korifi\.cloudfoundry\.org\/updated_at$/,
    because:
      'recorded as a label that every write renews, so that no object is ever at rest; ours is told by updated_at',
  },
];
