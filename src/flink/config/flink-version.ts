/** Whether a version (`v1_20`) is this one or a newer one. No version is older than all. */
export function atLeast(version: string | undefined, minimum: string): boolean {
  return rank(version) >= rank(minimum);
}

/** A number that grows with the version; -1 for what is none. */
export function rank(version: string | undefined): number {
  const match = /^v(\d{1,3})_(\d{1,3})$/.exec(version ?? '');
  return match ? Number(match[1]) * 1000 + Number(match[2]) : -1;
}
