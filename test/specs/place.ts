import { isObject } from '../../src/change/equal.ts';
import { element, entry, type Step } from './property.ts';

/** The key that stands for any key of a map. */
export const someKey = 'some-key';

/** What stands at a place: of a list its first element, of a map its first value. */
export function valueAt(value: unknown, steps: readonly Step[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === element) return Array.isArray(value) ? valueAt(value[0], rest) : undefined;
  if (!isObject(value)) return undefined;
  const key = step === entry ? Object.keys(value)[0] : step;
  return key !== undefined && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

/** The same with another value at a place, and with what leads there. `undefined` takes away what stands there. */
export function withValue(value: unknown, steps: readonly Step[], replacement: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement;
  if (step === element) {
    const [first, ...others] = Array.isArray(value) ? value : [];
    const changed = withValue(first, rest, replacement);
    return changed === undefined ? others : [changed, ...others];
  }
  const members = isObject(value) ? value : {};
  const key = step === entry ? (Object.keys(members)[0] ?? someKey) : step;
  const { [key]: before, ...others } = members;
  const changed = withValue(before, rest, replacement);
  return changed === undefined ? others : { ...members, [key]: changed };
}

/** A spec with what a sample adds to it: members are joined, everything else is replaced. */
export function joined(base: unknown, sample: unknown): unknown {
  if (!isObject(base) || !isObject(sample)) return sample;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(sample)])];
  return Object.fromEntries(
    keys.map((key) => [key, Object.hasOwn(sample, key) ? joined(base[key], sample[key]) : base[key]]),
  );
}
