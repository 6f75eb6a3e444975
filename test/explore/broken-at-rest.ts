import { blueGreenSpecCodec } from '../../src/flink/resources/blue-green-spec.ts';
import type { FlinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { deploymentChange } from '../../src/flink/resources/spec-change.ts';
import type { Broken } from './invariants.ts';
import { type Child, isReady, trafficOf, uidOf, type World } from './world/world.ts';

/** What is wrong with a world in which nothing happens any more. */
export function brokenAtRest({ cluster, ghost }: World): Broken | undefined {
  const { resource } = cluster;
  if (!resource) return undefined;
  if (isRefused(resource)) return ghost.unseen ? undefined : { invariant: 'no edit lost', why: 'it is refused' };
  const color = trafficOf(cluster);
  const side = color && cluster.sides[color];
  const other = color && cluster.sides[color === 'BLUE' ? 'GREEN' : 'BLUE'];
  return (
    misled(resource, side, other) ??
    // One that was there before the first side is simply recorded, and one of a suspended job without a side waits.
    (side || (ghost.server && !isSuspended(resource)) ? neverActed(resource, ghost) : undefined) ??
    unfinished(resource, side, other) ??
    leftOver(resource, other)
  );
}

/** What is written cannot be done, and status says so. */
function isRefused({ status }: FlinkBlueGreenDeployment): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'ValidationError') ?? false;
}

function isSuspended({ spec }: Pick<FlinkBlueGreenDeployment, 'spec'>): boolean {
  return spec.template?.spec?.job?.state === 'suspended';
}

function misled({ status, spec }: FlinkBlueGreenDeployment, side?: Child, other?: Child): Broken | undefined {
  const better = isReady(other) && uidOf(other) !== status?.aborted?.uid;
  if (!better || isReady(side) || isSuspended({ spec })) return undefined;
  const is = side ? 'not ready' : 'gone';
  return { invariant: 'traffic to the ready', why: `traffic stays at a side that is ${is}, while the other is ready` };
}

function neverActed({ spec, status }: FlinkBlueGreenDeployment, { acted }: World['ghost']): Broken | undefined {
  // A person may give a transition up before its side was made.
  const givenUp = blueGreenSpecCodec.read(status?.aborted?.spec ?? '');
  if (givenUp.ok && !deploymentChange(givenUp.spec.template?.spec ?? {}, spec.template?.spec ?? {}).changes.length) {
    return undefined;
  }
  const { savepointRedeployNonce: savepoint, statelessRedeployNonce: stateless } = spec.template?.spec?.job ?? {};
  const pending =
    (savepoint !== undefined && savepoint !== acted.savepoint) ||
    (stateless !== undefined && stateless !== acted.stateless);
  return pending ? { invariant: 'nonce once', why: 'it never acted' } : undefined;
}

function unfinished(
  { metadata, spec, status = {} }: FlinkBlueGreenDeployment,
  side?: Child,
  other?: Child,
): Broken | undefined {
  if (status.observedGeneration !== metadata.generation) {
    return { invariant: 'no edit lost', why: 'the newest spec was not looked at' };
  }
  const wanted = spec.template?.spec;
  const isTrue = side ? isAsWanted(side, wanted) : isSuspended({ spec });
  if (isTrue && !status.transition) return undefined;
  const said = status.conditions?.some((one) => one.status === 'True' && /^(Stalled|Reconciling)$/.test(one.type));
  if (!said) return { invariant: 'no edit lost', why: 'the newest spec has not become true, and nothing says why' };
  // There is something to wait for: another edit, a side that is not well, a person.
  const manual = spec.configuration?.['kubernetes.operator.bluegreen.promotion'] === 'manual';
  const person = manual && status.conditions?.some(({ reason }) => reason === 'AwaitsPromotion');
  const cause = status.aborted || person || !isReady(side) || (status.transition && !isReady(other));
  const phase = status.transition?.phase ?? 'no transition';
  return cause ? undefined : { invariant: 'comes to rest', why: `it waits in ${phase}, and for nothing` };
}

/** All that was asked for, but for where its state came from and for nonces that were removed since. */
function isAsWanted({ object }: Child, wanted: FlinkDeployment['spec'] = {}): boolean {
  const nonces = new Set(['spec.job.savepointRedeployNonce', 'spec.job.statelessRedeployNonce']);
  return deploymentChange(object.spec, wanted).changes.every(
    ({ path, demands }) => path === 'spec.job.initialSavepointPath' || (nonces.has(path) && demands === 'nothing'),
  );
}

function leftOver({ status }: FlinkBlueGreenDeployment, other?: Child): Broken | undefined {
  if (!other || status?.transition || status?.aborted?.uid === uidOf(other)) return undefined;
  return { invariant: 'comes to rest', why: `${other.object.metadata.name} is left over` };
}
