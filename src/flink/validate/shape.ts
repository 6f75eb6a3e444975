import { isObject } from '../../change/equal.ts';
import type { Kind } from '../../schema/kind.ts';
import type { Problem } from './problem.ts';

/** Deeper than any resource; beyond it, reading could exhaust the stack. */
const deepest = 200;

/**
 * Why something is no object of a kind at all. What passes has the shape that the rules rely on. Total: asked about any
 * JSON.
 */
export function shapeProblems(kind: Kind, object: unknown): readonly Problem[] {
  const problem = (field: string, message: string): Problem => ({ field, rule: 'schema', message });
  const what = kind.type.kind;
  if (!isObject(object)) return [problem('', `a ${what} is an object, and this is none`)];
  if (!isObject(object.metadata)) return [problem('metadata', `metadata must be an object with a name`)];
  for (const name of ['name', 'namespace', 'generateName']) {
    const value = object.metadata[name];
    if (value !== undefined && typeof value !== 'string') {
      return [problem(`metadata.${name}`, `metadata.${name} must be a text`)];
    }
  }
  if (isDeeperThan(object.spec, deepest)) {
    return [problem('spec', `spec nests deeper than ${deepest} levels; no field of a ${what} does`)];
  }
  return kind.validate(object).map(({ path, message }) => problem(path, `${path}: ${message}`));
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
