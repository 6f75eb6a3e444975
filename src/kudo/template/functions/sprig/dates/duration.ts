/** Nanoseconds of each unit. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const MOST = (1n << 63n) - 1n;
/** So many fit into an int64; more are too many nanoseconds, and take the square of their time. */
const MOST_DIGITS = 19;

/** Nanoseconds of a duration such as `-1.5h30m`, as Go reads it; nothing when it is none. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign = '', size = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (size === '0') return 0n;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)[^\d.]+)+$/.test(size)) return undefined;
  let sum = 0n;
  for (const [, whole = '', fraction = '', name = ''] of size.matchAll(/(\d*)(?:\.(\d*))?([^\d.]+)/g)) {
    const unit = UNITS.get(name);
    if (unit === undefined) return undefined;
    const size = whole.replace(/^0+/, '');
    if (size.length > MOST_DIGITS) return undefined;
    sum += BigInt(size) * unit + partOf(unit, fraction);
  }
  if (sum > MOST + (sign === '-' ? 1n : 0n)) return undefined;
  return sign === '-' ? -sum : sum;
}

/** Digits after the point of a unit. Go computes with float64 here, and looks at no more digits than fit into an int64. */
function partOf(unit: bigint, fraction: string): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    if (digits > MOST / 10n) break;
    digits = digits * 10n + BigInt(digit);
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}
