/** The value of each suffix as a power: Gi is 2³⁰, m is 10⁻³. */
const binary: Record<string, number | undefined> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimal: Record<string, number | undefined> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Beyond this no Kubernetes quantity reaches; a hostile exponent must not become a huge number. */
const largestExponent = 100;

/** Whether two Kubernetes quantities are the same amount: `1`, `1.0` and `1000m`; `1Gi` and `1024Mi`. Exact, no rounding. */
export function sameQuantity(before: unknown, after: unknown): boolean {
  const [left, right] = [scaled(before), scaled(after)];
  return left !== undefined && left === right;
}

/** The amount as a whole number of 10⁻²⁰⁰; undefined when it is no quantity. */
function scaled(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > largestExponent) return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i|[numkMGTPE]|)|[eE]([+-]?\d+))$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const power = exponent === undefined ? (decimal[suffix] ?? 0) : Number(exponent);
  if (Math.abs(power) > largestExponent) return undefined;
  const amount =
    BigInt(whole + fraction) *
    2n ** BigInt(binary[suffix] ?? 0) *
    10n ** BigInt(2 * largestExponent + power - fraction.length);
  return sign === '-' ? -amount : amount;
}
