/**
 * Compares two resource versions as numbers: negative when `a` is older, 0 when equal, positive when newer. `undefined`
 * when they are not both numbers: then only equality means anything, and they are not equal.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!digits.test(a) || !digits.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Without leading zeros a longer number is a greater one: no conversion, no limit. */
const digits = /^(0|[1-9]\d*)$/;
