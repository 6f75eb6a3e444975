/**
 * Compares semantic versions as lenient as KUDO reads them (`v1.2` is `1.2.0`): negative if `a` comes first. What comes after a
 * `+` does not count. Undefined if one of them is no version.
 */
export function compareVersions(a: string, b: string): number | undefined {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return undefined;
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(one.pre, other.pre);
}

const shape = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/;

function parse(text: string): { readonly numbers: readonly number[]; readonly pre: readonly string[] } | undefined {
  const found = shape.exec(text.trim());
  if (!found) return undefined;
  const [, major, minor = '0', patch = '0', pre] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], pre: pre?.split('.') ?? [] };
}

/** A version without one comes after all that have one; numbers come before words. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, otherIs] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && otherIs) return Number(one) - Number(other);
    if (isNumber !== otherIs) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
