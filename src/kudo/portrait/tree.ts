import type { AnyObject } from '../../kube/object.ts';
import { podNode } from '../../portrait/of-pod.ts';
import type { PodPortrait, TreeNode } from '../../portrait/portrait.ts';
import type { Phase } from '../../portrait/summary.ts';
import { healthOf } from '../health/health-of.ts';
import { number } from '../health/status-of.ts';
import { instance } from '../resources/instance.ts';
import { instanceIn, type Read } from './instance-in.ts';
import { summaryOf } from './summarize.ts';
import type { Nearby } from './surroundings.ts';
import { brief, timeIn } from './wording.ts';

/** Children of children of …: deeper is nothing that people look at. */
const deepest = 6;

/** More than this nobody reads, and a status may name anything. */
const most = 500;

/**
 * The Instance and all that it made, down to pods: what its plans applied, in their order, then what it owns besides. Objects
 * of kinds that nobody looks at are there because the status says so.
 */
export function treeOf(read: Read, near: Nearby, pod: (object: AnyObject) => PodPortrait): TreeNode {
  return new Grower(near, pod).instance(read, 0);
}

class Grower {
  readonly #near: Nearby;
  readonly #pod: (object: AnyObject) => PodPortrait;
  readonly #seen = new Set<string>();

  constructor(near: Nearby, pod: (object: AnyObject) => PodPortrait) {
    this.#near = near;
    this.#pod = pod;
  }

  instance(read: Read, depth: number): TreeNode {
    const { metadata, status } = read;
    const { phase, state, headline } = summaryOf(read);
    if (metadata.uid) this.#seen.add(metadata.uid);
    const applied = (status.objects ?? []).slice(0, most).flatMap((ref) => {
      const found = this.#near.find(ref);
      if (typeof found === 'object') return this.#object(found, depth + 1);
      const { kind, name } = ref;
      if (found === 'unseen') return [{ kind, name, phase: 'healthy', status: 'applied', children: [] } as const];
      // A Job or Pod that is gone has done what it was for.
      const done = kind === 'Job' || kind === 'Pod';
      return [{ kind, name, phase: done ? 'healthy' : 'degraded', status: 'gone', children: [] } as const];
    });
    const others = this.#near.ownedBy(metadata.uid).flatMap((object) => this.#object(object, depth + 1));
    return {
      kind: instance.type.kind,
      name: metadata.name ?? '',
      phase,
      status: state ?? phase,
      ...created(metadata.creationTimestamp),
      ...(depth > 0 && { info: headline }),
      children: [...applied, ...others],
    };
  }

  /** One node; none for what was shown already, and for what is only left of former rollouts. */
  #object(object: AnyObject, depth: number): readonly TreeNode[] {
    const { metadata, kind } = object;
    const { uid = '', name = '' } = metadata;
    if (depth > deepest || this.#seen.has(uid)) return [];
    if (uid !== '') this.#seen.add(uid);
    if (kind === 'Pod') return [podNode(this.#pod(object))];
    if (kind === instance.type.kind) return [this.instance(instanceIn(object), depth)];
    const children = this.#near.ownedBy(uid).flatMap((owned) => this.#object(owned, depth + 1));
    if (kind === 'ReplicaSet' && children.length === 0 && !(number(object, 'spec', 'replicas') ?? 1)) return [];
    return [{ kind, name, ...standing(object), ...created(metadata.creationTimestamp), children }];
  }
}

function standing(object: AnyObject): Pick<TreeNode, 'phase' | 'status' | 'info'> {
  if (object.metadata.deletionTimestamp !== undefined) return { phase: 'deleting', status: 'Terminating' };
  const health = healthOf(object);
  const phase: Phase = health.is === 'healthy' ? 'healthy' : health.is === 'failed' ? 'failed' : 'progressing';
  const status = readyText(object) ?? (health.is === 'healthy' ? 'there' : health.is);
  return { phase, status, ...('message' in health && { info: brief(health.message) }) };
}

/** `2/3 ready`, of what has pods. */
function readyText(object: AnyObject): string | undefined {
  const count = (field: string): number => number(object, 'status', field) ?? 0;
  switch (object.kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet':
      return `${count('readyReplicas')}/${number(object, 'spec', 'replicas') ?? 1} ready`;
    case 'DaemonSet':
      return `${count('numberReady')}/${count('desiredNumberScheduled')} ready`;
    case 'Job':
      return `${count('succeeded')}/${number(object, 'spec', 'completions') ?? 1} done`;
    default:
      return undefined;
  }
}

function created(text: string | undefined): { readonly createdAt?: string } {
  const createdAt = timeIn(text);
  return createdAt === undefined ? {} : { createdAt };
}
