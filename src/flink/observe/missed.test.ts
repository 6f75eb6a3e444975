import { describe, expect, it } from 'vitest';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { FlinkDeployment, FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { FlinkCaches } from './flink-caches.ts';
import { askServer, isMissed } from './missed.ts';

const recorded = (job: object | null): string => JSON.stringify({ spec: { job }, resource_metadata: {} });
const running = { reconciliationStatus: { lastReconciledSpec: recorded({ state: 'running' }) } };

function resource(status: FlinkDeploymentStatus, metadata: object = {}): FlinkDeployment {
  return { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', metadata, spec: {}, status };
}

const caches = (shown: object | undefined): FlinkCaches =>
  ({ processes: { get: () => shown } }) as unknown as FlinkCaches;

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
    ['of what is being deleted', resource(running, { deletionTimestamp: 't' }), undefined, false],
    ['of what was never deployed', resource({}), undefined, false],
  ])('%s is asked for: %#', (_what, object, shown, missed) => {
    expect(isMissed('a/x', object, caches(shown))).toBe(missed);
  });

  it('is what the server says it is, and a server that does not answer says nothing', async () => {
    const answers = [200, 404, 500];
    const client = new Client(
      inProcess(async () => {
        const status = answers.shift() ?? 500;
        const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', code: status, metadata: { name: 'x' } };
        return { status, headers: {}, body: new Blob([JSON.stringify(body)]).stream() as AsyncIterable<Uint8Array> };
      }),
    );
    const { signal } = new AbortController();
    expect((await askServer(client, 'a/x', signal))?.metadata.name).toBe('x');
    expect(await askServer(client, 'a/x', signal)).toBeUndefined();
    await expect(askServer(client, 'a/x', signal)).rejects.toThrow();
  });
});
