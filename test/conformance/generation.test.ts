import { describe, expect, it } from 'vitest';
import { configMap, deployment, pendingPod, statefulSet } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const idle = (name: string) => deployment(name, { paused: true, replicas: 0 });

describe('generation', () => {
  it('starts at 1 and counts changes of spec', async () => {
    const { api, group } = server();
    const made = await api.must('POST', group('apps/v1', 'deployments'), idle('counted'));
    expect(made.metadata.generation).toBe(1);
    const path = group('apps/v1', 'deployments', 'counted');
    const changed = await api.merge(path, { spec: { minReadySeconds: 1 } });
    expect(changed.body.metadata.generation).toBe(2);
  });

  it('does not count labels, finalizers or a change to the same', async () => {
    const { api, group } = server();
    await api.must('POST', group('apps/v1', 'deployments'), idle('labelled'));
    const path = group('apps/v1', 'deployments', 'labelled');
    const patched = await api.merge(path, {
      metadata: { labels: { a: 'b' }, finalizers: ['conformance.invalid/hold'] },
    });
    expect(patched.body.metadata.generation).toBe(1);
    await api.merge(path, { metadata: { finalizers: null } });
    const same = await api.merge(path, { spec: { paused: true } });
    expect(same.body.metadata.generation).toBe(1);
  });

  it('counts annotations of a deployment, which its replica sets inherit, and of no other kind', async () => {
    const { api, group } = server();
    await api.must('POST', group('apps/v1', 'deployments'), idle('noted'));
    const noted = await api.merge(group('apps/v1', 'deployments', 'noted'), { metadata: { annotations: { c: 'd' } } });
    expect(noted.body.metadata.generation).toBe(2);
    await api.must('POST', group('apps/v1', 'statefulsets'), statefulSet('noted', { replicas: 0 }));
    const set = await api.merge(group('apps/v1', 'statefulsets', 'noted'), { metadata: { annotations: { c: 'd' } } });
    expect(set.body.metadata.generation).toBe(1);
  });

  it('does not count a write through the status subresource', async () => {
    const { api, group } = server();
    await api.must('POST', group('apps/v1', 'deployments'), idle('told'));
    const answer = await api.merge(group('apps/v1', 'deployments', 'told', 'status'), {
      status: { observedGeneration: 1, collisionCount: 3 },
    });
    expect(answer.body.metadata.generation).toBe(1);
    expect(answer.body.status.collisionCount).toBe(3);
  });

  it('counts the start of deletion', async () => {
    const { api, group } = server();
    const object = idle('leaving');
    object.metadata.finalizers = ['conformance.invalid/hold'];
    await api.must('POST', group('apps/v1', 'deployments'), object);
    const path = group('apps/v1', 'deployments', 'leaving');
    await api.must('DELETE', path);
    expect((await api.get(path)).body.metadata.generation).toBe(2);
    await api.must(
      'PATCH',
      path,
      { metadata: { finalizers: null } },
      { 'content-type': 'application/merge-patch+json' },
    );
  });

  it('is not settable by users', async () => {
    const { api, group } = server();
    const object = idle('cheat');
    object.metadata.generation = 7;
    const made = await api.must('POST', group('apps/v1', 'deployments'), object);
    expect(made.metadata.generation).toBe(1);
    const path = group('apps/v1', 'deployments', 'cheat');
    const answer = await api.merge(path, { metadata: { generation: 9 } });
    expect(answer.body.metadata.generation).toBe(1);
  });

  it('is kept for pods and not for config maps', async () => {
    const { api, core } = server();
    const pod = await api.must('POST', core('pods'), pendingPod('numbered'));
    expect(pod.metadata.generation).toBe(1);
    const map = await api.must('POST', core('configmaps'), configMap('unnumbered'));
    expect(map.metadata.generation).toBeUndefined();
  });
});
