const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** A quantity of Kubernetes as a number; undefined when it is none. */
export function quantityAmount(quantity: unknown): number | undefined {
  const parsed = parse(quantity);
  return parsed && Number(parsed.nano) / 1e9;
}

/**
 * A quantity as the API server writes it back (`500m` for `0.5`, `1Gi` for `1024Mi`): what is applied otherwise looks
 * different for ever. What is no quantity stays as it is; the server will say so.
 */
export function canonicalQuantity(quantity: unknown): unknown {
  const parsed = parse(quantity);
  if (!parsed) return quantity;
  const { nano, form } = parsed;
  const sign = nano < 0n ? '-' : '';
  const size = nano < 0n ? -nano : nano;
  // Fractions of a byte, and small amounts, are written in decimal form, whatever they came in.
  if (form === 'binary' && size % 1_000_000_000n === 0n && size / 1_000_000_000n >= 1024n) {
    return sign + shortest(size / 1_000_000_000n, 1024n, binary);
  }
  if (form === 'exponent') return sign + exponent(size);
  return sign + (size === 0n ? '0' : shortest(size, 1000n, decimal));
}

/** Beyond this no quantity reaches; a hostile one must not become a huge number. */
const longest = 60;

type Form = 'binary' | 'decimal' | 'exponent';

/** In units of 10⁻⁹, rounded up as the server does. */
function parse(quantity: unknown): { readonly nano: bigint; readonly form: Form } | undefined {
  const text = typeof quantity === 'number' ? String(quantity) : quantity;
  if (typeof text !== 'string' || text.length > longest) return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i|[numkMGTPE]|)|[eE]([+-]?\d{1,2}))$/.exec(text);
  if (!match || `${match[2]}${match[3] ?? ''}` === '') return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', power] = match;
  const form = power === undefined ? (suffix.endsWith('i') ? 'binary' : 'decimal') : 'exponent';
  const scale = power === undefined ? 3 * (decimal.indexOf(suffix) - 3) : Number(power);
  const factor =
    form === 'binary' ? 1024n ** BigInt(binary.indexOf(suffix)) * 10n ** 9n : 10n ** BigInt(9 + scale + 99);
  const divisor = 10n ** BigInt(fraction.length) * (form === 'binary' ? 1n : 10n ** 99n);
  const nano = (BigInt(whole + fraction) * factor + divisor - 1n) / divisor;
  return { nano: sign === '-' ? -nano : nano, form };
}

/** With the largest suffix that leaves a whole number. */
function shortest(size: bigint, base: bigint, suffixes: readonly string[]): string {
  let [rest, index] = [size, 0];
  while (rest % base === 0n && index < suffixes.length - 1) [rest, index] = [rest / base, index + 1];
  return `${rest}${suffixes[index]}`;
}

function exponent(size: bigint): string {
  let [rest, power] = [size, -9];
  while (rest !== 0n && rest % 1000n === 0n) [rest, power] = [rest / 1000n, power + 3];
  return rest === 0n || power === 0 ? `${rest}` : `${rest}e${power}`;
}
