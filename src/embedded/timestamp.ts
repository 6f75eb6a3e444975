/** An instant as Kubernetes writes it: to the second. */
export function timestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the epoch; the beginning of time when there is none. */
export function instantOf(text: string | null | undefined): number {
  return text ? Date.parse(text) : 0;
}
