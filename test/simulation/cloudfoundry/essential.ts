import { labels } from '../../../src/cloudfoundry/keys.ts';
import type { Conditions } from '../../../src/control/conditions.ts';
import type { AnyObject } from '../../../src/kube/object.ts';

/** What must be the same after every run: without uids, versions and times. */
export function essential(objects: readonly AnyObject[]): unknown {
  // A person's own Secret stays when the app goes, as that person left it.
  const hasApp = objects.some(({ kind }) => kind === 'CFApp');
  const text = JSON.stringify(
    objects
      .filter(matters)
      .filter(({ kind, metadata }) => hasApp || kind !== 'Secret' || metadata.name !== 'env')
      .map(essence)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );
}

function matters({ kind, metadata }: AnyObject): boolean {
  if (metadata.name === 'kube-root-ca.crt') return false;
  return kind !== 'Pod' || metadata.deletionTimestamp === undefined;
}

interface Observed {
  readonly conditions?: Conditions;
  readonly observedGeneration?: number;
}

function essence(object: AnyObject): unknown {
  const { kind, metadata, spec, data } = object;
  const { name, namespace, annotations = {}, finalizers } = metadata;
  // The pods of Jobs have names of chance.
  const of = metadata.labels?.['batch.kubernetes.io/job-name'] ?? name;
  if (kind === 'Pod') return { kind, of, revision: metadata.labels?.[labels.version] };
  const known = { kind, namespace, name };
  if (kind === 'Secret') return { ...known, keys: Object.keys((data ?? {}) as object) };
  if (kind === 'StatefulSet') {
    const { replicas, template } = spec as { replicas?: number; template: { spec: object } };
    return { ...known, replicas, pod: template.spec };
  }
  // Its address is chance, and the hash of what was applied has the uid of its route in it.
  if (kind === 'Service') {
    const { selector, ports } = spec as { selector?: object; ports?: readonly object[] };
    return { ...known, selector, ports };
  }
  const { conditions = [], observedGeneration, ...status } = (object.status ?? {}) as Observed;
  return {
    ...known,
    finalizers,
    annotations,
    spec,
    status,
    // How often it was edited on the way does not matter.
    observed: observedGeneration === metadata.generation,
    conditions: conditions.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`).toSorted(),
  };
}
