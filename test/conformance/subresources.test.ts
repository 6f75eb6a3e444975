import { describe, expect, it } from 'vitest';
import { eventually } from './api.ts';
import { configMap, deployment, pendingPod, pod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const idle = (name: string) => deployment(name, { paused: true, replicas: 0 });
const paths = (name: string) => {
  const { group } = server();
  return { all: group('apps/v1', 'deployments'), one: group('apps/v1', 'deployments', name) };
};

describe('the status subresource', () => {
  it('ignores status in a create', async () => {
    const { api } = server();
    const object = { ...idle('claims'), status: { replicas: 9 } };
    const made = await api.must('POST', paths('claims').all, object);
    expect(made.status).toEqual({});
  });

  it('ignores status in a write to the object, and spec in a write to status', async () => {
    const { api } = server();
    const { all, one } = paths('parted');
    await api.must('POST', all, idle('parted'));
    const main = await api.merge(one, { spec: { minReadySeconds: 4 }, status: { collisionCount: 5 } });
    expect(main.body.spec.minReadySeconds).toBe(4);
    expect(main.body.status?.collisionCount).toBeUndefined();
    const status = await api.merge(`${one}/status`, { spec: { minReadySeconds: 8 }, status: { collisionCount: 5 } });
    expect(status.body.spec.minReadySeconds).toBe(4);
    expect(status.body.status.collisionCount).toBe(5);
  });

  it('keeps the optimistic lock', async () => {
    const { api } = server();
    const { all, one } = paths('locked');
    const read = await api.must('POST', all, idle('locked'));
    await api.must('PATCH', one, { spec: { minReadySeconds: 1 } }, { 'content-type': 'application/merge-patch+json' });
    const answer = await api.put(`${one}/status`, { ...read, status: { collisionCount: 1 } });
    expect(answer.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('can be read', async () => {
    const { api } = server();
    const { all, one } = paths('read');
    const made = await api.must('POST', all, idle('read'));
    const answer = await api.get(`${one}/status`);
    expect(answer.body.metadata.uid).toBe(made.metadata.uid);
  });

  it('does not exist for kinds without status', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('plain'));
    const answer = await api.get(core('configmaps', 'plain', 'status'));
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    });
  });
});

describe('the scale subresource', () => {
  it('shows and sets replicas of a deployment', async () => {
    const { api } = server();
    const { all, one } = paths('scaled');
    await api.must('POST', all, idle('scaled'));
    const scale = await eventually(async () => {
      const deployed = await api.must('GET', one);
      expect(deployed.status.observedGeneration).toBe(1);
      return api.must('GET', `${one}/scale`);
    });
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'scaled' },
      spec: {},
      status: { replicas: 0, selector: 'app=scaled' },
    });
    const answer = await api.put(`${one}/scale`, { ...scale, spec: { replicas: 3 } });
    expect(answer.body.spec).toEqual({ replicas: 3 });
    const now = (await api.get(one)).body;
    expect(now.spec.replicas).toBe(3);
    expect(now.metadata.generation).toBe(2);
  });

  it('takes a merge patch, as kubectl scale sends it', async () => {
    const { api } = server();
    const { all, one } = paths('patched');
    await api.must('POST', all, idle('patched'));
    const answer = await api.merge(`${one}/scale`, { spec: { replicas: 1 } });
    expect(answer.body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
  });

  it('refuses a negative number', async () => {
    const { api } = server();
    const { all, one } = paths('negative');
    await api.must('POST', all, idle('negative'));
    const answer = await api.merge(`${one}/scale`, { spec: { replicas: -1 } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('spec.replicas: Invalid value: -1: must be greater than or equal to 0');
  });

  it('refuses a stale resource version', async () => {
    const { api } = server();
    const { all, one } = paths('stale');
    await api.must('POST', all, idle('stale'));
    const scale = (await api.get(`${one}/scale`)).body;
    await api.must('PATCH', one, { spec: { minReadySeconds: 1 } }, { 'content-type': 'application/merge-patch+json' });
    const answer = await api.put(`${one}/scale`, { ...scale, spec: { replicas: 3 } });
    expect(answer.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });
});

describe('binding', () => {
  it('puts a pod on a node, once', async () => {
    const { api, core } = server();
    const pod = pendingPod('bound');
    // The cluster's own scheduler would have its say about the pod's conditions, whenever it gets to it.
    await api.must('POST', core('pods'), { ...pod, spec: { ...pod.spec, schedulerName: 'nobody' } });
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'bound' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'nowhere' },
    };
    const first = await api.post(core('pods', 'bound', 'binding'), binding);
    expect(first.body).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    const bound = (await api.get(core('pods', 'bound'))).body;
    expect(bound.spec.nodeName).toBe('nowhere');
    expect(bound.status.conditions).toContainEqual(expect.objectContaining({ type: 'PodScheduled', status: 'True' }));
    const second = await api.post(core('pods', 'bound', 'binding'), binding);
    expect(second.body).toMatchObject({ code: 409, reason: 'Conflict' });
    await api.delete(core('pods', 'bound'), { gracePeriodSeconds: 0 });
  });

  it('is the only way to a node: an update cannot assign a pod', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pendingPod('assigned'));
    const answer = await api.merge(core('pods', 'assigned'), { spec: { nodeName: 'nowhere' } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: [{ field: 'spec' }] } });
    expect(answer.body.message).toMatch(
      /^Pod "assigned" is invalid: spec: Forbidden: pod updates may not change fields/,
    );
  });

  it('waits for scheduling gates, and until then the choice of nodes may be narrowed', async () => {
    const { api, core } = server();
    const gated = pod('gated', { schedulingGates: [{ name: 'example.com/wait' }], nodeSelector: { zone: 'a' } });
    const { status } = await api.must('POST', core('pods'), gated);
    expect(status.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', reason: 'SchedulingGated' })]);
    const target = { kind: 'Node', name: 'nowhere' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'gated' }, target };
    expect((await api.post(core('pods', 'gated', 'binding'), binding)).body).toMatchObject({
      code: 409,
      message: 'Operation cannot be fulfilled on pods/binding "gated": pod gated has non-empty .spec.schedulingGates',
    });
    expect((await api.merge(core('pods', 'gated'), { spec: { nodeSelector: { disk: 'ssd' } } })).status).toBe(200);
    expect((await api.merge(core('pods', 'gated'), { spec: { nodeSelector: { zone: 'b' } } })).body.message).toBe(
      'Pod "gated" is invalid: spec.nodeSelector: Invalid value: {"disk":"ssd","zone":"b"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    );
  });
});
