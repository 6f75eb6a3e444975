import type { BlueGreenView, SideSeen } from '../../blue-green-view.ts';
import { childName, childSpec } from '../../manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { type BlueGreenTransition, type Color, colors } from '../../resources/blue-green-transition.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { deploymentChange } from '../../resources/spec-change.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { other, type Spec, type Status } from './blue-green-case.ts';
import { startedLike } from './in-place.ts';
import { acted } from './record.ts';
import { sideOf } from './side.ts';

/**
 * The status to decide on. What another operator left, and what is left of ours when the status was lost, is taken up once:
 * which side serves, what it has, what is under way. Taking over restarts nothing.
 */
export function imported(view: BlueGreenView): Status {
  const { status = {}, metadata } = view.resource;
  const { name = '', uid = '' } = metadata;
  const owned = colors.filter((color) => {
    const { is, seen } = sideOf({ name, uid }, color, view.sides[color]);
    return seen !== undefined && is !== 'leaving';
  });
  const { attempt = 0, serving, transition } = status;
  if (serving || transition) return attempt > 0 ? status : { ...status, attempt: 1 };
  const recorded = recordedSpec(view);
  const begun = { ...status, attempt: Math.max(1, attempt) };
  // What was noticed is not what was done: a nonce has acted when a side has it. The side that does not serve is the newer.
  const newer = target(status) ?? other(servingColor(view, status));
  const known = owned
    .toSorted((a, b) => Number(a === newer) - Number(b === newer))
    .reduce<Status>((so, color) => acted(so, { template: { spec: view.sides[color]?.spec ?? {} } }), begun);
  const [only] = owned;
  if (!only) return ofNone(view, status, known);
  if (owned.length === 1) return ofOne(view, known, recorded, only);
  return ofTwo(view, known, recorded);
}

/** No side, although one has served: whoever starts another one without its state must say so. */
function ofNone({ resource, now }: BlueGreenView, status: Status, known: Status): Status {
  const { blueGreenState: state, lastReconciledSpec, lastReconciledTimestamp } = status;
  const color = colors.find((one) => state !== 'INITIALIZING_BLUE' && state?.endsWith(`_${one}`));
  if (!color || lastReconciledSpec === undefined) return status;
  const since = lastReconciledTimestamp ?? instantText(now);
  return { ...known, serving: { color, name: childName(resource.metadata.name ?? '', color), since } };
}

/** One side: it serves, unless it is the first and has never been ready. */
function ofOne(view: BlueGreenView, status: Status, recorded: Spec, color: Color): Status {
  const seen = view.sides[color] as SideSeen;
  const first = color === 'BLUE' && isFirst(status) && !isUp(view, color);
  if (first) return { ...status, transition: transitionOf(view, seen, really(seen, recorded, color), { to: color }) };
  return { ...status, ...serving(view, color, recorded) };
}

function ofTwo(view: BlueGreenView, status: Status, recorded: Spec): Status {
  const to = target(status);
  if (to) {
    const seen = view.sides[to] as SideSeen;
    const transition = transitionOf(view, seen, really(seen, recorded, to), { from: other(to), to });
    return { ...status, ...serving(view, other(to), recorded), transition };
  }
  const x = servingColor(view, status);
  const left = view.sides[other(x)] as SideSeen;
  const aborted = {
    id: left.id ?? left.ref.uid,
    at: status.lastReconciledTimestamp ?? instantText(view.now),
    color: other(x),
    uid: left.ref.uid,
    spec: blueGreenSpecCodec.write(recorded),
    reason: `${left.ref.name} was left by an earlier transition.`,
  };
  return { ...status, ...serving(view, x, recorded), aborted };
}

function isFirst({ blueGreenState: state }: Status): boolean {
  return state === undefined || state === 'INITIALIZING_BLUE' || state === 'TRANSITIONING_TO_BLUE';
}

function isUp({ resource, sides }: BlueGreenView, color: Color): boolean {
  const { name = '', uid = '' } = resource.metadata;
  return sideOf({ name, uid }, color, sides[color]).is === 'ready';
}

function target({ blueGreenState: state }: Status): Color | undefined {
  if (state === 'TRANSITIONING_TO_BLUE') return 'BLUE';
  return state === 'TRANSITIONING_TO_GREEN' ? 'GREEN' : undefined;
}

/** What the state says; without one, the side that traffic goes to, else the one that runs. */
function servingColor(view: BlueGreenView, { blueGreenState: state }: Status): Color {
  const said = colors.find((color) => state === `ACTIVE_${color}` || state === `SAVEPOINTING_${color}`);
  const routed = colors.find((color) => view.ingress?.backends.includes(`${view.sides[color]?.ref.name}-rest`));
  return said ?? routed ?? colors.find((color) => isUp(view, color)) ?? 'BLUE';
}

/** What the upstream recorded: often what is wanted rather than what serves. */
function recordedSpec({ resource }: BlueGreenView): Spec {
  const read = blueGreenSpecCodec.read(resource.status?.lastReconciledSpec ?? '');
  return read.ok ? read.spec : resource.spec;
}

/** The spec that a side really has. */
function really({ spec }: SideSeen, recorded: Spec, color: Color): Spec {
  const { template } = recorded;
  const same = deploymentChange(childSpec(recorded, color, spec.job?.initialSavepointPath), spec).type === 'IGNORE';
  // The side's own Ingress has the colour in it; the template has not.
  const { ingress: _, ...own } = spec;
  const ingress = template?.spec?.ingress;
  if (same && template?.spec?.job) {
    return { ...recorded, template: { ...template, spec: startedBy(template.spec, spec) } };
  }
  return { ...recorded, template: { ...template, spec: { ...own, ...(ingress && { ingress }) } } };
}

/** A template with the redeploy nonces that a side really has. */
function startedBy(template: FlinkDeploymentSpec, has: FlinkDeploymentSpec): FlinkDeploymentSpec {
  const { initialSavepointPath } = template.job ?? {};
  const { initialSavepointPath: _, ...job } = startedLike(template, has).job ?? {};
  return { ...template, job: initialSavepointPath === undefined ? job : { ...job, initialSavepointPath } };
}

function serving(view: BlueGreenView, color: Color, recorded: Spec): Pick<Status, 'serving' | 'lastReconciledSpec'> {
  const seen = view.sides[color] as SideSeen;
  const { ref } = seen;
  const since = view.resource.status?.lastReconciledTimestamp ?? instantText(view.now);
  return {
    serving: { color, name: ref.name, uid: ref.uid, since },
    lastReconciledSpec: blueGreenSpecCodec.write(really(seen, recorded, color)),
  };
}

function transitionOf(
  { resource, now }: BlueGreenView,
  { ref, id, spec }: SideSeen,
  has: Spec,
  way: { readonly from?: Color; readonly to: Color },
): BlueGreenTransition {
  const { status, metadata } = resource;
  const path = spec.job?.initialSavepointPath;
  const startedAt = status?.lastReconciledTimestamp ?? instantText(now);
  const deadline = instantOf(status?.abortTimestamp) || now;
  return {
    id: `${metadata.uid}-1`,
    cause: way.from ? 'spec-change' : 'first-deployment',
    because: 'It was under way when this operator took over.',
    generation: metadata.generation ?? 0,
    ...way,
    phase: 'starting',
    startedAt,
    phaseStartedAt: startedAt,
    spec: blueGreenSpecCodec.write(has),
    targetId: id ?? `${metadata.uid}-1`,
    targetUid: ref.uid,
    restore: path === undefined ? { mode: 'stateless' } : { mode: 'savepoint', path },
    deadline: instantText(Math.max(deadline, now + 60_000)),
  };
}
