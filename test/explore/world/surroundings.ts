import type { FlinkDeploymentSpec, FlinkDeploymentStatus } from '../../../src/flink/resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import { deploymentChange } from '../../../src/flink/resources/spec-change.ts';
import { put, removed, rewritten, without } from './server.ts';
import { type Child, type Cluster, isReady, type World } from './world.ts';

/** Something that happens without us. */
export interface Happening {
  readonly says: string;
  readonly cluster: Cluster;
  readonly counter: number;
}

/** What happens by itself, sooner or later: whoever manages FlinkDeployments and snapshots does their work. */
export function progress(world: World): Happening[] {
  const { cluster, counter, now } = world;
  return [
    ...children(cluster).flatMap((child) => childProgress(cluster, counter, child)),
    ...cluster.snapshots.flatMap((snapshot) => snapshotProgress(cluster, counter, snapshot, now)),
    ...collected(world),
  ];
}

/** What goes wrong by itself. */
export function failures({ cluster, counter }: World): Happening[] {
  return [
    ...children(cluster).flatMap((child) => childFailures(cluster, counter, child)),
    ...cluster.snapshots
      .filter(({ status }) => status?.state === undefined)
      .map((snapshot) => ended(cluster, counter, snapshot, 'FAILED')),
  ];
}

function children({ sides }: Cluster): Child[] {
  return [sides.BLUE, sides.GREEN].filter((child) => child !== undefined);
}

function childProgress(cluster: Cluster, counter: number, child: Child): Happening[] {
  const { object, deployed } = child;
  const { name = '', deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp) {
    return [{ says: `${name} is gone`, cluster: without(cluster, { kind: object.kind, name }), counter }];
  }
  const { spec, status } = object;
  const to = (says: string, next: FlinkDeploymentStatus): Happening[] => {
    const after = { ...object, status: { ...next, observedGeneration: generation ?? 1 } };
    const cluster2 = put(cluster, rewritten(object, after, counter), spec);
    return [{ says: `${name} ${says}`, cluster: cluster2, counter: counter + 1 }];
  };
  const demanded = deployed === undefined || restarts(deployed, spec);
  if (demanded) {
    return spec.job?.state === 'suspended'
      ? to('is suspended', suspended(status, counter))
      : to('becomes ready', running(counter));
  }
  if (status?.observedGeneration !== generation) return to('takes note of its new spec', status ?? {});
  return status?.jobStatus?.state === 'RESTARTING' ? to('recovers', running(counter, status)) : [];
}

function childFailures(cluster: Cluster, counter: number, child: Child): Happening[] {
  const { object, deployed } = child;
  const { name = '', deletionTimestamp } = object.metadata;
  const { spec, status } = object;
  if (deletionTimestamp || spec.job?.state === 'suspended') return [];
  const to = (says: string, next: FlinkDeploymentStatus, made = deployed): Happening => ({
    says: `${name} ${says}`,
    cluster: put(cluster, rewritten(object, { ...object, status: { ...status, ...next } }, counter), made),
    counter: counter + 1,
  });
  if (isReady(child)) return [to('fails', failed(status)), to('restarts its job', restarting(status))];
  if (deployed !== undefined) return [];
  return [to('fails to start', { ...failed(status), observedGeneration: object.metadata.generation ?? 1 }, spec)];
}

/** A savepoint needs a job that runs; without one it cannot but fail. */
function snapshotProgress(cluster: Cluster, counter: number, snapshot: FlinkStateSnapshot, now: number): Happening[] {
  if (snapshot.status?.state !== undefined) return [];
  const side = children(cluster).find(({ object }) => object.metadata.name === snapshot.spec.jobReference?.name);
  return [ended(cluster, counter, snapshot, isReady(side) ? 'COMPLETED' : 'FAILED', now)];
}

function ended(
  cluster: Cluster,
  counter: number,
  snapshot: FlinkStateSnapshot,
  state: 'COMPLETED' | 'FAILED',
  now = 0,
): Happening {
  const triggerId = `trigger${counter}`;
  const status: FlinkStateSnapshot['status'] =
    state === 'COMPLETED'
      ? { state, triggerId, path: `s3://savepoints/path${counter}`, resultTimestamp: new Date(now).toISOString() }
      : { state, triggerId, error: 'it did not work' };
  return {
    says: `the savepoint ${state === 'COMPLETED' ? 'is complete' : 'fails'}`,
    cluster: put(cluster, rewritten(snapshot, { ...snapshot, status }, counter)),
    counter: counter + 1,
  };
}

/** Once the resource is being deleted, what belongs to it goes, and then the resource. */
function collected({ cluster, counter, now }: World): Happening[] {
  const { resource, ingresses } = cluster;
  if (resource && !resource.metadata.deletionTimestamp) return [];
  const staying = children(cluster).find(({ object }) => !object.metadata.deletionTimestamp);
  if (staying) {
    const answer = removed({ cluster, counter, now }, staying.object);
    return answer.ok ? [{ says: `the deletion of ${staying.object.metadata.name} is asked for`, ...answer }] : [];
  }
  if (ingresses.active || ingresses.preview) {
    return [
      {
        says: 'the Ingress is gone',
        cluster: { ...cluster, ingresses: { active: undefined, preview: undefined } },
        counter,
      },
    ];
  }
  if (!resource || children(cluster).length > 0) return [];
  return [{ says: 'the resource is gone', cluster: { ...cluster, resource: undefined }, counter }];
}

function running(counter: number, status?: FlinkDeploymentStatus): FlinkDeploymentStatus {
  return {
    jobStatus: { jobId: status?.jobStatus?.jobId ?? `job${counter}`, state: 'RUNNING' },
    lifecycleState: 'STABLE',
    jobManagerDeploymentStatus: 'READY',
  };
}

function suspended(status: FlinkDeploymentStatus | undefined, counter: number): FlinkDeploymentStatus {
  const { jobId } = status?.jobStatus ?? {};
  return {
    jobStatus: {
      ...(jobId !== undefined && { jobId, upgradeSavepointPath: `s3://savepoints/path${counter}` }),
      state: 'FINISHED',
    },
    lifecycleState: 'SUSPENDED',
    jobManagerDeploymentStatus: 'MISSING',
  };
}

function failed(status: FlinkDeploymentStatus | undefined): FlinkDeploymentStatus {
  return {
    jobStatus: { ...status?.jobStatus, state: 'FAILED' },
    lifecycleState: 'FAILED',
    jobManagerDeploymentStatus: 'READY',
    error: 'it did not work',
  };
}

function restarting(status: FlinkDeploymentStatus | undefined): FlinkDeploymentStatus {
  return {
    jobStatus: { ...status?.jobStatus, state: 'RESTARTING' },
    lifecycleState: 'STABLE',
    jobManagerDeploymentStatus: 'READY',
  };
}

const compared = new WeakMap<FlinkDeploymentSpec, WeakMap<FlinkDeploymentSpec, boolean>>();

/** Whether whoever manages the side stops its job to bring it from the one spec to the other. */
export function restarts(before: FlinkDeploymentSpec, after: FlinkDeploymentSpec): boolean {
  const known = compared.get(before) ?? new WeakMap<FlinkDeploymentSpec, boolean>();
  compared.set(before, known);
  const answer = known.get(after) ?? deploymentChange(before, after).type !== 'IGNORE';
  known.set(after, answer);
  return answer;
}
