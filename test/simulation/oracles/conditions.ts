import type { Change } from '../../../src/embedded/world.ts';
import type { AnyObject } from '../../../src/kube/object.ts';

interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly lastTransitionTime?: unknown;
}

/** What is wrong with how a status was changed: generations that go back, conditions that nobody can rely on. */
export function wrongStatus({ before, after }: Change): readonly string[] {
  if (!after) return [];
  const name = `${after.kind} ${after.metadata.name}`;
  const found = malformed(conditionsOf(after)).map((what) => `${name}: ${what}`);
  const generation = observedOf(after);
  if (generation > (after.metadata.generation ?? 0)) found.push(`${name}: observedGeneration is ahead of its spec`);
  if (!before || before.metadata.uid !== after.metadata.uid) return found;
  if (generation < observedOf(before)) found.push(`${name}: observedGeneration went back`);
  for (const condition of conditionsOf(after)) {
    const was = conditionsOf(before).find(({ type }) => type === condition.type);
    if (was && was.status === condition.status && was.lastTransitionTime !== condition.lastTransitionTime) {
      found.push(`${name}: ${condition.type} did not change, and lastTransitionTime did`);
    }
  }
  return found;
}

function malformed(conditions: readonly Condition[]): readonly string[] {
  const found: string[] = [];
  const types = conditions.map(({ type }) => type);
  if (new Set(types).size < types.length) found.push(`conditions are there twice: ${types.join(', ')}`);
  for (const { type, status, reason, message, lastTransitionTime } of conditions) {
    if (!['True', 'False', 'Unknown'].includes(String(status))) found.push(`${type} is ${status}`);
    if (typeof reason !== 'string' || !/^[A-Za-z]([\w,:]*\w)?$/.test(reason))
      found.push(`${type} has reason ${reason}`);
    if (typeof message !== 'string') found.push(`${type} has no message`);
    if (Number.isNaN(Date.parse(String(lastTransitionTime)))) found.push(`${type} does not say since when`);
  }
  const isTrue = (type: string): boolean => conditions.some((one) => one.type === type && one.status === 'True');
  if (isTrue('Reconciling') && isTrue('Stalled')) found.push('it is Reconciling and Stalled at once');
  return found;
}

function conditionsOf({ status }: AnyObject): readonly Condition[] {
  const { conditions } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return Array.isArray(conditions) ? conditions : [];
}

function observedOf({ status }: AnyObject): number {
  const { observedGeneration = 0 } = (status ?? {}) as { readonly observedGeneration?: number };
  return observedGeneration;
}
