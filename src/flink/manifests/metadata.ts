import { annotations } from '../../control/annotations.ts';
import type { ObjectMeta, OwnerReference } from '../../kube/object.ts';
import type { Blueprint } from './blueprint.ts';

/** The labels of everything that belongs to a cluster; Flink's own metadata for recovery carries them too. */
export function commonLabels({ plan, mode }: Blueprint): Record<string, string> {
  return { app: plan.owner.name, type: `flink-${mode}-kubernetes` };
}

/** The labels by which the pods of a process are found. */
export function podLabels(blueprint: Blueprint, component: 'jobmanager' | 'taskmanager'): Record<string, string> {
  return { ...commonLabels(blueprint), component };
}

/** Owned by the FlinkDeployment, which is not its controller: the JobManager's Deployment is Flink's own to manage. */
export function ownedByResource({ plan: { owner } }: Blueprint, controller: boolean): OwnerReference {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    name: owner.name,
    uid: owner.uid,
    controller,
    blockOwnerDeletion: true,
  };
}

/** Owned by the JobManager's Deployment: it goes with it. */
export function ownedByDeployment({ plan: { owner } }: Blueprint, uid: string): OwnerReference {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: owner.name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export interface Envelope {
  readonly name: string;
  readonly owner: OwnerReference;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The metadata of every object that is made here. */
export function metadata({ plan }: Blueprint, { name, owner, labels, annotations: more }: Envelope): ObjectMeta {
  return {
    name,
    namespace: plan.owner.namespace,
    labels,
    annotations: { ...more, [annotations.id]: plan.id },
    ownerReferences: [owner],
  };
}
