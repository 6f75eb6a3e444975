import { applyPatch, type Operation } from 'rfc6902';
import { annotations } from '../../../control/annotations.ts';
import type { Action, Decision, PatchAction, Ref } from '../../../control/decision.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { BlueGreenView, IngressSeen, SideSeen } from '../../blue-green-view.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { instantText } from '../instant-text.ts';
import { annotations as marks } from './annotations.ts';
import type { Status } from './blue-green-case.ts';

/** What a decision makes of the world. */
export interface Followed {
  readonly view: BlueGreenView;
  /** The action that did not fit any more: it and all behind it were not done. */
  readonly conflict?: Action;
}

/**
 * Does what was decided, as an API server would: in order, and not on another object or version than the one named. What
 * is as it should be stays the very same. Deleted sides are on their way out; whoever tells the story says when they are
 * gone.
 */
export function follow(view: BlueGreenView, { actions }: Decision): Followed {
  let now = view;
  for (const action of actions) {
    const next = done(now, action);
    if (!next) return { view: now, conflict: action };
    now = next;
  }
  return { view: now };
}

function done(view: BlueGreenView, action: Action): BlueGreenView | undefined {
  switch (action.do) {
    case 'status': {
      const { resource } = view;
      if (action.of.resourceVersion !== resource.metadata.resourceVersion) return undefined;
      const metadata = { ...resource.metadata, resourceVersion: version(view) };
      return { ...view, resource: { ...resource, metadata, status: action.status as Status } };
    }
    case 'create':
      return action.object.kind === 'FlinkDeployment' ? created(view, action.object) : asked(view, action.object);
    case 'patch':
      return patched(view, action);
    case 'delete':
      return deleted(view, action.of);
    case 'apply':
      return applied(view, action.object as AnyObject, action.resourceVersion);
    case 'event':
      return view;
    default:
      throw new Error(`blue/green does not ${action.do} anything`);
  }
}

/** A version that nothing has had. */
function version({ resource, sides, ingress, preview, snapshots }: BlueGreenView): string {
  const versions = [
    resource.metadata.resourceVersion,
    ...[sides.BLUE, sides.GREEN, ingress, preview].map((one) => one?.ref.resourceVersion),
    ...snapshots.map(({ metadata }) => metadata.resourceVersion),
  ];
  return String(1 + Math.max(...versions.map((one) => Number(one ?? 0))));
}

function colorOf({ resource }: BlueGreenView, sideName: string | undefined): Color {
  const color = colors.find((one) => childName(resource.metadata.name ?? '', one) === sideName);
  if (!color) throw new Error(`${sideName} is no side`);
  return color;
}

export function withSide(view: BlueGreenView, color: Color, side: SideSeen | undefined): BlueGreenView {
  return { ...view, sides: { ...view.sides, [color]: side } };
}

function created(view: BlueGreenView, object: KubeObject): BlueGreenView | undefined {
  const { metadata } = object;
  const color = colorOf(view, metadata.name);
  const present = view.sides[color];
  const id = metadata.annotations?.[annotations.id];
  const owners = (metadata.ownerReferences ?? []).map((owner) => owner.uid);
  if (present) return present.id === id && owners.every((one) => present.owners.includes(one)) ? view : undefined;
  const at = version(view);
  const { apiVersion, kind } = object;
  const name = metadata.name ?? '';
  const namespace = metadata.namespace ?? '';
  return withSide(view, color, {
    ref: { apiVersion, kind, namespace, name, uid: `${color.toLowerCase()}-${at}`, resourceVersion: at },
    owners,
    id,
    terminating: false,
    terminatingSince: undefined,
    finalizers: [],
    generation: 1,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    spec: (object as AnyObject).spec as SideSeen['spec'],
    status: {},
  });
}

function asked(view: BlueGreenView, object: KubeObject): BlueGreenView | undefined {
  const present = view.snapshots.find(({ metadata }) => metadata.name === object.metadata.name);
  if (present)
    return present.metadata.annotations?.[annotations.id] === object.metadata.annotations?.[annotations.id]
      ? view
      : undefined;
  const at = version(view);
  const metadata = {
    ...object.metadata,
    uid: `snapshot-${at}`,
    resourceVersion: at,
    creationTimestamp: instantText(view.now),
  };
  return { ...view, snapshots: [...view.snapshots, { ...object, metadata } as FlinkStateSnapshot] };
}

function patched(view: BlueGreenView, { of, patch }: PatchAction): BlueGreenView | undefined {
  const color = colorOf(view, of.name);
  const side = view.sides[color];
  if (!side || side.ref.uid !== of.uid || side.ref.resourceVersion !== of.resourceVersion) return undefined;
  const { labels, annotations: noted, spec } = side;
  const after = structuredClone({ metadata: { labels, annotations: noted }, spec });
  if (applyPatch(after, patch as Operation[]).some((failure) => failure !== null)) return undefined;
  const changed = JSON.stringify(after.spec) !== JSON.stringify(spec);
  return withSide(view, color, {
    ...side,
    ref: { ...side.ref, resourceVersion: version(view) },
    generation: side.generation + (changed ? 1 : 0),
    labels: after.metadata.labels,
    annotations: after.metadata.annotations,
    spec: after.spec,
  });
}

/** Gone already is success. */
function deleted(view: BlueGreenView, of: Ref): BlueGreenView | undefined {
  if (of.kind === 'FlinkStateSnapshot') {
    return { ...view, snapshots: view.snapshots.filter(({ metadata }) => metadata.uid !== of.uid) };
  }
  if (of.kind === 'Ingress') {
    const left = (seen: IngressSeen | undefined) => (seen?.ref.uid === of.uid ? undefined : seen);
    return { ...view, ingress: left(view.ingress), preview: left(view.preview) };
  }
  const color = colorOf(view, of.name);
  const side = view.sides[color];
  if (!side) return view;
  if (side.ref.uid !== of.uid) return undefined;
  if (of.resourceVersion !== undefined && of.resourceVersion !== side.ref.resourceVersion) return undefined;
  if (side.terminating) return view;
  const ref = { ...side.ref, resourceVersion: version(view) };
  return withSide(view, color, { ...side, ref, terminating: true, terminatingSince: view.now });
}

interface Rules {
  readonly rules?: readonly { readonly http?: { readonly paths?: readonly Path[] } }[];
}
interface Path {
  readonly backend?: { readonly service?: { readonly name?: string } };
}

function applied(view: BlueGreenView, object: AnyObject, at?: string): BlueGreenView | undefined {
  const { name = '', namespace = '', ownerReferences = [] } = object.metadata;
  const which = name === view.resource.metadata.name ? 'ingress' : 'preview';
  const present = view[which];
  const owners = ownerReferences.map((owner) => owner.uid);
  if (present && !owners.every((one) => present.owners.includes(one))) return undefined;
  if (at !== undefined && present?.ref.resourceVersion !== at) return undefined;
  const { rules = [] } = (object.spec ?? {}) as Rules;
  const backends = rules
    .flatMap(({ http }) => http?.paths ?? [])
    .flatMap(({ backend }) => backend?.service?.name ?? []);
  const move = object.metadata.annotations?.[marks.move];
  if (present && present.move === move && JSON.stringify(present.backends) === JSON.stringify(backends)) return view;
  const next = version(view);
  const { apiVersion, kind } = object;
  const ref = { apiVersion, kind, namespace, name, uid: present?.ref.uid ?? `ingress-${next}`, resourceVersion: next };
  return { ...view, [which]: { ref, owners, terminating: present?.terminating ?? false, backends, move } };
}
