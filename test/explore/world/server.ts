import { applyPatch } from 'rfc6902';
import { isThisCreation } from '../../../src/control/actions/create.ts';
import { contains } from '../../../src/control/contains.ts';
import type {
  ApplyAction,
  CreateAction,
  PatchAction,
  RemoveAction,
  StatusAction,
} from '../../../src/control/decision.ts';
import type { FlinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import type { AnyObject, KubeObject, ObjectMeta } from '../../../src/kube/object.ts';
import { type Child, type Cluster, resourceName, type World } from './world.ts';

/** What became of a request. */
export type Answer =
  | { readonly ok: true; readonly cluster: Cluster; readonly counter: number }
  /** The object is not the one, or not in the version, that was meant. */
  | { readonly ok: false; readonly why: 'conflict' | 'refused' };

/** Any action that is a request of a blue/green deployment. */
export type Request = StatusAction | ApplyAction | CreateAction | PatchAction | Deletion;
type Deletion = RemoveAction & { readonly do: 'delete' };

/** As much of a world as the API server knows. */
type Stored = Pick<World, 'cluster' | 'counter' | 'now'>;

const conflict: Answer = { ok: false, why: 'conflict' };
const refused: Answer = { ok: false, why: 'refused' };

/**
 * The API server's part of an action: preconditions on uid and version, names that are taken, finalizers, generations.
 * What `act` checks before it sends anything is in `client.ts`.
 */
export function serve(stored: Stored, request: Request): Answer {
  switch (request.do) {
    case 'status':
      return writeStatus(stored, request);
    case 'create':
      return create(stored, request);
    case 'apply':
      return apply(stored, request);
    case 'patch':
      return patch(stored, request);
    case 'delete':
      return remove(stored, request);
  }
}

/** The object that a request is about, whatever its uid. */
export function storedOf(
  cluster: Cluster,
  { kind, name }: { readonly kind: string; readonly name: string },
): KubeObject | undefined {
  switch (kind) {
    case 'FlinkBlueGreenDeployment':
      return cluster.resource;
    case 'FlinkDeployment':
      return cluster.sides[colorNamed(name)]?.object;
    case 'Ingress':
      return cluster.ingresses[ingressNamed(name)];
    case 'FlinkStateSnapshot':
      return cluster.snapshots.find((one) => one.metadata.name === name);
    default:
      throw new Error(`no ${kind} is known here`);
  }
}

export function targetOf(request: Request): { readonly kind: string; readonly name: string } {
  if (request.do !== 'create' && request.do !== 'apply') return request.of;
  return { kind: request.object.kind, name: request.object.metadata.name ?? '' };
}

/** The same cluster with this object in it, in place of the one with its name. */
export function put(cluster: Cluster, object: KubeObject, deployed?: Child['deployed']): Cluster {
  const name = object.metadata.name ?? '';
  switch (object.kind) {
    case 'FlinkBlueGreenDeployment':
      return { ...cluster, resource: object as NonNullable<Cluster['resource']> };
    case 'FlinkDeployment': {
      const color = colorNamed(name);
      const child: Child = { object: object as FlinkDeployment, deployed: deployed ?? keptOf(cluster, object) };
      return { ...cluster, sides: { ...cluster.sides, [color]: child } };
    }
    case 'Ingress':
      return { ...cluster, ingresses: { ...cluster.ingresses, [ingressNamed(name)]: object as AnyObject } };
    case 'FlinkStateSnapshot': {
      const others = cluster.snapshots.filter((one) => one.metadata.name !== name);
      return { ...cluster, snapshots: [...others, object as FlinkStateSnapshot] };
    }
    default:
      throw new Error(`no ${object.kind} is known here`);
  }
}

/** The same cluster without the object of this kind and name. */
export function without(cluster: Cluster, { kind, name }: { readonly kind: string; readonly name: string }): Cluster {
  switch (kind) {
    case 'FlinkBlueGreenDeployment':
      return { ...cluster, resource: undefined };
    case 'FlinkDeployment':
      return { ...cluster, sides: { ...cluster.sides, [colorNamed(name)]: undefined } };
    case 'Ingress':
      return { ...cluster, ingresses: { ...cluster.ingresses, [ingressNamed(name)]: undefined } };
    default:
      return { ...cluster, snapshots: cluster.snapshots.filter((one) => one.metadata.name !== name) };
  }
}

/** The object as it is stored next: in another version, and of another generation if its spec is another. */
export function rewritten<T extends KubeObject>(before: T, after: T, counter: number): T {
  const changed = 'spec' in before && Reflect.get(before, 'spec') !== Reflect.get(after, 'spec');
  const generation = (before.metadata.generation ?? 1) + (changed ? 1 : 0);
  return { ...after, metadata: { ...after.metadata, generation, resourceVersion: `rv${counter}` } };
}

function keptOf(cluster: Cluster, object: KubeObject): Child['deployed'] {
  const present = cluster.sides[colorNamed(object.metadata.name ?? '')];
  return present?.object.metadata.uid === object.metadata.uid ? present?.deployed : undefined;
}

function colorNamed(name: string): 'BLUE' | 'GREEN' {
  if (name === `${resourceName}-blue`) return 'BLUE';
  if (name === `${resourceName}-green`) return 'GREEN';
  throw new Error(`${name} is neither side`);
}

function ingressNamed(name: string): 'active' | 'preview' {
  return name === resourceName ? 'active' : 'preview';
}

function writeStatus({ cluster, counter }: Stored, { of, status }: StatusAction): Answer {
  const { resource } = cluster;
  if (!resource || !isVersion(resource, of)) return conflict;
  const after = rewritten(resource, { ...resource, status: status as NonNullable<typeof resource.status> }, counter);
  return { ok: true, cluster: put(cluster, after), counter: counter + 1 };
}

function create({ cluster, counter }: Stored, { object }: CreateAction): Answer {
  const present = storedOf(cluster, { kind: object.kind, name: object.metadata.name ?? '' });
  // As `act`: a name that is taken is looked at, and may be our own first try.
  if (present) return isThisCreation(present, object) ? { ok: true, cluster, counter } : refused;
  return { ok: true, cluster: put(cluster, born(object, counter)), counter: counter + 1 };
}

function apply({ cluster, counter }: Stored, { object, resourceVersion }: ApplyAction): Answer {
  const present = storedOf(cluster, { kind: object.kind, name: object.metadata.name ?? '' });
  if (!present) return { ok: true, cluster: put(cluster, born(object, counter)), counter: counter + 1 };
  if (resourceVersion !== undefined && present.metadata.resourceVersion !== resourceVersion) return conflict;
  if (contains(present, object)) return { ok: true, cluster, counter };
  const metadata: ObjectMeta = { ...present.metadata, ...object.metadata };
  const after = rewritten(present, { ...object, metadata }, counter);
  return { ok: true, cluster: put(cluster, after), counter: counter + 1 };
}

function patch({ cluster, counter }: Stored, { of, patch: operations }: PatchAction): Answer {
  const present = storedOf(cluster, of);
  if (!present || !isVersion(present, of)) return conflict;
  const after = structuredClone(present);
  if (applyPatch(after, structuredClone([...operations]) as Parameters<typeof applyPatch>[1]).some((error) => error)) {
    return conflict;
  }
  const same = JSON.stringify(Reflect.get(after, 'spec')) === JSON.stringify(Reflect.get(present, 'spec'));
  const settled = same ? { ...after, spec: Reflect.get(present, 'spec') } : after;
  return { ok: true, cluster: put(cluster, rewritten(present, settled as KubeObject, counter)), counter: counter + 1 };
}

function remove(stored: Stored, { of }: Deletion): Answer {
  const { cluster, counter } = stored;
  const present = storedOf(cluster, of);
  if (!present) return { ok: true, cluster, counter };
  if (of.uid !== '' && present.metadata.uid !== of.uid) return conflict;
  if (of.resourceVersion !== undefined && present.metadata.resourceVersion !== of.resourceVersion) return conflict;
  return removed(stored, present);
}

/** Anybody's deletion of what is there: it goes when its finalizer does. */
export function removed({ cluster, counter, now }: Stored, present: KubeObject): Answer {
  if (present.metadata.deletionTimestamp) return { ok: true, cluster, counter };
  if (present.kind !== 'FlinkDeployment') {
    return { ok: true, cluster: without(cluster, { kind: present.kind, name: present.metadata.name ?? '' }), counter };
  }
  const leaving = { ...present, metadata: { ...present.metadata, deletionTimestamp: new Date(now).toISOString() } };
  return { ok: true, cluster: put(cluster, rewritten(present, leaving, counter)), counter: counter + 1 };
}

function born(object: KubeObject, counter: number): KubeObject {
  const metadata = { ...object.metadata, uid: `uid${counter}`, resourceVersion: `rv${counter}`, generation: 1 };
  return { ...object, metadata };
}

function isVersion(present: KubeObject, of: { readonly uid: string; readonly resourceVersion: string }): boolean {
  return present.metadata.uid === of.uid && present.metadata.resourceVersion === of.resourceVersion;
}
