/** The annotations by which Cutover and people talk to each other on objects. */
export const annotations = {
  /** On what we create: the id under which it was recorded in status before it was created. */
  id: 'cutover.dev/id',
  /** On what we apply: the hash of all that we applied, so that a field we no longer want is noticed. */
  applied: 'cutover.dev/applied',
  /** On what users write: leave this object alone. Any value but `false`. */
  paused: 'cutover.dev/paused',
  /** On what users write: take this object over from the controller that managed it before. Any value but `false`. */
  takeover: 'cutover.dev/takeover',
  /** On a lease: who asks its holder to give way. */
  askedBy: 'cutover.dev/asked-by',
  /** On a lease: its holder, if that one has not seen all that it needs; whoever has may ask for it. */
  blind: 'cutover.dev/blind',
} as const;

/** Whether an annotation that works as a switch is on. */
export function switchedOn(
  object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } },
  annotation: string,
): boolean {
  const value = object.metadata.annotations?.[annotation];
  return value !== undefined && value !== 'false';
}
