import { applyPatch, type Operation } from 'rfc6902';
import { equal } from '../../../change/equal.ts';
import type { Action, PatchAction } from '../../../control/decision.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { BlueGreenView, SideSeen } from '../../blue-green-view.ts';
import { annotations } from '../../decide/bluegreen/annotations.ts';
import { decideBlueGreen } from '../../decide/bluegreen/blue-green.ts';
import type { Status } from '../../decide/bluegreen/blue-green-case.ts';
import { sideOf } from '../../decide/bluegreen/side.ts';
import type { Restore } from '../../decide/bluegreen/source.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { previewName } from '../../manifests/blue-green-ingress.ts';
import { ingressSeen, sideSeen } from '../../observe/blue-green-view.ts';
import { type BlueGreenPhase, type Color, colors } from '../../resources/blue-green-transition.ts';
import type { FlinkDeployment, FlinkDeploymentSpec, FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';

/** Something that is done on the way. */
export type Deed =
  | { readonly do: 'savepoint'; readonly of: Color }
  | { readonly do: 'create'; readonly color: Color; readonly restore: Restore }
  | {
      readonly do: 'change';
      readonly color: Color;
      readonly from: FlinkDeploymentSpec;
      readonly to: FlinkDeploymentSpec;
    }
  | { readonly do: 'delete'; readonly color: Color }
  | { readonly do: 'traffic'; readonly to: Color }
  /** A person must say so first. */
  | { readonly do: 'promote'; readonly color: Color }
  /** Nothing but time passes. */
  | { readonly do: 'wait'; readonly phase: BlueGreenPhase; readonly ms: number };

export interface Rehearsal {
  readonly deeds: readonly Deed[];
  /** How it stands in the end. */
  readonly status: Status;
  /** What the last decision said, and what the first one warned of. */
  readonly because: string;
  readonly warnings: readonly string[];
  /** Somebody served in the beginning, and at some time nobody did. */
  readonly interrupted: boolean;
}

/** No way is longer: from a way back over a superseded side to a new one. */
const mostLooks = 80;

/** What a savepoint that is not taken yet is called. */
export const thatSavepoint = 'that savepoint';

/**
 * Plays what would happen, by the decisions themselves, in a world where all goes well: savepoints complete, what is made
 * comes up, what is deleted goes, people promote. What is unwell in the beginning stays so.
 */
export function rehearse(start: BlueGreenView): Rehearsal {
  const deeds: Deed[] = [];
  const warnings: string[] = [];
  const served = isServed(start);
  let [view, because, interrupted] = [start, '', false];
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const before = view;
    const decision = decideBlueGreen(view);
    because = decision.because;
    for (const action of decision.actions) {
      if (action.do === 'event' && action.warning && looks === 0) warnings.push(action.note);
      view = done(view, action, deeds);
    }
    interrupted ||= served && !isServed(view);
    view = moved(view);
    if (!equal(before, view)) continue;
    const next = decision.wakeAt === undefined ? promoted(view, deeds) : passed(view, decision.wakeAt, deeds);
    if (!next) break;
    view = next;
  }
  return { deeds, status: view.resource.status ?? {}, because, warnings, interrupted };
}

function isServed({ resource, sides }: BlueGreenView): boolean {
  const { name = '', uid = '' } = resource.metadata;
  const color = resource.status?.serving?.color;
  return color !== undefined && sideOf({ name, uid }, color, sides[color]).is === 'ready';
}

function done(view: BlueGreenView, action: Action, deeds: Deed[]): BlueGreenView {
  switch (action.do) {
    case 'status':
      return written(view, action.status as Status, deeds);
    case 'create':
      return action.object.kind === 'FlinkDeployment'
        ? created(view, action.object, deeds)
        : asked(view, action.object, deeds);
    case 'patch':
      return patched(view, action, deeds);
    case 'delete':
      return deleted(view, action.of, deeds);
    case 'apply':
      return led(view, action.object as AnyObject);
    default:
      return view;
  }
}

function written(view: BlueGreenView, status: Status, deeds: Deed[]): BlueGreenView {
  const [from, to] = [view.resource.status?.serving?.color, status.serving?.color];
  if (from !== undefined && to !== undefined && from !== to) deeds.push({ do: 'traffic', to });
  return { ...view, resource: { ...view.resource, status } };
}

function colorOf({ resource }: BlueGreenView, name: string | undefined): Color | undefined {
  return colors.find((color) => childName(resource.metadata.name ?? '', color) === name);
}

function withSide(view: BlueGreenView, color: Color, side: SideSeen | undefined): BlueGreenView {
  return { ...view, sides: { ...view.sides, [color]: side } };
}

/** As the API server would store it: never the same one twice. */
function stored<T extends KubeObject>(object: T, count: number): T {
  const metadata = {
    ...object.metadata,
    uid: `${object.metadata.name}-${count}`,
    resourceVersion: `${count}`,
    generation: 1,
  };
  return { ...object, metadata };
}

function created(view: BlueGreenView, object: KubeObject, deeds: Deed[]): BlueGreenView {
  const color = colorOf(view, object.metadata.name);
  if (!color || view.sides[color]) return view;
  const { restore = { mode: 'stateless' } } = view.resource.status?.transition ?? {};
  deeds.push({ do: 'create', color, restore });
  return withSide(view, color, sideSeen(stored(object, deeds.length) as FlinkDeployment));
}

function asked(view: BlueGreenView, object: KubeObject, deeds: Deed[]): BlueGreenView {
  if (view.snapshots.some(({ metadata }) => metadata.name === object.metadata.name)) return view;
  deeds.push({ do: 'savepoint', of: view.resource.status?.transition?.from ?? 'BLUE' });
  return { ...view, snapshots: [...view.snapshots, stored(object, deeds.length) as FlinkStateSnapshot] };
}

function patched(view: BlueGreenView, { of, patch }: PatchAction, deeds: Deed[]): BlueGreenView {
  const color = colorOf(view, of.name);
  const side = color && view.sides[color];
  if (!color || !side) return view;
  const { labels, annotations: noted, spec } = side;
  const after = structuredClone({ metadata: { labels, annotations: noted }, spec });
  applyPatch(after, structuredClone(patch) as Operation[]);
  const same = equal(after.spec, spec);
  if (!same) deeds.push({ do: 'change', color, from: spec, to: after.spec });
  return withSide(view, color, {
    ...side,
    generation: side.generation + (same ? 0 : 1),
    labels: after.metadata.labels,
    annotations: after.metadata.annotations,
    spec: after.spec,
  });
}

function deleted(
  view: BlueGreenView,
  of: { readonly kind: string; readonly name: string },
  deeds: Deed[],
): BlueGreenView {
  const { name } = of;
  if (of.kind === 'FlinkStateSnapshot') {
    return { ...view, snapshots: view.snapshots.filter(({ metadata }) => metadata.name !== name) };
  }
  if (of.kind === 'Ingress') return { ...view, [whichIngress(view, name)]: undefined };
  const color = colorOf(view, name);
  if (!color || !view.sides[color]) return view;
  deeds.push({ do: 'delete', color });
  return withSide(view, color, undefined);
}

function whichIngress({ resource }: BlueGreenView, name: string): 'ingress' | 'preview' {
  return name === previewName(resource.metadata.name ?? '') ? 'preview' : 'ingress';
}

function led(view: BlueGreenView, object: AnyObject): BlueGreenView {
  const { name = '' } = object.metadata;
  return { ...view, [whichIngress(view, name)]: ingressSeen(stored(object, 1)) };
}

/** What others do in the meantime: sides come up and go, savepoints complete. */
function moved(view: BlueGreenView): BlueGreenView {
  let next = view;
  for (const color of colors) {
    const side = next.sides[color];
    if (side?.terminating) next = withSide(next, color, undefined);
    else if (side && isUnderWay(side)) next = withSide(next, color, { ...side, status: settled(side) });
  }
  if (next.snapshots.every(({ status }) => status?.state !== undefined)) return next;
  const snapshots = next.snapshots.map((one) =>
    one.status?.state ? one : { ...one, status: { state: 'COMPLETED' as const, path: thatSavepoint } },
  );
  return { ...next, snapshots };
}

function isUnderWay({ status, generation }: SideSeen): boolean {
  const { observedGeneration = 0, jobManagerDeploymentStatus: manager } = status;
  return observedGeneration < generation || manager === undefined || manager === 'DEPLOYING';
}

function settled({ spec, status, generation, ref }: SideSeen): FlinkDeploymentStatus {
  const { jobId = `job-of-${ref.uid}` } = status.jobStatus ?? {};
  const is: FlinkDeploymentStatus =
    spec.job?.state === 'suspended'
      ? { jobStatus: { state: 'FINISHED', jobId }, lifecycleState: 'SUSPENDED', jobManagerDeploymentStatus: 'MISSING' }
      : { jobStatus: { state: 'RUNNING', jobId }, lifecycleState: 'STABLE', jobManagerDeploymentStatus: 'READY' };
  return { ...is, observedGeneration: generation };
}

/** A person promotes what waits for one. */
function promoted(view: BlueGreenView, deeds: Deed[]): BlueGreenView | undefined {
  const { resource } = view;
  const { transition, conditions = [] } = resource.status ?? {};
  const waits = conditions.some(({ type, reason }) => type === 'Reconciling' && reason === 'AwaitsPromotion');
  const noted = resource.metadata.annotations ?? {};
  if (!transition || !waits || noted[annotations.promote] === transition.id) return undefined;
  deeds.push({ do: 'promote', color: transition.to });
  const metadata = { ...resource.metadata, annotations: { ...noted, [annotations.promote]: transition.id } };
  return { ...view, resource: { ...resource, metadata } };
}

function passed(view: BlueGreenView, until: number, deeds: Deed[]): BlueGreenView {
  const { phase } = view.resource.status?.transition ?? {};
  const now = Math.max(view.now + 1, until);
  if (phase) deeds.push({ do: 'wait', phase, ms: now - view.now });
  return { ...view, now };
}
