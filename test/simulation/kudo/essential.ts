import type { AnyObject } from '../../../src/kube/object.ts';
import { labels } from '../../../src/kudo/keys.ts';
import type { Instance } from '../../../src/kudo/resources/instance.ts';

/** What must be the same after every run: without uids, versions, times and what chance made. */
export function essential(objects: readonly AnyObject[]): unknown {
  return objects
    .filter(matters)
    .map(essence)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function matters({ kind, metadata }: AnyObject): boolean {
  if (metadata.name === 'kube-root-ca.crt') return false;
  return kind !== 'Pod' || metadata.deletionTimestamp === undefined;
}

function essence(object: AnyObject): unknown {
  const { kind, metadata, data, spec } = object;
  const { name, ownerReferences = [], annotations = {} } = metadata;
  const owners = ownerReferences.map((owner) => `${owner.kind} ${owner.name}`);
  if (kind === 'Pod') return { kind, of: owners[0] ?? metadata.labels?.[labels.instance] };
  if (kind === 'Instance') return { kind, ...essenceOfInstance(object as unknown as Instance) };
  const known = { kind, name, owners, plan: annotations['kudo.dev/plan'] };
  if (kind === 'Secret') return { ...known, keys: Object.keys((data ?? {}) as object) };
  if (kind === 'StatefulSet') {
    const { replicas, template } = spec as unknown as Sized;
    return { ...known, replicas, containers: template.spec.containers };
  }
  return { ...known, data };
}

interface Sized {
  readonly replicas: number;
  readonly template: { readonly spec: { readonly containers: readonly object[] } };
}

function essenceOfInstance({ metadata, spec, status = {} }: Instance): object {
  return {
    name: metadata.name,
    finalizers: metadata.finalizers,
    // A plan that is quick may have ended before anybody could be told of it there.
    spec: { ...spec, planExecution: spec.planExecution?.planName ?? '' },
    observedGeneration: status.observedGeneration === metadata.generation,
    accepted: status.accepted,
    executions: status.executions,
    history: status.history?.map((past) => [past.plan, past.cause, past.forced, past.outcome, past.message].join(' ')),
    plans: Object.values(status.planStatus ?? {}).map((one) => `${one.name} ${one.status}`),
    conditions: status.conditions?.map((one) => `${one.type} ${one.status} ${one.reason}`).toSorted(),
    objects: status.objects?.map((one) => `${one.kind} ${one.name}`).toSorted(),
    execution: status.execution,
    restart: status.restart,
  };
}

/** An end without what tells which plans have led to it. */
export function withoutHistory(end: unknown): unknown {
  return (end as readonly Readonly<Record<string, unknown>>[]).map(
    ({ plan: _plan, executions: _executions, history: _history, plans: _plans, ...rest }) => rest,
  );
}
