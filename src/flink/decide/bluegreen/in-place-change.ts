import { outcomeId } from '../../../control/outcome.ts';
import { childSpec } from '../../manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { settledNonces } from '../../resources/settled-nonces.ts';
import { without } from '../status.ts';
import {
  type BlueGreenCase,
  jobOf,
  type Place,
  pathIn,
  type Spec,
  type Status,
  specIn,
  specLike,
  withNonces,
} from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { patchedSpec, replacedSpec, specPatch } from './in-place.ts';
import { acted, recorded } from './record.ts';
import type { Row } from './row.ts';
import { isGone, type Side } from './side.ts';
import { deadline } from './target.ts';

export type InPlace = NonNullable<Status['inPlace']>;

/** A change of a side where it is, before it is written down. */
export interface InPlaceChange {
  readonly how: InPlace['how'];
  /** What the side has when it is done. */
  readonly spec: Spec;
  /** What was given up, as it is wanted now; where the change is one after an abort. */
  readonly givenUp?: Spec;
  /** What a target that is made once more starts from, where the change says that. */
  readonly restore?: NonNullable<InPlace['restore']>;
  readonly because: string;
}

/**
 * Changes a side where it is: that is written down, then the FlinkDeployment is patched, if it is still the one that was
 * looked at. Once it is seen to be as it should, or is going anyway, that is its spec. Until then nothing else is taken up:
 * whoever takes an edit back in between finds the side as the edit left it, and is not taken for somebody who changed nothing.
 */
export function inPlace(c: BlueGreenCase, side: Side, change: InPlaceChange): BlueGreenStep {
  const { how, spec, givenUp, restore, because } = change;
  const intent: InPlace = {
    color: side.color,
    ...(side.seen && { uid: side.seen.ref.uid }),
    how,
    spec: blueGreenSpecCodec.write(spec),
    ...(givenUp && { givenUp: blueGreenSpecCodec.write(givenUp) }),
    ...(restore && { restore }),
    because,
  };
  const patch = patchOf(c, side, intent);
  if (!patch) return done(c, side, intent);
  return { status: { ...c.status, inPlace: intent }, effects: [patch], because };
}

/** The row of a change that is under way, in any state. */
export function underWay(place: Place): Row {
  return {
    id: `${place}-in-place`,
    in: place,
    on: 'a change in place is under way, whatever is edited meanwhile',
    does: 'the side is patched until it is seen so, then the newest edit is taken up; at once if that side is gone',
    when: (c) => c.status.inPlace !== undefined,
    step: goOn,
  };
}

function goOn(c: BlueGreenCase): BlueGreenStep {
  const { inPlace: intent } = c.status;
  if (!intent) return wait(c, 'Nothing is being changed.');
  const side = c.x.color === intent.color ? c.x : c.y;
  // Nobody has it, and it counts as never begun: a nonce in it has not acted.
  if (!isSame(side, intent)) {
    return { status: without(c.status, 'inPlace'), because: `${side.name} is not the one it was.`, again: true };
  }
  const patch = patchOf(c, side, intent);
  if (!patch) return done(c, side, intent);
  const outcome = c.view.outcomes[outcomeId(patch)];
  if (outcome?.result !== 'refused') return { status: c.status, effects: [patch], because: intent.because };
  // It never took effect: a fix is taken up instead.
  if (blueGreenSpecCodec.write(c.desired) !== (intent.givenUp ?? intent.spec)) {
    return { status: without(c.status, 'inPlace'), because: 'The change in place was refused.', again: true };
  }
  const error = `${side.name} could not be changed: ${outcome.message}`;
  return { status: c.status, effects: [patch], because: error, error };
}

function patchOf(c: BlueGreenCase, side: Side, intent: InPlace) {
  return side.seen && isSame(side, intent) ? specPatch(side.seen, goal(c, side, intent)) : undefined;
}

/** The side that is to be changed is still there. */
function isSame(side: Side, { uid }: InPlace): boolean {
  return !isGone(side) && (uid === undefined || uid === side.seen?.ref.uid);
}

function goal(c: BlueGreenCase, side: Side, { how, spec: text }: InPlace): FlinkDeploymentSpec {
  const spec = specLike(c.desired, text);
  const has = isOfTarget(c, side) ? c.target : c.served;
  if (how === 'patched') return patchedBy(side, has ?? spec, spec);
  const restarted = how === 'restarted';
  return replacedBy(side, restarted ? withPending(c, side, spec) : spec, restarted);
}

function isOfTarget({ status: { transition } }: BlueGreenCase, { color }: Side): boolean {
  return transition?.to === color;
}

/** The side has it: that is now what is served, or what the target was made for. */
function done(c: BlueGreenCase, side: Side, intent: InPlace): BlueGreenStep {
  const { because } = intent;
  const status = without(c.status, 'inPlace');
  const spec = specIn(intent.spec) ?? c.desired;
  const { transition, aborted, serving } = status;
  if (transition && isOfTarget(c, side)) {
    const first = transition.from === undefined && {
      generation: c.view.resource.metadata.generation ?? 0,
      deadline: deadline(c),
      ...(side.seen && { targetUid: side.seen.ref.uid }),
      ...(intent.restore && { restore: intent.restore }),
    };
    const next = { ...status, transition: { ...transition, spec: intent.spec, ...first } };
    return { status: intent.how === 'patched' ? next : acted(next, spec), because, again: true };
  }
  if (aborted && intent.givenUp !== undefined) {
    const given = { ...aborted, spec: intent.givenUp };
    return { status: { ...status, lastReconciledSpec: intent.spec, aborted: given }, because, again: true };
  }
  const served = intent.how === 'patched' || !serving ? status : { ...status, serving: without(serving, 'suspended') };
  return { status: recorded(served, spec), because, again: true };
}

/**
 * A spec without the redeploy nonces that are not to act on this side: another side has acted upon them, or they were
 * superseded. The side would take them for new.
 */
function withPending({ status }: BlueGreenCase, { seen }: Side, spec: Spec): Spec {
  const nonces = settledNonces(status, spec);
  const { savepointRedeployNonce: savepoint, statelessRedeployNonce: stateless } = jobOf(spec);
  const its = seen?.spec.job ?? {};
  return withNonces(spec, {
    savepointRedeployNonce: savepoint === nonces.savepointRedeploy ? its.savepointRedeployNonce : savepoint,
    statelessRedeployNonce: stateless === nonces.statelessRedeploy ? its.statelessRedeployNonce : stateless,
  });
}

/** The spec of a side with exactly what differs between two templates. */
export function patchedBy({ color, seen }: Side, before: Spec, desired: Spec): FlinkDeploymentSpec {
  const live = seen?.spec ?? {};
  const path = live.job?.initialSavepointPath;
  return patchedSpec(live, childSpec(before, color, path), childSpec(desired, color, path));
}

/** The spec of a side made anew from a template. The user's path counts only where the side itself is to start from it. */
export function replacedBy({ color, seen }: Side, desired: Spec, takePath: boolean): FlinkDeploymentSpec {
  return replacedSpec(seen?.spec ?? {}, childSpec(desired, color, pathIn(desired)), { takePath });
}
