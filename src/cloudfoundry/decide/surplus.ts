/** One of several that are kept for a while, such as the builds of an app. */
export interface Kept {
  readonly name: string;
  /** As the API server writes it. */
  readonly createdAt: string;
  /** It is in use, or not done yet: it stays, and does not count. */
  readonly needed: boolean;
}

/** Whether there are `most` newer ones besides those that are needed. Each asks for itself, so nobody deletes twice. */
export function isSurplus(name: string, all: readonly Kept[], most: number): boolean {
  const counted = all.filter(({ needed }) => !needed).toSorted(newestFirst);
  const place = counted.findIndex((one) => one.name === name);
  return place >= Math.max(0, most);
}

function newestFirst(a: Kept, b: Kept): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.name < b.name ? 1 : -1;
}
