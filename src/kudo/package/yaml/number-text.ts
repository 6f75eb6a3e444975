import { formatFloat, SHORTEST } from '../../template/format/float.ts';

/** A number where text is wanted, as the YAML library of KUDO writes it: a fraction with the fewest digits that 32 bits need. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return formatFloat(single, 'g', SHORTEST);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  return formatFloat(Number(single.toPrecision(digits)), 'g', SHORTEST);
}
