import type { JsonObject, ObjectMeta } from '../../../kube/object.ts';
import { unprocessable } from '../cf-error.ts';

/** `metadata` of a request; `null` takes a key away. */
export interface MetadataChange {
  readonly labels?: Readonly<Record<string, string | null>> | undefined;
  readonly annotations?: Readonly<Record<string, string | null>> | undefined;
}

const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * What of `metadata` is to be merged into an object, checked: the platform's own keys are not for clients, and what Kubernetes
 * could not hold is refused before anything is written. `undefined` when it asks for nothing.
 *
 * What is `present` already is asked for by nobody: clients send back all that they were shown, the platform's keys among it.
 * @throws CfError 422
 */
export function metadataPatch(
  change: MetadataChange | null | undefined,
  present: ObjectMeta = {},
): JsonObject | undefined {
  const labels = checked('labels', news(change?.labels, present.labels));
  const annotations = checked('annotations', news(change?.annotations, present.annotations));
  if (!labels && !annotations) return undefined;
  return { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } };
}

function news(
  entries: Readonly<Record<string, string | null>> = {},
  present: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | null>> {
  const changed = Object.entries(entries).filter(
    ([key, value]) => !Object.hasOwn(present, key) || present[key] !== value,
  );
  return Object.fromEntries(changed);
}

function checked(
  field: 'labels' | 'annotations',
  entries: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string | null>> | undefined {
  for (const [key, value] of Object.entries(entries)) {
    const why = fault(field, key, value);
    if (why) throw unprocessable(`metadata.${field}.${key.slice(0, 100)} ${why}`);
  }
  return Object.keys(entries).length === 0 ? undefined : entries;
}

function fault(field: 'labels' | 'annotations', key: string, value: string | null): string | undefined {
  const parts = key.split('/');
  const domain = parts.length > 1 ? parts[0] : undefined;
  if (parts.length > 2 || !name.test(parts.at(-1) ?? '') || (domain !== undefined && !prefix.test(domain))) {
    return 'is not a valid key: it may have a domain and a slash, then at most 63 letters, digits, "-", "_" and "."';
  }
  if (domain !== undefined && /(^|\.)(cloudfoundry\.org|cutover\.dev)$/.test(domain)) {
    return `label/annotation key cannot use the ${domain.endsWith('cutover.dev') ? 'cutover.dev' : 'cloudfoundry.org'} domain`;
  }
  if (value === null) return undefined;
  if (field === 'labels' && !labelValue.test(value)) {
    return 'is not a valid value: at most 63 letters, digits, "-", "_" and ".", a letter or digit at both ends';
  }
  return value.length > 5000 ? 'is too long (maximum is 5000 characters)' : undefined;
}
