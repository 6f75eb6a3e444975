/** The annotations of blue/green. */
export const annotations = {
  /** On the resource, by people: promote the transition of this id, where promotion is manual. */
  promote: 'cutover.dev/promote',
  /** On the resource, by people: give the transition of this id up, or switch back while the old side is still there. */
  rollback: 'cutover.dev/rollback',
  /** On the old side: it stays, for the move of traffic of this id. Requests to delete an earlier version fail. */
  kept: 'cutover.dev/kept',
  /** On the Ingress: it leads where the move of traffic of this id led it. Requests of an earlier move fail. */
  move: 'cutover.dev/move',
} as const;
