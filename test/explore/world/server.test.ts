import { describe, expect, it } from 'vitest';
import { refTo } from '../../../src/control/decision.ts';
import type { FlinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { type Request, serve, storedOf } from './server.ts';
import { type Budget, type Cluster, newWorld, type World } from './world.ts';

const nothing: Budget = { edits: 0, crashes: 0, lost: 0, late: 0, stale: 0, failures: 0, slow: 0 };

const blue: FlinkDeployment = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkDeployment',
  metadata: { name: 'app-blue', namespace: 'ns', annotations: { 'cutover.dev/id': 'uid0-1' } },
  spec: { image: 'flink:1', job: { state: 'running' } },
};

/** What is there after these requests, all of which are served. */
function having(...requests: readonly ((cluster: Cluster) => Request)[]): World {
  let world = newWorld({}, nothing);
  for (const request of requests) {
    const answer = serve(world, request(world.cluster));
    if (!answer.ok) throw new Error(answer.why);
    world = { ...world, ...answer };
  }
  return world;
}

const create = (): Request => ({ do: 'create', object: blue });
const refOf = (cluster: Cluster) => refTo(storedOf(cluster, { kind: 'FlinkDeployment', name: 'app-blue' }) ?? blue);
const suspend = (cluster: Cluster): Request => ({
  do: 'patch',
  of: refOf(cluster),
  patch: [{ op: 'replace', path: '/spec/job/state', value: 'suspended' }],
});

describe('the API server of the explorer', () => {
  it('creates what is not there, takes the same creation for done, and refuses another', () => {
    const world = having(create);
    expect(world.cluster.sides.BLUE?.object).toMatchObject({ spec: blue.spec, metadata: { generation: 1 } });
    expect(serve(world, create())).toMatchObject({ ok: true, cluster: world.cluster });
    const metadata = { ...blue.metadata, annotations: { 'cutover.dev/id': 'uid0-2' } };
    expect(serve(world, { do: 'create', object: { ...blue, metadata } })).toEqual({ ok: false, why: 'refused' });
  });

  it('patches the version that is meant and no other, and counts generations of the spec', () => {
    const world = having(create, suspend);
    expect(world.cluster.sides.BLUE?.object).toMatchObject({
      spec: { job: { state: 'suspended' } },
      metadata: { generation: 2 },
    });
    expect(serve(world, suspend(having(create).cluster))).toEqual({ ok: false, why: 'conflict' });
  });

  it('deletes by uid, and by version where one is given; a side stays until its finalizer is gone', () => {
    const world = having(create, suspend);
    const { resourceVersion: _, ...byUid } = refOf(having(create).cluster);
    expect(serve(world, { do: 'delete', of: refOf(having(create).cluster) })).toMatchObject({ ok: false });
    expect(serve(world, { do: 'delete', of: { ...byUid, uid: 'uid99' } })).toMatchObject({ ok: false });
    const answer = serve(world, { do: 'delete', of: byUid });
    expect(answer.ok && answer.cluster.sides.BLUE?.object.metadata.deletionTimestamp).toBeTruthy();
    const gone = serve(newWorld({}, nothing), { do: 'delete', of: byUid });
    expect(gone.ok).toBe(true);
  });

  it('writes a status for one version of the resource only', () => {
    const world = newWorld({}, nothing);
    const write = (of: World): Request => ({
      do: 'status',
      of: refTo(of.cluster.resource ?? blue),
      status: { attempt: 1 },
    });
    const written = having(() => write(world));
    expect(written.cluster.resource?.status).toEqual({ attempt: 1 });
    expect(serve(written, write(world))).toEqual({ ok: false, why: 'conflict' });
  });

  it('applies over the version that is meant, if one is', () => {
    const ingress = (host: string) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'app', namespace: 'ns' },
      spec: { host },
    });
    const world = having(() => ({ do: 'apply', object: ingress('a') }));
    const { resourceVersion = '' } = world.cluster.ingresses.active?.metadata ?? {};
    const moved = serve(world, { do: 'apply', object: ingress('b'), resourceVersion });
    expect(moved.ok && moved.cluster.ingresses.active?.spec).toEqual({ host: 'b' });
    const late = moved.ok
      ? serve({ ...world, ...moved }, { do: 'apply', object: ingress('c'), resourceVersion })
      : moved;
    expect(late).toEqual({ ok: false, why: 'conflict' });
  });
});
