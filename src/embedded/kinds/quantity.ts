import { invalidValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { fields } from './draft.ts';

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const pattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,4}))?$/;

/** The smallest amount that Kubernetes tells apart: a billionth. */
const nano = 10n ** 9n;

interface Amount {
  /** In billionths, rounded up. */
  readonly nanos: bigint;
  readonly form: 'binary' | 'decimal' | 'exponent';
}

function parse(text: string): Amount | undefined {
  const match = text.length <= 64 ? pattern.exec(text) : null;
  if (!match) return undefined;
  const [, sign, digits = '', unit = '', exponent] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  let top = BigInt(`${whole}${fraction}` || '0') * nano;
  let bottom = 10n ** BigInt(fraction.length);
  if (unit.endsWith('i')) top *= 1024n ** BigInt(binary.indexOf(unit));
  else {
    const power = exponent === undefined ? 3 * (decimal.indexOf(unit) - 3) : Number(exponent);
    if (Math.abs(power) > 40) return undefined;
    if (power >= 0) top *= 10n ** BigInt(power);
    else bottom *= 10n ** BigInt(-power);
  }
  const nanos = (top + bottom - 1n) / bottom;
  return {
    nanos: sign === '-' ? -nanos : nanos,
    form: unit.endsWith('i') ? 'binary' : exponent === undefined ? 'decimal' : 'exponent',
  };
}

/** The amount as a number, for sums and comparisons; undefined when the text is no quantity. */
export function amountOf(quantity: unknown): number | undefined {
  const amount = parse(String(quantity));
  return amount && Number(amount.nanos) / 1e9;
}

/** The one spelling Kubernetes stores: the largest unit without a fraction (`1000m` → `1`, `1.5Gi` → `1536Mi`). */
export function canonicalQuantity(quantity: string): string {
  const amount = parse(quantity);
  if (!amount) return quantity;
  const { nanos, form } = amount;
  if (nanos === 0n) return '0';
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (form === 'binary' && magnitude >= 1024n * nano && magnitude % nano === 0n) {
    return withUnit(nanos / nano, 1024n, binary, 0);
  }
  if (form !== 'exponent') return withUnit(nanos, 1000n, decimal, 0);
  let [mantissa, power] = [nanos, -9];
  while (mantissa % 1000n === 0n && power < 27) [mantissa, power] = [mantissa / 1000n, power + 3];
  return power === 0 ? `${mantissa}` : `${mantissa}e${power}`;
}

function withUnit(amount: bigint, base: bigint, units: readonly string[], from: number): string {
  let [mantissa, unit] = [amount, from];
  while (mantissa % base === 0n && unit < units.length - 1) [mantissa, unit] = [mantissa / base, unit + 1];
  return `${mantissa}${units[unit]}`;
}

/** Rewrites every quantity of a resource list in its stored spelling. Numbers (YAML `cpu: 1`) become text. */
export function canonicalResources(list: unknown): void {
  const resources = fields(list);
  if (!resources) return;
  for (const [name, value] of Object.entries(resources)) {
    if (typeof value === 'string' || typeof value === 'number') resources[name] = canonicalQuantity(String(value));
  }
}

const notQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

export function validateResources(field: string, list: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, value]) => {
    const amount = amountOf(value);
    if (amount === undefined) return [invalidValue(`${field}[${name}]`, value, notQuantity)];
    return amount < 0 ? [invalidValue(`${field}[${name}]`, value, 'must be greater than or equal to 0')] : [];
  });
}
