import { describe, expect, it } from 'vitest';
import { type Any, eventually } from './api.ts';
import { deployment, pendingPod, pod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const budgets = (...rest: string[]): string => server().group('policy/v1', 'poddisruptionbudgets', ...rest);
const budget = (name: string, app: string, spec: object): Any => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { selector: { matchLabels: { app } }, ...spec },
});
const eviction = (name: string): Any => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });

async function running(app: string, replicas: number): Promise<string[]> {
  const { api, core, group } = server();
  await api.must('POST', group('apps/v1', 'deployments'), deployment(app, { replicas }));
  await eventually(async () => {
    const now = await api.must('GET', group('apps/v1', 'deployments', app));
    expect(now.status.readyReplicas).toBe(replicas);
  });
  const { items } = await api.must('GET', `${core('pods')}?labelSelector=app%3D${app}`);
  return items.map((pod: Any) => pod.metadata.name).sort();
}

describe('eviction', () => {
  it('deletes a pod that no budget covers', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pendingPod('free'));
    const answer = await api.post(core('pods', 'free', 'eviction'), eviction('free'));
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    expect((await api.get(core('pods', 'free'))).status).toBe(404);
  });

  it('is refused when the budget is used up, and says so', async () => {
    const { api, core } = server();
    const [first] = await running('guarded', 2);
    await api.must('POST', budgets(), budget('guarded', 'guarded', { minAvailable: 2 }));
    await eventually(async () => {
      expect((await api.must('GET', budgets('guarded'))).status).toMatchObject({
        currentHealthy: 2,
        desiredHealthy: 2,
        expectedPods: 2,
        disruptionsAllowed: 0,
      });
    });
    const answer = await api.post(core('pods', first ?? '', 'eviction'), eviction(first ?? ''));
    expect(answer.body).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget guarded needs 2 healthy pods and has 2 currently',
          },
        ],
      },
    });
    expect((await api.get(core('pods', first ?? ''))).body.metadata.deletionTimestamp).toBeUndefined();
  });

  it('is allowed as often as the budget says', async () => {
    const { api, core } = server();
    for (const name of ['bare-1', 'bare-2'])
      await api.must('POST', core('pods'), pod(name, {}, { labels: { app: 'bare' } }));
    await api.must('POST', budgets(), budget('bare', 'bare', { minAvailable: 1 }));
    await eventually(async () => {
      expect((await api.must('GET', budgets('bare'))).status).toMatchObject({
        currentHealthy: 2,
        disruptionsAllowed: 1,
      });
    });
    expect((await api.post(core('pods', 'bare-1', 'eviction'), eviction('bare-1'))).status).toBe(201);
    expect((await api.post(core('pods', 'bare-2', 'eviction'), eviction('bare-2'))).status).toBe(429);
  });

  it('honours dry run and preconditions', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('pods'), pendingPod('dry'));
    const dry = { ...eviction('dry'), deleteOptions: { dryRun: ['All'] } };
    expect((await api.post(core('pods', 'dry', 'eviction'), dry)).status).toBe(201);
    expect((await api.get(core('pods', 'dry'))).body.metadata.uid).toBe(made.metadata.uid);
    const wrong = {
      ...eviction('dry'),
      deleteOptions: { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } },
    };
    expect((await api.post(core('pods', 'dry', 'eviction'), wrong)).body).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
  });

  it('of a pod that is not there is refused', async () => {
    const { api, core } = server();
    expect((await api.post(core('pods', 'missing', 'eviction'), eviction('missing'))).status).toBe(404);
  });

  it('a budget cannot have both limits', async () => {
    const { api } = server();
    const answer = await api.post(budgets(), budget('both', 'x', { minAvailable: 1, maxUnavailable: 1 }));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('minAvailable and maxUnavailable cannot be both set');
  });
});
