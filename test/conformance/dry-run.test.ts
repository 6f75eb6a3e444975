import { describe, expect, it } from 'vitest';
import { configMap, deployment } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();

describe('dry run', () => {
  it('answers a create as if it had been done, and stores nothing', async () => {
    const { api, core } = server();
    const answer = await api.post(`${core('configmaps')}?dryRun=All`, configMap('dry'));
    expect(answer.status).toBe(201);
    expect(answer.body.metadata.uid).toMatch(/-/);
    expect(answer.body.metadata.resourceVersion).toBeUndefined();
    expect((await api.get(core('configmaps', 'dry'))).status).toBe(404);
  });

  it('fills in defaults and validates', async () => {
    const { api, group } = server();
    const good = await api.post(`${group('apps/v1', 'deployments')}?dryRun=All`, deployment('dry'));
    expect(good.body.spec.strategy.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: '25%' });
    const bad = await api.post(`${group('apps/v1', 'deployments')}?dryRun=All`, deployment('dry', { replicas: -1 }));
    expect(bad.status).toBe(422);
  });

  it('shows what an update would do', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('configmaps'), configMap('kept', { a: '1' }));
    const answer = await api.call(
      'PATCH',
      `${core('configmaps', 'kept')}?dryRun=All`,
      { data: { a: '2' } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    expect(answer.body.data).toEqual({ a: '2' });
    expect(answer.body.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect((await api.get(core('configmaps', 'kept'))).body.data).toEqual({ a: '1' });
  });

  it('does not delete', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('alive'));
    expect((await api.delete(`${core('configmaps', 'alive')}?dryRun=All`)).status).toBe(200);
    expect((await api.delete(core('configmaps', 'alive'), { dryRun: ['All'] })).status).toBe(200);
    expect((await api.get(core('configmaps', 'alive'))).status).toBe(200);
  });

  it('refuses another value', async () => {
    const { api, core } = server();
    const answer = await api.post(`${core('configmaps')}?dryRun=Some`, configMap('dry'));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    );
  });
});
