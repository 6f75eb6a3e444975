import { annotations } from '../../../src/control/annotations.ts';
import type { FlinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import type { JobSpec } from '../../../src/flink/resources/job-spec.ts';
import type { Request } from './server.ts';
import { type Ghost, isReady, type Source, trafficOf, uidOf, type World } from './world.ts';

/**
 * The world with what is worth remembering of the step that led to it. `request` is the one that took effect in it.
 */
export function remembered(before: World, after: World, request?: Request): World {
  const known = request ? chosen(afterRequest(before, after, request), before, after) : before.ghost;
  const ghost = afterEdit(known, before, after);
  const next = served(savepointsOf(afterTransition(ghost, after), after), after);
  return next === after.ghost ? after : { ...after, ghost: next };
}

function afterEdit(ghost: Ghost, before: World, after: World): Ghost {
  const [old, now] = [before.cluster.resource?.spec, after.cluster.resource?.spec];
  if (old === now) return ghost;
  const [was, is] = [old?.template?.spec?.job ?? {}, now?.template?.spec?.job ?? {}];
  if (bothNonces(was) === bothNonces(is)) return ghost;
  const last = is.savepointRedeployNonce === was.savepointRedeployNonce ? 'stateless' : 'savepoint';
  const { metadata, status } = before.cluster.resource ?? {};
  const unseen = ghost.unseen || status?.observedGeneration !== metadata?.generation;
  return { ...ghost, asked: { ...ghost.asked, [bothNonces(is)]: last }, unseen };
}

/** The values of both redeploy nonces, as one. */
export function bothNonces({ savepointRedeployNonce: savepoint, statelessRedeployNonce: stateless }: JobSpec): string {
  return `${savepoint}, ${stateless}`;
}

/** What was made or taken in a transition is nothing special once it is over; but what it ended with may still take over. */
function afterTransition(ghost: Ghost, { cluster }: World): Ghost {
  const { transition, serving, aborted } = cluster.resource?.status ?? {};
  if (transition) return ghost;
  const chosen = serving && uidOf(cluster.sides[serving.color]);
  const returns = (uid: string): boolean => uid === chosen && uid !== ghost.server;
  const target = ghost.target !== undefined && returns(ghost.target) ? ghost.target : undefined;
  const formers = ghost.formers.filter(returns);
  const same = ghost.target === target && ghost.formers.length === formers.length;
  if (same && !ghost.source && ghost.savepoints.length === 0) return ghost;
  const vain = aborted && ghost.source?.why === 'nonce' ? ghost.source : ghost.vain;
  return { ...ghost, formers, target, source: undefined, vain, savepoints: [] };
}

/** Who serves, and since when. */
function served(ghost: Ghost, { cluster, now }: World): Ghost {
  const color = trafficOf(cluster);
  const side = color && cluster.sides[color];
  return isReady(side) ? serving(ghost, uidOf(side), now) : ghost;
}

/** Traffic went to a side that was seen ready: it serves, as far as anybody could know. */
function chosen(ghost: Ghost, before: World, after: World): Ghost {
  const saw = before.run?.saw ?? before.inFlight?.saw;
  const color = trafficOf(after.cluster);
  if (!saw || !color || color === trafficOf(before.cluster) || !saw.ready[color]) return ghost;
  return serving(ghost, saw.uids[color], after.now);
}

function serving(ghost: Ghost, uid: string | undefined, now: number): Ghost {
  const { server, formers } = ghost;
  if (uid === undefined || uid === server) return ghost;
  const others = formers.filter((one) => one !== uid && one !== server);
  const since = new Date(now).toISOString();
  return { ...ghost, server: uid, since, formers: [...others, ...(server === undefined ? [] : [server])] };
}

/** A savepoint that was asked for in this transition is known by its path once it is complete. */
function savepointsOf(ghost: Ghost, { cluster }: World): Ghost {
  if (ghost.savepoints.every(({ path }) => path !== undefined)) return ghost;
  const savepoints = ghost.savepoints.map((one) => {
    if (one.path !== undefined) return one;
    const snapshot = cluster.snapshots.find(({ metadata }) => metadata.name === one.name);
    const path = snapshot?.status?.path;
    const sides = [cluster.sides.BLUE, cluster.sides.GREEN];
    const uid = uidOf(sides.find((side) => side?.object.metadata.name === snapshot?.spec.jobReference?.name));
    return path === undefined ? one : { ...one, path, uid };
  });
  return savepoints.every((one, index) => one === ghost.savepoints[index]) ? ghost : { ...ghost, savepoints };
}

function afterRequest(before: World, after: World, request: Request): Ghost {
  const { ghost } = before;
  if (before.cluster === after.cluster) return ghost;
  if (request.do === 'create' && request.object.kind === 'FlinkStateSnapshot') {
    const name = request.object.metadata.name ?? '';
    if (after.cluster.resource?.status?.transition?.savepoint?.snapshot !== name) return ghost;
    return { ...ghost, savepoints: [...ghost.savepoints, { name, path: undefined, uid: undefined }] };
  }
  if (request.do === 'create' && request.object.kind === 'FlinkDeployment') {
    const made = request.object as FlinkDeployment;
    if (!isWanted(after, made)) return ghost;
    const child = Object.values(after.cluster.sides).find((side) => side?.object.metadata.name === made.metadata.name);
    const uid = uidOf(child);
    return { ...acted(ghost, made), target: uid, source: sourceFor(before, made), vain: undefined };
  }
  if (request.do === 'patch' && request.of.kind === 'FlinkDeployment') {
    const named = ({ cluster }: World) => Object.values(cluster.sides).find((side) => uidOf(side) === request.of.uid);
    const [was, is] = [named(before)?.object, named(after)?.object];
    return is && was?.spec !== is.spec ? acted(ghost, is) : ghost;
  }
  return ghost;
}

/** Whether the transition under way is waiting for just this creation. A request that was delayed may be from another. */
export function isWanted({ cluster }: World, made: FlinkDeployment): boolean {
  const { transition, serving } = cluster.resource?.status ?? {};
  const id = made.metadata.annotations?.[annotations.id];
  return transition ? transition.targetId === id : serving?.name === made.metadata.name;
}

function acted(ghost: Ghost, { spec }: FlinkDeployment): Ghost {
  const savepoint = spec.job?.savepointRedeployNonce ?? ghost.acted.savepoint;
  const stateless = spec.job?.statelessRedeployNonce ?? ghost.acted.stateless;
  if (savepoint === ghost.acted.savepoint && stateless === ghost.acted.stateless) return ghost;
  return { ...ghost, acted: { savepoint, stateless } };
}

/** A side that is made once more in the same transition starts from the same, as does one for a nonce that came to nothing. */
export function goesOn({ ghost }: World, { spec }: FlinkDeployment): Source | undefined {
  const path = spec.job?.initialSavepointPath;
  if (isForNonce(ghost, spec)) return undefined;
  return [ghost.source, ghost.vain].find((one) => one && one.why !== 'stateless' && one.path === path);
}

/** Why a side that is made now may start from what it starts from. */
export function sourceFor(world: World, made: FlinkDeployment): Source {
  const { ghost } = world;
  const { initialSavepointPath: path, upgradeMode } = made.spec.job ?? {};
  if (isForNonce(ghost, made.spec)) return { path, why: 'nonce' };
  if (ghost.server === undefined) return { path, why: 'first' };
  const same = goesOn(world, made);
  if (same) return same;
  if ((upgradeMode ?? 'stateless') === 'stateless') return { path, why: 'stateless' };
  const taken = ghost.savepoints.some((one) => one.path !== undefined && one.path === path);
  return { path, why: taken ? 'savepoint' : 'checkpoint' };
}

function isForNonce({ acted: before }: Ghost, { job }: FlinkDeployment['spec']): boolean {
  const isNew = (nonce: number | undefined, old: number | undefined): boolean => nonce !== undefined && nonce !== old;
  return isNew(job?.savepointRedeployNonce, before.savepoint) || isNew(job?.statelessRedeployNonce, before.stateless);
}
