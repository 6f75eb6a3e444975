import { amountOf, canonicalQuantity } from '../kinds/quantity.ts';

/** Amounts by resource name, as numbers to reckon with, and how each was written. */
export interface Amounts {
  readonly [resource: string]: { readonly value: number; readonly binary: boolean };
}

/** Reads a resource list such as `{ cpu: '500m' }`; what is no quantity is left out. */
export function amountsIn(list: unknown): Amounts {
  if (typeof list !== 'object' || list === null) return {};
  return Object.fromEntries(
    Object.entries(list).flatMap(([name, quantity]) => {
      const value = amountOf(quantity);
      return value === undefined ? [] : [[name, { value, binary: /i$/.test(String(quantity)) }]];
    }),
  );
}

/** Adds up, resource by resource. */
export function sum(all: readonly Amounts[]): Amounts {
  return combine(all, (a, b) => a + b);
}

/** The larger of each. */
export function most(all: readonly Amounts[]): Amounts {
  return combine(all, Math.max);
}

function combine(all: readonly Amounts[], join: (a: number, b: number) => number): Amounts {
  const out: Record<string, { value: number; binary: boolean }> = {};
  for (const [name, { value, binary }] of all.flatMap((each) => Object.entries(each))) {
    const known = out[name];
    out[name] = known ? { value: join(known.value, value), binary: known.binary || binary } : { value, binary };
  }
  return out;
}

/** An amount in Kubernetes' spelling: `1200Mi`, `500m`. */
export function amountText({ value, binary }: Amounts[string]): string {
  if (binary && value % 1024 === 0) return canonicalQuantity(`${value / 1024}Ki`);
  return canonicalQuantity(`${Math.round(value * 1000)}m`);
}

/** A plain number of things. */
export const things = (value: number): Amounts[string] => ({ value, binary: false });
