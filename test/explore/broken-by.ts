import type { FlinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import type { Broken, Invariant } from './invariants.ts';
import { usersPath } from './world/edits.ts';
import { bothNonces, goesOn, isWanted, sourceFor } from './world/ghost.ts';
import type { Move } from './world/moves.ts';
import type { Request } from './world/server.ts';
import { restarts } from './world/surroundings.ts';
import { backendOf, type Child, isReady, type Saw, trafficOf, uidOf, type World } from './world/world.ts';

/**
 * What a step breaks.
 *
 * A decision is judged by what could be seen when it was made: that a side failed, or an Ingress was led elsewhere, since
 * then nobody could know. A request that nobody waits for any more is judged by what is there when it takes effect: what it
 * carries must keep it from doing harm.
 */
export function brokenBy(before: World, move: Move): Broken | undefined {
  const { request, saw, decision, world, late = false } = move;
  if (decision?.wakeAt !== undefined && decision.wakeAt <= before.now) {
    return { invariant: 'comes to rest', why: 'it wants to be woken in the past' };
  }
  return (
    (request &&
      saw &&
      brokenByRequest(before, world, request, late ? { ...saw, uids: { BLUE: undefined, GREEN: undefined } } : saw)) ??
    (late ? undefined : stale(before, world))
  );
}

function brokenByRequest(before: World, after: World, request: Request, saw: Saw): Broken | undefined {
  if (before.cluster === after.cluster) return undefined;
  if (request.do === 'apply' && request.object.kind === 'Ingress') return ledAstray(before, request, saw);
  if (request.do === 'create' && request.object.kind === 'FlinkDeployment') {
    return wronglyMade(before, request.object as FlinkDeployment, saw);
  }
  if (request.do !== 'delete' && request.do !== 'patch') return undefined;
  if (request.of.kind !== 'FlinkDeployment') return undefined;
  const side = childNamed(before, request.of.name);
  if (!side) return undefined;
  return request.do === 'delete' ? wronglyDeleted(before, side, saw) : wronglyPatched(before, after, side, saw);
}

function childNamed({ cluster }: World, name: string): Child | undefined {
  return [cluster.sides.BLUE, cluster.sides.GREEN].find((side) => side?.object.metadata.name === name);
}

function wronglyDeleted(before: World, side: Child, saw: Saw): Broken | undefined {
  const { ghost, cluster, now } = before;
  const { name = '', deletionTimestamp } = side.object.metadata;
  if (deletionTimestamp || !cluster.resource) return undefined;
  const { active } = cluster.ingresses;
  const led = cluster.resource.spec.ingress && active && backendOf(active);
  if (led && saw.traffic === led && cluster.sides[led] === side) {
    return { invariant: 'traffic to the ready', why: `${name} is deleted while the Ingress leads to it` };
  }
  // A successor that was seen ready with the traffic may have failed by itself before anybody could know.
  const meant = Object.values(saw.uids).includes(uidOf(side));
  const chosen = [saw.traffic, trafficOf(cluster)];
  const succeeded = meant && chosen.some((color) => color && saw.ready[color] && saw.uids[color] !== uidOf(side));
  // Where nobody serves any more, an edit is a fix, and is admitted.
  const fixed = meant && saw.edited && !saw.ready.BLUE && !saw.ready.GREEN;
  const failed = side.object.status?.jobStatus?.state === 'FAILED';
  if (uidOf(side) === ghost.server && !succeeded && !fixed && !failed) {
    return {
      invariant: abortOr(before),
      why: `${name} is deleted, and no other side has been ready and had the traffic since`,
    };
  }
  // What is given up need not wait: only a successor must have proved itself.
  const { transition } = cluster.resource.status ?? {};
  const old = transition?.from && cluster.sides[transition.from] === side;
  if (!old || !ghost.formers.includes(uidOf(side) ?? '') || ghost.since === undefined) return undefined;
  const served = now - Date.parse(ghost.since);
  const delay = delayOf(cluster.resource.spec.configuration);
  return served < delay
    ? { invariant: 'delay kept', why: `${name} is deleted after ${served} of ${delay} ms` }
    : undefined;
}

/** An abort has just been written down. */
function abortOr({ cluster }: World): Invariant {
  return cluster.resource?.status?.aborted ? 'abort spares the server' : 'serves until succeeded';
}

function delayOf(configuration: Readonly<Record<string, string>> = {}): number {
  return Number.parseInt(configuration['kubernetes.operator.bluegreen.deployment-deletion.delay'] ?? '0', 10) * 1000;
}

function wronglyPatched(before: World, after: World, side: Child, saw: Saw): Broken | undefined {
  const { name = '' } = side.object.metadata;
  const patched = childNamed(after, name);
  if (!patched || uidOf(side) !== before.ghost.server) return undefined;
  if (patched.object.spec.job?.state === 'suspended' && side.object.spec.job?.state !== 'suspended') {
    return saw.suspended || isIntended(before)
      ? undefined
      : { invariant: abortOr(before), why: `${name} is suspended although nobody asked for it` };
  }
  return isReady(side) && restarts(side.object.spec, patched.object.spec)
    ? { invariant: 'serves until succeeded', why: `${name} is restarted in place while it serves` }
    : undefined;
}

/**
 * Status says that it is to be suspended: for the sake of its last checkpoint, as the table has it, or because the user
 * asked for it. A change in place that was begun is brought to its end before the next edit is taken up.
 */
function isIntended({ cluster }: World): boolean {
  const { serving, inPlace } = cluster.resource?.status ?? {};
  return serving?.suspended === true || inPlace?.spec.includes('"state":"suspended"') === true;
}

function ledAstray({ cluster }: World, request: Request & { do: 'apply' }, saw: Saw): Broken | undefined {
  if (request.object.metadata.name !== cluster.resource?.metadata.name) return undefined;
  const color = backendOf(request.object as Parameters<typeof backendOf>[0]);
  if (!color || saw.ready[color]) return undefined;
  const other = color === 'BLUE' ? 'GREEN' : 'BLUE';
  if (!saw.ready[other]) return undefined;
  return { invariant: 'traffic to the ready', why: `it is led to ${color}, which is not ready, while ${other} is` };
}

function wronglyMade(before: World, made: FlinkDeployment, saw: Saw): Broken | undefined {
  const { ghost, cluster } = before;
  const { name = '' } = made.metadata;
  if (saw.deleting) return { invariant: 'nothing after the end', why: `${name} is created` };
  if (!isWanted(before, made) || goesOn(before, made)) return undefined;
  const { path, why } = sourceFor(before, made);
  const { savepointRedeployNonce, statelessRedeployNonce } = made.spec.job ?? {};
  const start = `${name} starts ${path === undefined ? 'empty' : `from ${path}`}`;
  switch (why) {
    case 'nonce': {
      // If both are new since a side was made for one, the last wins.
      const isNew = savepointRedeployNonce !== undefined && savepointRedeployNonce !== ghost.acted.savepoint;
      const both = isNew && statelessRedeployNonce !== undefined && statelessRedeployNonce !== ghost.acted.stateless;
      const forSavepoint = both ? ghost.asked[bothNonces(made.spec.job ?? {})] === 'savepoint' : isNew;
      const wanted = forSavepoint ? usersPath(savepointRedeployNonce ?? 0) : undefined;
      return path === wanted ? undefined : { invariant: 'right state', why: `${start}, not as the nonce asks for` };
    }
    case 'first':
      return undefined;
    case 'savepoint':
      return ofServer(before, path) ? undefined : { invariant: 'right state', why: `${start}, of another side` };
    case 'stateless':
      return path === undefined ? undefined : { invariant: 'right state', why: `${start}, though it is stateless` };
    case 'checkpoint': {
      const left = [cluster.sides.BLUE, cluster.sides.GREEN].map(
        (side) => side?.object.status?.jobStatus?.upgradeSavepointPath,
      );
      if (path !== undefined && left.includes(path)) return undefined;
      const again = path === undefined ? ghost.acted.stateless !== undefined : path.startsWith('s3://mine/');
      return { invariant: again ? 'nonce once' : 'right state', why: `${start}, which nobody asked for` };
    }
  }
}

function ofServer({ ghost }: World, path: string | undefined): boolean {
  return ghost.savepoints.some((one) => one.path === path && one.uid === ghost.server);
}

/** A side that takes over must not be something that was left over. */
function stale(before: World, after: World): Broken | undefined {
  const { server, formers, target } = before.ghost;
  const next = after.ghost.server;
  if (next === undefined || server === undefined || next === server) return undefined;
  // The old side has the right to it even if it was never seen ready.
  const { transition } = before.cluster.resource?.status ?? {};
  const old = transition?.from && uidOf(before.cluster.sides[transition.from]);
  if ([...formers, target, after.ghost.target, old].includes(next)) return undefined;
  return { invariant: 'fresh target', why: 'what serves now is left of an earlier transition' };
}
