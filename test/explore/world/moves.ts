import type { Action, Decision } from '../../../src/control/decision.ts';
import type { FlinkBlueGreenDeploymentSpec } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { Decider } from '../decider.ts';
import { prepare, provesVersion } from './client.ts';
import { type EditName, edits } from './edits.ts';
import { remembered } from './ghost.ts';
import { observed, sawIn } from './observed.ts';
import { describeRequest } from './says.ts';
import { type Request, serve } from './server.ts';
import { failures, type Happening, progress } from './surroundings.ts';
import { type Budget, caches, type InFlight, type Run, type Saw, type World } from './world.ts';

/** What all worlds of one exploration have in common. */
export interface Setting {
  readonly decide: Decider;
  /** What people may do. */
  readonly edits: readonly EditName[];
  /** What they wrote first. */
  readonly first: FlinkBlueGreenDeploymentSpec;
}

/** A step from one world to the next. */
export interface Move {
  readonly says: string;
  readonly world: World;
  /** The request that took effect in it, if one did, and what the operator saw when it decided on it. */
  readonly request?: Request;
  readonly saw?: Saw;
  /** That request was decided on long ago. */
  readonly late?: boolean;
  /** The decision that was made in it. */
  readonly decision?: Decision;
}

/** Everything that may happen next. */
export function moves(world: World, setting: Setting): Move[] {
  const { left } = world;
  const decided = world.run ? undefined : look(world, setting);
  return [
    ...(world.run ? runMoves(world, world.run) : decided?.move ? [decided.move] : []),
    ...progress(world).flatMap((happening) => outside(world, happening)),
    ...timePasses(world, decided),
    ...(left.failures > 0 ? failures(world).flatMap((one) => outside(world, one, 'failures')) : []),
    ...(left.edits > 0 ? edited(world, setting) : []),
    ...(world.inFlight ? [arrives(world, world.inFlight)] : []),
  ];
}

/** The next move of a world in which nothing goes wrong any more and nobody wants anything; none when it is at rest. */
export function calmMove(world: World, setting: Setting): Move | undefined {
  if (world.inFlight) return arrives(world, world.inFlight);
  if (world.run) return actOnce(world, world.run)[0];
  const decided = look(world, setting);
  if (decided.move) return decided.move;
  if (world.lag) return { says: `the cache of ${world.lag.cache} catches up`, world: { ...world, lag: undefined } };
  const [happening] = progress(world);
  return happening ? outside(world, happening)[0] : timePasses(world, decided)[0];
}

interface Decided {
  readonly decision: Decision | undefined;
  /** Absent when there is nothing to do. */
  readonly move: Move | undefined;
}

/** The operator looks: what it sees is fixed here, and may be old before its first request leaves. */
export function look(world: World, { decide }: Setting): Decided {
  const seen = observed(world);
  const decision = decide(seen, world.now);
  if (!decision) return { decision: undefined, move: undefined };
  const run: Run = {
    actions: decision.actions,
    version: seen.resource?.metadata.resourceVersion ?? '',
    proven: false,
    saw: sawIn(seen),
  };
  const begun = afterSkipped({ ...world, run });
  // A clock in the past is a move although nothing is done: it is judged.
  const again = decision.wakeAt !== undefined && decision.wakeAt <= world.now;
  if (!begun.run && !again) return { decision, move: undefined };
  const old = world.lag ? ` (at an old cache of ${world.lag.cache})` : '';
  return { decision, move: { says: `the operator looks${old}: ${decision.because}`, world: begun, decision } };
}

/** What is true already is not sent: such actions are no moves. With a run ends what it saw. */
function afterSkipped(world: World): World {
  let { run } = world;
  while (run) {
    const [action] = run.actions;
    if (!action) return ended(world);
    if (prepare({ ...world, run }, run, action).is !== 'skipped') return { ...world, run };
    run = { ...run, actions: run.actions.slice(1) };
  }
  return world;
}

function ended(world: World): World {
  return { ...world, run: undefined, lag: undefined };
}

function runMoves(world: World, run: Run): Move[] {
  const done = actOnce(world, run);
  const [first] = done;
  const { left } = world;
  const sent = first?.request && { request: first.request, saw: run.saw };
  return [
    ...done,
    ...(left.crashes > 0
      ? [{ says: 'the operator dies and starts again', world: spend(ended(world), 'crashes') }]
      : []),
    ...(sent && left.late > 0 && !world.inFlight ? [delayed(world, sent)] : []),
    ...(first && sent && left.lost > 0 ? unheard(world, first) : []),
    ...(first && sent && left.crashes > 0 && left.stale > 0 ? forgotten(world, first) : []),
  ];
}

/** The next action of the run. */
function actOnce(world: World, run: Run): Move[] {
  const [action, ...rest] = run.actions;
  const ready = prepare(world, run, action as Action);
  if (ready.is !== 'sent') return [{ says: 'the operator finds its view out of date', world: ended(world) }];
  const { request } = ready;
  const says = describeRequest(world, request);
  const answer = serve(world, request);
  if (!answer.ok) return [{ says: `${says}, which is refused`, world: ended(world) }];
  const { cluster, counter } = answer;
  const next: Run = { ...run, actions: rest, proven: run.proven || provesVersion(request) };
  const after = afterSkipped({ ...world, cluster, counter, run: next });
  return [{ says, world: remembered(world, after, request), request, saw: run.saw }];
}

/** The request takes effect, and nobody hears of it: the run is over. The watch may not tell either. */
function unheard(world: World, done: Move): Move[] {
  const after = spend(ended(done.world), 'lost');
  const says = `${done.says}, but the answer is lost`;
  return [after, ...laggingAfter(world, after)].map((next) => ({ ...done, says: saysLag(says, next), world: next }));
}

/** The operator dies after the request, and its successor sees what was there before. */
function forgotten(world: World, done: Move): Move[] {
  const after = spend(ended(done.world), 'crashes');
  const says = `${done.says}, dies and starts again`;
  return laggingAfter(world, after).map((next) => ({ ...done, says: saysLag(says, next), world: next }));
}

/** Nobody waits for the request any more, and it is still on its way. */
function delayed(world: World, sent: InFlight): Move {
  const says = `${describeRequest(world, sent.request)}, but the request is delayed`;
  return { says, world: spend({ ...ended(world), inFlight: sent }, 'late') };
}

function arrives(world: World, { request, saw }: InFlight): Move {
  const answer = serve(world, request);
  const landed = { ...world, inFlight: undefined };
  if (!answer.ok) return { says: 'the delayed request arrives and is refused', world: landed };
  const { cluster, counter } = answer;
  const says = `the delayed request arrives: ${describeRequest(world, request)}`;
  return { says, world: remembered(world, { ...landed, cluster, counter }, request), request, saw, late: true };
}

function edited(world: World, { edits: menu, first }: Setting): Move[] {
  return menu.flatMap((name) => {
    const happening = edits[name](world, first);
    return happening ? outside(world, happening, 'edits') : [];
  });
}

function outside(world: World, { says, cluster, counter }: Happening, costs?: keyof Budget): Move[] {
  const after = remembered(world, { ...world, cluster, counter });
  const paid = costs ? spend(after, costs) : after;
  return [paid, ...laggingAfter(world, paid)].map((next) => ({
    says: next === paid ? says : saysLag(says, next),
    world: next,
  }));
}

/** A clock runs out. That costs where something would still have happened before. */
function timePasses(world: World, decided: Decided | undefined): Move[] {
  const wakeAt = decided?.decision?.wakeAt;
  if (!decided || decided.move || wakeAt === undefined || world.lag || world.inFlight || wakeAt <= world.now) return [];
  const early = progress(world).length > 0;
  if (early && world.left.slow === 0) return [];
  const minutes = Math.round((wakeAt - world.now) / 600) / 100;
  const later = { ...world, now: wakeAt };
  return [{ says: `${minutes} minutes pass`, world: remembered(world, early ? spend(later, 'slow') : later) }];
}

/** The worlds in which the cache of what has just changed does not follow. */
function laggingAfter(before: World, after: World): World[] {
  if (before.lag || after.left.stale === 0) return [];
  const changed = caches.filter((cache) => before.cluster[cache] !== after.cluster[cache]);
  return changed.map((cache) => spend({ ...after, lag: { cache, seen: before.cluster[cache] } }, 'stale'));
}

function saysLag(says: string, { lag }: World): string {
  return lag ? `${says} (the cache of ${lag.cache} does not follow)` : says;
}

function spend(world: World, what: keyof Budget): World {
  return { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}
