import { equal, isObject } from '../../src/change/equal.ts';
import { childrenOf, element, entry, type Property } from './property.ts';

/** Which properties another spec writes differently: what differs, and every parent of it. */
export function touched(spec: Property, before: unknown, after: unknown): readonly string[] {
  if (equal(before, after)) return [];
  const below = childrenOf(spec).flatMap((child) =>
    pairs(child.steps.at(-1) ?? '', before, after).flatMap(([old, now]) => touched(child, old, now)),
  );
  return [...new Set([spec.text, ...below])];
}

/** What stands in both at a step: each element of a list, each value of a map. */
function pairs(step: string, before: unknown, after: unknown): readonly (readonly [unknown, unknown])[] {
  if (step === element) {
    const [old, now] = [before, after].map((value) => (Array.isArray(value) ? value : []));
    return Array.from({ length: Math.max(old?.length ?? 0, now?.length ?? 0) }, (_, at) => [old?.[at], now?.[at]]);
  }
  const [old, now] = [before, after].map((value) => (isObject(value) ? value : {}));
  if (step !== entry) return [[old?.[step], now?.[step]]];
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return keys.map((key) => [old?.[key], now?.[key]]);
}
