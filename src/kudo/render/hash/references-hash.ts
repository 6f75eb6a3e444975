import { createHash } from 'node:crypto';
import { canonical } from '../../../control/digest.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { tidied } from './content-hash.ts';
import { isSkipped } from './dependencies-hash.ts';
import { type DependencyReader, inOrder, type PartialDependency } from './dependency.ts';

/**
 * The hash of what KUDO's hash leaves out: variables, and volumes that join several sources. It is ours alone, so it counts
 * what pods can see and nothing else: the keys that are named, or all of them. Nothing when there are no such references.
 */
export function referencesHash(others: readonly PartialDependency[], read: DependencyReader): string | undefined {
  if (others.length === 0) return undefined;
  const seen = new Map<string, unknown>();
  for (const { kind, name, keys } of others.toSorted(inOrder)) {
    const object = read({ kind, name });
    const content = object === undefined || isSkipped(object) ? undefined : contentOf(object);
    const parts = keys ?? [...(content?.keys() ?? [])].sort();
    for (const key of parts) seen.set(canonical([kind, name, key]), content?.get(key) ?? null);
  }
  const text = canonical([...seen].sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * What the keys of a ConfigMap or Secret hold, whether it is about to be applied or comes from a server: there `stringData`
 * has become `data`, and base64 has no line breaks.
 */
function contentOf(object: KubeObject): ReadonlyMap<string, unknown> {
  const { data, binaryData, stringData } = object as KubeObject & Readonly<Record<string, unknown>>;
  const texts = entries(stringData).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'string' ? Buffer.from(value, 'utf8').toString('base64') : value,
  ]);
  const isSecret = object.kind === 'Secret';
  return new Map([...entries(isSecret ? tidied(data) : data), ...entries(tidied(binaryData)), ...texts]);
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
