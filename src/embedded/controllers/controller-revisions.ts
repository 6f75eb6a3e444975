import type { KubeObject } from '../../kube/object.ts';
import { same } from '../kinds/checks.ts';
import type { LabelSelector } from '../kinds/objects/condition.ts';
import type { PodTemplate } from '../kinds/objects/pod.ts';
import type { ControllerRevision } from '../kinds/objects/workload.ts';
import { controllerRevisions } from '../kinds/resource-types.ts';
import { StatusError } from '../status-error.ts';
import type { World } from '../world.ts';
import { claimed } from './adopt.ts';
import { managedBy } from './pods.ts';
import { templateHash } from './template-hash.ts';

/** The label by which a pod says from which revision it was made. */
export const revisionLabel = 'controller-revision-hash';
const hashLabel = 'controller.kubernetes.io/hash';

interface Templated extends KubeObject {
  readonly spec: { readonly selector: LabelSelector; readonly template: PodTemplate };
}

/** The versions of a workload's template, oldest first; the last is the present one. */
export interface Revisions {
  readonly all: readonly ControllerRevision[];
  readonly update: ControllerRevision;
}

/**
 * The recorded versions of a StatefulSet or DaemonSet. The present template is recorded if it is new; if it equals an
 * older version, that one becomes the newest again (that is what `rollout undo` does).
 */
export async function revisionsOf(world: World, owner: Templated, collisions: number): Promise<Revisions> {
  const owned = await claimed<ControllerRevision>(world, controllerRevisions, owner, owner.spec.selector);
  const sorted = owned.toSorted(byNumber);
  const data = dataOf(owner.spec.template);
  const newest = sorted.at(-1);
  const equal = sorted.findLast((one) => same(one.data, data));
  const next = (newest?.revision ?? 0) + 1;
  if (equal && equal === newest) return { all: sorted, update: equal };
  if (equal) {
    const update = await world.update(controllerRevisions, { ...equal, revision: next });
    return { all: [...sorted.filter((one) => one !== equal), update], update };
  }
  const update = await world.create(controllerRevisions, revisionFor(owner, data, next, collisions));
  return { all: [...sorted, update], update };
}

const byNumber = (a: ControllerRevision, b: ControllerRevision): number => a.revision - b.revision;

const dataOf = (template: PodTemplate): unknown => ({ spec: { template: { ...template, $patch: 'replace' } } });

/** The template that a revision recorded. */
export function templateOf(revision: ControllerRevision): PodTemplate {
  const data = revision.data as { readonly spec: { readonly template: PodTemplate & { readonly $patch?: string } } };
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

function revisionFor(owner: Templated, data: unknown, revision: number, collisions: number): ControllerRevision {
  const hash = templateHash(data, collisions);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
      ownerReferences: [managedBy(owner)],
    },
    data,
    revision,
  };
}

/** Drops the oldest revisions beyond the limit that nobody uses. */
export async function forgetRevisions(
  world: World,
  all: readonly ControllerRevision[],
  inUse: ReadonlySet<string | undefined>,
  limit: number,
): Promise<void> {
  const unused = all.filter((one) => !inUse.has(one.metadata.name)).toSorted(byNumber);
  for (const one of unused.slice(0, Math.max(0, unused.length - limit))) await world.remove(controllerRevisions, one);
}

/** Whether the error says that the name of a new revision was taken. */
export const isTaken = (error: unknown): boolean =>
  error instanceof StatusError && error.status.reason === 'AlreadyExists';
