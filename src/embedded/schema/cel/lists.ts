import type { Environment } from '@marcbachmann/cel-js';

type Comparable = bigint | number | string | boolean | Date;

/** Kubernetes' functions on lists, and sets. */
export function registerLists(environment: Environment): void {
  const orderable = ['int', 'double', 'string', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration', 'dyn'];
  for (const type of orderable) {
    environment.registerFunction(`list<${type}>.isSorted(): bool`, isSorted);
    environment.registerFunction(`list<${type}>.min(): ${type}`, (list: Comparable[]) => extreme(list, 'min', -1));
    environment.registerFunction(`list<${type}>.max(): ${type}`, (list: Comparable[]) => extreme(list, 'max', 1));
  }
  environment.registerFunction('list<int>.sum(): int', (list: bigint[]) => list.reduce((sum, one) => sum + one, 0n));
  environment.registerFunction('list<double>.sum(): double', (list: number[]) =>
    list.reduce((sum, one) => sum + one, 0),
  );
  environment.registerFunction('list<A>.indexOf(A): int', (list: unknown[], value: unknown) =>
    BigInt(list.findIndex((item) => same(item, value))),
  );
  environment.registerFunction('list<A>.lastIndexOf(A): int', (list: unknown[], value: unknown) =>
    BigInt(list.findLastIndex((item) => same(item, value))),
  );
  environment.registerFunction('list<A>.distinct(): list<A>', (list: unknown[]) =>
    list.filter((item, i) => list.findIndex((other) => same(item, other)) === i),
  );
  environment.registerFunction('list<A>.reverse(): list<A>', (list: unknown[]) => list.toReversed());
  environment.registerFunction('list<A>.slice(int, int): list<A>', (list: unknown[], from: bigint, to: bigint) => {
    if (from < 0n || to > BigInt(list.length) || from > to) throw new Error(`cannot slice(${from}, ${to})`);
    return list.slice(Number(from), Number(to));
  });
  registerSets(environment);
}

/** `sets.contains([1, 2], [1])`: the functions are methods of a value called `sets`. */
function registerSets(environment: Environment): void {
  class Sets {}
  const has = (list: unknown[], value: unknown): boolean => list.some((item) => same(item, value));
  environment.registerType('kubernetes.Sets', { ctor: Sets, fields: {} });
  environment.registerConstant('sets', 'kubernetes.Sets', new Sets());
  environment.registerFunction(
    'kubernetes.Sets.contains(list<A>, list<A>): bool',
    (_: unknown, list: unknown[], part: unknown[]) => part.every((value) => has(list, value)),
  );
  environment.registerFunction(
    'kubernetes.Sets.equivalent(list<A>, list<A>): bool',
    (_: unknown, a: unknown[], b: unknown[]) => a.every((value) => has(b, value)) && b.every((value) => has(a, value)),
  );
  environment.registerFunction(
    'kubernetes.Sets.intersects(list<A>, list<A>): bool',
    (_: unknown, a: unknown[], b: unknown[]) => a.some((value) => has(b, value)),
  );
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    const text = (value: unknown): string =>
      JSON.stringify(value, (_, part) =>
        typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
      );
    return text(a) === text(b);
  }
  // An integer and a double of the same value are equal.
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1
  return typeof a !== 'string' && typeof b !== 'string' && a == b;
}

function isSorted(list: Comparable[]): boolean {
  return list.every((value, i) => i === 0 || (list[i - 1] as Comparable) <= value);
}

function extreme(list: Comparable[], name: string, sign: number): Comparable {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, next) => ((sign < 0 ? next < best : next > best) ? next : best));
}
