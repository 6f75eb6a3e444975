import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';

const known = new WeakMap<OperatorVersion, boolean>();

/**
 * Whether the spec of a version has the shape that its definition demands. Where an older definition is installed, or none of ours, it may
 * have any: plans say what is wrong with it, and there is nothing to explain.
 */
export function isWellFormed(version: OperatorVersion): boolean {
  const before = known.get(version);
  if (before !== undefined) return before;
  const is = operatorVersion.spec.parse(version.spec).ok;
  known.set(version, is);
  return is;
}
