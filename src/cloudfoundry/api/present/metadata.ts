import type { KubeObject } from '../../../kube/object.ts';

/** Keys that say nothing to a user of Cloud Foundry: our own bookkeeping, and kubectl's. */
const inner = /^(cutover\.dev\/|kubectl\.kubernetes\.io\/)/;

/** `metadata` of a resource: its labels and annotations. */
export function presentMetadata({ metadata }: KubeObject): object {
  return { labels: shown(metadata.labels), annotations: shown(metadata.annotations) };
}

/** When it was made, as RFC 3339. */
export function createdAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

/** When it was last written: the newest time that the API server has on record. */
export function updatedAt({ metadata }: KubeObject): string {
  let newest = metadata.creationTimestamp ?? '';
  for (const { time } of metadata.managedFields ?? []) if (time !== undefined && time > newest) newest = time;
  return newest;
}

/** GUID and times, which every resource begins with. */
export function presentIdentity(object: KubeObject): object {
  return { guid: object.metadata.name ?? '', created_at: createdAt(object), updated_at: updatedAt(object) };
}

function shown(entries: Readonly<Record<string, string>> = {}): object {
  // The API server sends them in order, and lists are long: what can be shown as it is, is.
  const keys = Object.keys(entries);
  const asIs = keys.every((key, at) => !inner.test(key) && (at === 0 || (keys[at - 1] ?? '') < key));
  if (asIs) return entries;
  return Object.fromEntries(
    keys
      .filter((key) => !inner.test(key))
      .sort()
      .map((key) => [key, entries[key]]),
  );
}
