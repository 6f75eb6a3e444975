/** What a size in a manifest may be: `512M`, `1GB`. A bare number is refused: nobody can tell what it counts. */
const pattern = /^(\d{1,15})(B|K|KB|M|m|MB|mb|G|g|GB|gb|T|t|TB|tb)$/;

const megabytesOf: Readonly<Record<string, number>> = { B: 2 ** -20, K: 2 ** -10, M: 1, G: 2 ** 10, T: 2 ** 20 };

/** The complaint about a size that cannot be read, in the published words. */
export const unreadableSize = 'must use a supported unit (B, K, KB, M, m, MB, mb, G, g, GB, gb, T, t, TB or tb)';

/** A size in whole megabytes, rounded down; `undefined` when it cannot be read. */
export function megabytes(text: string): number | undefined {
  const [, digits, unit] = pattern.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const size = Math.floor(Number(digits) * (megabytesOf[unit.charAt(0).toUpperCase()] ?? 1));
  return Number.isSafeInteger(size) ? size : undefined;
}
