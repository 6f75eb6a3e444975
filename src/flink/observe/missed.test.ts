import { describe, expect, it } from 'vitest';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { FlinkDeployment, FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { FlinkCaches } from './flink-caches.ts';
import { isMissed, isRestMissed, missed } from './missed.ts';

const recorded = (job: object | null): string => JSON.stringify({ spec: { job }, resource_metadata: {} });
const running = { reconciliationStatus: { lastReconciledSpec: recorded({ state: 'running' }) } };

function resource(status: FlinkDeploymentStatus, metadata: object = {}): FlinkDeployment {
  return { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', metadata, spec: {}, status };
}

const stopping = (phase: string): FlinkDeployment =>
  resource({ ...running, jobStatus: { state: 'FINISHED' }, transition: { phase } } as FlinkDeploymentStatus);

const caches = (shown: object | undefined): FlinkCaches =>
  ({ processes: { get: () => shown } }) as unknown as FlinkCaches;

const { signal } = new AbortController();

const answering = (answer: (path: string) => readonly [status: number, body: object]): Client =>
  new Client(
    inProcess(async ({ path }) => {
      const [status, body] = answer(path);
      return { status, headers: {}, body: new Blob([JSON.stringify(body)]).stream() as AsyncIterable<Uint8Array> };
    }),
  );

const answered = (status: number): readonly [status: number, body: object] => [
  status,
  { apiVersion: 'v1', kind: 'Status', code: status, metadata: { name: 'x' }, details: { name: 'x' } },
];

describe('a JobManager that the caches do not show', () => {
  it.each<[string, FlinkDeployment, object | undefined, boolean]>([
    ['of a job that should run', resource(running), undefined, true],
    ['of a session', resource({ reconciliationStatus: { lastReconciledSpec: recorded(null) } }), undefined, true],
    ['that they do show', resource(running), {}, false],
    ['of a job that ended', resource({ ...running, jobStatus: { state: 'FINISHED' } }), undefined, false],
    [
      'of a suspended job',
      resource({ reconciliationStatus: { lastReconciledSpec: recorded({ state: 'suspended' }) } }),
      undefined,
      false,
    ],
    ['of what is being deleted', resource(running, { deletionTimestamp: 't' }), undefined, true],
    ['of a job that is brought to an end', stopping('suspending'), undefined, true],
    ['of a cluster that is being removed', stopping('clearing'), undefined, false],
    ['of a cluster that is being made', stopping('starting'), undefined, false],
    ['of what was never deployed', resource({}), undefined, false],
  ])('%s is asked for: %#', (_what, object, shown, asked) => {
    expect(isMissed('a/x', object, caches(shown))).toBe(asked);
  });

  it('is what the server says it is, and a server that does not answer says nothing', async () => {
    const answers = [200, 404, 500];
    const client = answering((path) =>
      path.includes('deployments') ? answered(answers.shift() ?? 500) : [200, { metadata: {}, items: [] }],
    );
    const ask = async () => (await missed('a/x', resource(running), caches(undefined), client, signal))?.jobManager;
    expect((await ask())?.metadata.name).toBe('x');
    expect(await ask()).toBeUndefined();
    await expect(ask()).rejects.toThrow();
  });
});

describe('what is left of a cluster and the caches do not show', () => {
  const moving = (more: object = {}): FlinkDeployment =>
    resource({ transition: { phase: 'clearing', ...more } } as FlinkDeploymentStatus);
  const around = (pods: readonly object[] = [], jobManager?: object): FlinkCaches =>
    ({ processes: { get: () => jobManager }, pods: { by: () => pods } }) as unknown as FlinkCaches;

  it.each<[string, FlinkDeployment, FlinkCaches, boolean]>([
    ['when nothing of it can still write', moving(), around(), true],
    ['when the job is about to be taken up', moving({ phase: 'starting' }), around(), true],
    ['while a JobManager lives', moving(), around([{}]), false],
    ['before the JobManager is removed', moving(), around([], {}), false],
    ['while the old job is brought to an end', moving({ phase: 'suspending' }), around(), false],
    ['of a job that is taken up', moving({ phase: 'starting', jobId: 'a' }), around(), false],
    ['of what is at rest', resource(running), around(), false],
  ])('%s is asked for: %#', (_what, object, shown, asked) => {
    expect(isRestMissed('a/x', object, shown)).toBe(asked);
  });

  const selected = (labels: string): string => `?labelSelector=${encodeURIComponent(`app=x,${labels}`)}`;
  const jobManagers = 'type in (flink-native-kubernetes,flink-standalone-kubernetes),component=jobmanager';

  it.each<[string, FlinkDeployment]>([
    ['while it is cleared away', moving()],
    ['when its JobManager has vanished', resource(running)],
  ])('%s is what the server has of it: first its pods, then its metadata', async (_when, object) => {
    const asked: string[] = [];
    const client = answering((path) => {
      asked.push(path);
      if (path.includes('deployments')) return answered(404);
      const kind = path.includes('pods') ? 'Pod' : 'ConfigMap';
      const items = [{ metadata: { name: `${kind} of x` } }];
      return [200, { apiVersion: 'v1', kind: `${kind}List`, metadata: { resourceVersion: '1' }, items }];
    });
    const found = await missed('a/x', object, around(), client, signal);
    expect(found?.pods?.map((one) => one.metadata.name)).toEqual(['Pod of x']);
    expect(found?.configMaps?.map((one) => one.metadata.name)).toEqual(['ConfigMap of x']);
    expect(asked).toEqual([
      '/apis/apps/v1/namespaces/a/deployments/x',
      `/api/v1/namespaces/a/pods${selected(jobManagers)}`,
      `/api/v1/namespaces/a/configmaps${selected('type=flink-native-kubernetes')}`,
    ]);
    expect(missed('a/x', object, around([{}], {}), client, signal)).toBeUndefined();
  });
});
