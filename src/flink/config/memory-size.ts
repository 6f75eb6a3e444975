const units: readonly (readonly [RegExp, size: number, name: string])[] = [
  [/^(b|bytes)?$/, 1, 'bytes'],
  [/^(k|kb|kibibytes)$/, 2 ** 10, 'kb'],
  [/^(m|mb|mebibytes)$/, 2 ** 20, 'mb'],
  [/^(g|gb|gibibytes)$/, 2 ** 30, 'gb'],
  [/^(t|tb|tebibytes)$/, 2 ** 40, 'tb'],
];

const binary: Readonly<Record<string, number | undefined>> = { '': 0, k: 10, m: 20, g: 30, t: 40, p: 50, e: 60 };
const decimal: Readonly<Record<string, number | undefined>> = { '': 0, k: 3, m: 6, g: 9, t: 12, p: 15, e: 18 };

/** A size in bytes in Flink's notation (`1600m`, `2 gb`, a bare number of bytes). Undefined when it is none. */
export function parseMemorySize(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,18})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const size = units.find(([names]) => names.test(unit))?.[1];
  return amount === undefined || size === undefined ? undefined : whole(Number(amount) * size);
}

/**
 * A size in bytes as users write it for a pod: Flink's notation, else that of Kubernetes in any case and with or without
 * a `B` (`2Gi`, `1.5GiB`, `1e9`). Where both could be meant, it is Flink's: `1600m` are mebibytes.
 */
export function parsePodMemory(text: string): number | undefined {
  const flink = parseMemorySize(text);
  if (flink !== undefined) return flink;
  const written = text.replaceAll(/\s/g, '').toLowerCase();
  const [, digits, exponent] = /^(\d{1,18}(?:\.\d{0,9})?)e(\d{1,2})$/.exec(written) ?? [];
  if (exponent !== undefined) return whole(Number(digits) * 10 ** Number(exponent));
  const [, amount, unit = '', i] = /^(\d{1,18}(?:\.\d{0,9})?)([kmgtpe]?)(i?)b?$/.exec(written) ?? [];
  if (amount === undefined || (i && !unit)) return undefined;
  return whole(Number(amount) * (i ? 2 ** (binary[unit] ?? 0) : 10 ** (decimal[unit] ?? 0)));
}

/** Sizes beyond this are no sizes of anything, and lose digits. */
function whole(bytes: number): number | undefined {
  return Number.isSafeInteger(Math.ceil(bytes)) ? Math.ceil(bytes) : undefined;
}

/** As Flink writes it: the largest unit in which it is a whole number, `1600 mb`. */
export function showMemorySize(bytes: number): string {
  const [, size, name] = units.findLast(([, one]) => bytes >= one && bytes % one === 0) ?? [/^/, 1, 'bytes'];
  return `${bytes / size} ${name}`;
}
