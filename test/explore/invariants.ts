import type { FlinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { deploymentChange } from '../../src/flink/resources/spec-change.ts';
import { usersPath } from './world/edits.ts';
import { goesOn, isWanted, sourceFor } from './world/ghost.ts';
import { look, type Move, type Setting } from './world/moves.ts';
import type { Request } from './world/server.ts';
import { progress, restarts } from './world/surroundings.ts';
import { backendOf, type Child, isReady, type Saw, trafficOf, uidOf, type World } from './world/world.ts';

/** What must never be the case. The names are those of the docs. */
export const invariants = {
  'serves until succeeded':
    'A side that served serves until a ready successor does, unless the user suspends or deletes it or it fails by itself.',
  'traffic to the ready':
    'The Ingress is never led to a side that is gone or not ready while another is ready, and never left there.',
  'abort spares the server': 'The serving side is never deleted or suspended by an abort.',
  'right state':
    'A target starts from this transition’s savepoint of the serving side, a checkpoint that the table names, or the user’s path; empty only in the first deployment or by a stateless mode.',
  'nonce once': 'Each change of a redeploy nonce acts exactly once; of several in a row, the last.',
  'no edit lost': 'When the world stops changing, the serving side has the newest spec, or status says why not.',
  'comes to rest': 'When the world stops changing, the operator stops writing, and waits only for what it names.',
  'delay kept':
    'The old side is deleted no sooner than the deletion delay after its successor was ready and had the traffic.',
  'fresh target': 'A side that takes over was made in this transition, or served before in it.',
  'nothing after the end': 'Nothing is created for a resource that is being deleted.',
} as const;

export type Invariant = keyof typeof invariants;

export interface Broken {
  readonly invariant: Invariant;
  readonly why: string;
}

/** What a step breaks. */
export function brokenBy(before: World, move: Move): Broken | undefined {
  const { request, saw, decision, world, late = false } = move;
  if (decision?.wakeAt !== undefined && decision.wakeAt <= before.now) {
    return { invariant: 'comes to rest', why: 'it wants to be woken in the past' };
  }
  return (
    (request && saw && brokenByRequest(before, world, request, late ? { ...saw, traffic: undefined } : saw)) ??
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
  if (
    cluster.resource.spec.ingress &&
    active &&
    cluster.sides[backendOf(active) ?? 'BLUE'] === side &&
    saw.traffic === backendOf(active)
  ) {
    return { invariant: 'traffic to the ready', why: `${name} is deleted while the Ingress leads to it` };
  }
  // A successor that was seen ready with the traffic may have failed by itself before anybody could know.
  const meant = Object.values(saw.uids).includes(uidOf(side));
  const succeeded = meant && saw.traffic && saw.ready[saw.traffic] && saw.uids[saw.traffic] !== uidOf(side);
  if (uidOf(side) === ghost.server && !succeeded) {
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
      const forSavepoint = both ? ghost.asked === 'savepoint' : isNew;
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
  const { server, target } = after.ghost;
  const known = [before.ghost.server, ...before.ghost.formers];
  if (server === undefined || before.ghost.server === undefined || known.includes(server)) return undefined;
  const made = before.ghost.target ?? target;
  return server === made
    ? undefined
    : { invariant: 'fresh target', why: 'what serves now is left of an earlier transition' };
}

/** What is wrong with a world in which nothing happens any more. */
export function brokenAtRest(world: World, setting: Setting): Broken | undefined {
  const { cluster, ghost } = world;
  const { resource } = cluster;
  if (!resource) return undefined;
  const status = resource.status ?? {};
  const said = new Set((status.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type));
  const excused = said.has('Stalled') || said.has('Reconciling') || status.error !== undefined;
  if (status.conditions?.some(({ reason }) => reason === 'ValidationError')) return undefined;
  const color = trafficOf(cluster);
  const side = color && cluster.sides[color];
  const other = color && cluster.sides[color === 'BLUE' ? 'GREEN' : 'BLUE'];
  if (side === undefined && isReady(other) && resource.spec.ingress) {
    return { invariant: 'traffic to the ready', why: 'the Ingress leads to a side that is gone' };
  }
  if (
    side &&
    !isReady(side) &&
    side.object.spec.job?.state !== 'suspended' &&
    isReady(other) &&
    uidOf(other) !== status.aborted?.uid
  ) {
    return { invariant: 'traffic to the ready', why: 'the Ingress leads to a side that is not ready' };
  }
  const wanted = resource.spec.template?.spec?.job;
  const pending = (nonce: number | undefined, acted: number | undefined): boolean =>
    nonce !== undefined && nonce !== acted;
  if (
    pending(wanted?.savepointRedeployNonce, ghost.acted.savepoint) ||
    pending(wanted?.statelessRedeployNonce, ghost.acted.stateless)
  ) {
    return { invariant: 'nonce once', why: 'it never acted' };
  }
  if (status.observedGeneration !== resource.metadata.generation) {
    return { invariant: 'no edit lost', why: 'the newest spec was not looked at' };
  }
  const idle = wanted?.state === 'suspended' && side === undefined;
  if (!excused && !idle && (!side || !isAsWanted(side, resource.spec.template?.spec))) {
    return { invariant: 'no edit lost', why: 'the serving side does not have the newest spec, and nothing says why' };
  }
  if (status.transition && !excused)
    return { invariant: 'comes to rest', why: `it stays in ${status.transition.phase}` };
  if (progress(world).length > 0 || look(world, setting).move) throw new Error('this world is not at rest');
  return undefined;
}

/** All that was asked for, but for where its state came from and for nonces that were removed since. */
function isAsWanted({ object }: Child, wanted: FlinkDeployment['spec'] = {}): boolean {
  const nonces = new Set(['spec.job.savepointRedeployNonce', 'spec.job.statelessRedeployNonce']);
  return deploymentChange(object.spec, wanted).changes.every(
    ({ path, demands }) => path === 'spec.job.initialSavepointPath' || (nonces.has(path) && demands === 'nothing'),
  );
}
