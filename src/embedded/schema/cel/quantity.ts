import type { Environment } from '@marcbachmann/cel-js';

/** A Kubernetes quantity as an exact fraction: `digits / 10^scale`. */
class Quantity {
  readonly digits: bigint;
  readonly scale: number;

  constructor(digits: bigint, scale: number) {
    this.digits = digits;
    this.scale = scale;
  }

  /** Both with the same number of decimals. */
  static aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
    const scale = Math.max(a.scale, b.scale);
    return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
  }
}

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };

function parse(text: string): Quantity | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)$/.exec(text);
  if (!parts || (parts[2] === '' && !parts[3])) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = parts;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}` || '0');
  const power = binary[suffix];
  if (power !== undefined) return new Quantity(digits * 2n ** power, fraction.length);
  const exponent = decimal[suffix] ?? Number(suffix.slice(1));
  const scale = fraction.length - exponent;
  return scale >= 0 ? new Quantity(digits, scale) : new Quantity(digits * 10n ** BigInt(-scale), 0);
}

function compare(a: Quantity, b: Quantity): bigint {
  const [left, right] = Quantity.aligned(a, b);
  return left < right ? -1n : left > right ? 1n : 0n;
}

const toQuantity = (value: bigint): Quantity => new Quantity(value, 0);

function isWhole({ digits, scale }: Quantity): boolean {
  const unit = 10n ** BigInt(scale);
  const most = 2n ** 63n;
  return digits % unit === 0n && digits / unit < most && digits / unit >= -most;
}

/** Kubernetes' quantities: `quantity("1.5Gi").isGreaterThan(quantity("1G"))`. */
export function registerQuantity(environment: Environment): void {
  const name = 'kubernetes.Quantity';
  const add = (a: Quantity, b: Quantity, sign: bigint): Quantity => {
    const [left, right, scale] = Quantity.aligned(a, b);
    return new Quantity(left + sign * right, scale);
  };
  environment.registerType(name, { ctor: Quantity, fields: {} });
  environment.registerFunction(`quantity(string): ${name}`, (text: string) => {
    const quantity = parse(text);
    if (!quantity) {
      throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return quantity;
  });
  environment.registerFunction('isQuantity(string): bool', (text: string) => parse(text) !== undefined);
  environment.registerFunction(`${name}.sign(): int`, ({ digits }: Quantity) =>
    digits < 0n ? -1n : digits > 0n ? 1n : 0n,
  );
  environment.registerFunction(`${name}.isInteger(): bool`, isWhole);
  environment.registerFunction(`${name}.asInteger(): int`, (quantity: Quantity) => {
    if (!isWhole(quantity)) throw new Error('cannot convert value to integer');
    return quantity.digits / 10n ** BigInt(quantity.scale);
  });
  environment.registerFunction(
    `${name}.asApproximateFloat(): double`,
    ({ digits, scale }: Quantity) => Number(digits) / 10 ** scale,
  );
  environment.registerFunction(`${name}.compareTo(${name}): int`, compare);
  environment.registerFunction(
    `${name}.isGreaterThan(${name}): bool`,
    (a: Quantity, b: Quantity) => compare(a, b) > 0n,
  );
  environment.registerFunction(`${name}.isLessThan(${name}): bool`, (a: Quantity, b: Quantity) => compare(a, b) < 0n);
  environment.registerFunction(`${name}.add(${name}): ${name}`, (a: Quantity, b: Quantity) => add(a, b, 1n));
  environment.registerFunction(`${name}.add(int): ${name}`, (a: Quantity, b: bigint) => add(a, toQuantity(b), 1n));
  environment.registerFunction(`${name}.sub(${name}): ${name}`, (a: Quantity, b: Quantity) => add(a, b, -1n));
  environment.registerFunction(`${name}.sub(int): ${name}`, (a: Quantity, b: bigint) => add(a, toQuantity(b), -1n));
  environment.registerOperator(`${name} == ${name}`, (a: Quantity, b: Quantity) => compare(a, b) === 0n);
}
