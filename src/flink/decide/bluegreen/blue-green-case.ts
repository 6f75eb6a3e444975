import type { Instant } from '../../../clock/clock.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { type BlueGreenSettings, blueGreenSettings } from '../../config/blue-green-options.ts';
import { type BlueGreenChange, blueGreenChange } from '../../resources/blue-green-change.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import type { BlueGreenTransition, Color } from '../../resources/blue-green-transition.ts';
import type {
  FlinkBlueGreenDeployment,
  FlinkBlueGreenDeploymentSpec,
  FlinkBlueGreenDeploymentStatus,
} from '../../resources/flink-blue-green-deployment.ts';
import { settledNonces } from '../../resources/settled-nonces.ts';
import { type Side, sideOf } from './side.ts';

export type Status = FlinkBlueGreenDeploymentStatus;
export type Spec = FlinkBlueGreenDeploymentSpec;

/** The rows of the table that are asked. `active` and `savepointing` are of either colour, `transitioning` to either. */
export type Place = 'initializing' | 'active' | 'savepointing' | 'transitioning';

/** A view with names for what the decision talks about: serving side x, target y. */
export interface BlueGreenCase {
  readonly view: BlueGreenView;
  /** With the spec that is acted upon: the written one, or where that is refused the last that was not. */
  readonly resource: FlinkBlueGreenDeployment;
  readonly name: string;
  readonly uid: string;
  readonly now: Instant;
  readonly settings: BlueGreenSettings;
  readonly status: Status;
  readonly place: Place;
  /** What is wanted. */
  readonly desired: Spec;
  /** What the serving side has. */
  readonly served: Spec | undefined;
  /** What the target was made for; absent until it is made. */
  readonly target: Spec | undefined;
  /** What was given up, and is not tried again. */
  readonly givenUp: Spec | undefined;
  /** From what the target has, else the serving side, to what is wanted. */
  readonly change: BlueGreenChange;
  /** The side that serves, or served last. In the first deployment the one that will. */
  readonly x: Side;
  /** The other one: the target, if there is one. */
  readonly y: Side;
}

/** A case with a transition under way. */
export type Moving = BlueGreenCase & { readonly status: Status & { readonly transition: BlueGreenTransition } };

export function caseOf(view: BlueGreenView, status: Status, desired: Spec): BlueGreenCase {
  const resource = { ...view.resource, spec: desired };
  const { name = '', uid = '' } = resource.metadata;
  const { transition, serving } = status;
  const served = specIn(status.lastReconciledSpec);
  const target = specIn(transition?.spec);
  const x = transition ? (transition.from ?? transition.to) : (serving?.color ?? 'BLUE');
  return {
    view,
    resource,
    name,
    uid,
    now: view.now,
    settings: blueGreenSettings(resource, view.operator),
    status,
    place: placeOf(status),
    desired,
    served,
    target,
    givenUp: specIn(status.aborted?.spec),
    change: changeTo(desired, target ?? served, status),
    x: sideOf({ name, uid }, x, view.sides[x]),
    y: sideOf({ name, uid }, other(x), view.sides[other(x)]),
  };
}

export function isMoving(c: BlueGreenCase): c is Moving {
  return c.status.transition !== undefined;
}

function placeOf({ transition, serving }: Status): Place {
  if (!transition) return serving ? 'active' : 'initializing';
  if (transition.from === undefined) return 'initializing';
  return transition.phase === 'savepointing' ? 'savepointing' : 'transitioning';
}

/** What differs between a spec that some side has and the one that is wanted; nonces by what was acted upon. */
export function changeTo(desired: Spec, before: Spec | undefined, status: Status): BlueGreenChange {
  return blueGreenChange(before ?? desired, desired, { nonces: settledNonces(status, desired) });
}

export function other(color: Color): Color {
  return color === 'BLUE' ? 'GREEN' : 'BLUE';
}

/** A spec that was recorded; what cannot be read counts as never written, so that nothing is done on a misreading. */
export function specIn(text: string | undefined): Spec | undefined {
  const read = text === undefined ? undefined : blueGreenSpecCodec.read(text);
  return read?.ok ? read.spec : undefined;
}

/** A recorded spec, in the words of the one that is wanted for as long as both mean the same. */
export function specLike(desired: Spec, text: string | undefined): Spec {
  return text === blueGreenSpecCodec.write(desired) ? desired : (specIn(text) ?? desired);
}

export function jobOf({ template }: Spec) {
  return template?.spec?.job ?? {};
}

/** A spec with other redeploy nonces. */
export function withNonces(spec: Spec, nonces: RedeployNonces): Spec {
  const { template } = spec;
  if (!template?.spec?.job) return spec;
  const { savepointRedeployNonce: _, statelessRedeployNonce: __, ...rest } = template.spec.job;
  const { savepointRedeployNonce, statelessRedeployNonce } = nonces;
  const job = {
    ...rest,
    ...(savepointRedeployNonce !== undefined && { savepointRedeployNonce }),
    ...(statelessRedeployNonce !== undefined && { statelessRedeployNonce }),
  };
  return { ...spec, template: { ...template, spec: { ...template.spec, job } } };
}

interface RedeployNonces {
  readonly savepointRedeployNonce?: number | undefined;
  readonly statelessRedeployNonce?: number | undefined;
}

/** The state that the user names; an empty path names none. */
export function pathIn(spec: Spec): string | undefined {
  return jobOf(spec).initialSavepointPath?.trim() || undefined;
}

export function isSuspended(spec: Spec | undefined): boolean {
  return spec !== undefined && jobOf(spec).state === 'suspended';
}

/** Whether a new side must go on where the old one is. */
export function needsState(spec: Spec): boolean {
  return (jobOf(spec).upgradeMode ?? 'stateless') !== 'stateless';
}
