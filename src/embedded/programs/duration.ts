const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90`, `1.5s`, `10m`, `infinity` in milliseconds (a bare number is seconds); undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  if (/^inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Number(match[1]) * (units[match[2] ?? 's'] ?? 1000) : undefined;
}
