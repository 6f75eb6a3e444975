import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Transport } from '../../kube/transport.ts';
import { labels } from '../keys.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import { defaultSettings } from '../settings.ts';
import { appWorkloadView } from './app-workload-view.ts';
import type { Pod, StatefulSet } from './kube-shapes.ts';

const key = 'space/web-1';
const namespace = 'space';
const versioned = (version: string) => ({ [labels.guid]: 'web', [labels.version]: version });
const template = (version: string) => ({ metadata: { labels: versioned(version) }, spec: { containers: [] } });

const workload = (version: string, metadata: AppWorkload['metadata'] = {}): AppWorkload => ({
  apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
  kind: 'AppWorkload',
  metadata: { name: 'web-1', namespace, ...metadata },
  spec: {
    GUID: 'web',
    version,
    appGUID: 'app',
    processType: 'web',
    image: 'app:1',
    instances: 1,
    runnerName: defaultSettings.runnerName,
  },
});

const set = (version: string): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'set', namespace, uid: 'set-uid' },
  spec: { template: template(version) },
});

const pod = (version: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `set-${version}`, namespace, labels: versioned(version) },
});

const revision = (version: string, number: number, owner = 'set-uid', extra: object = {}): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `set-${number}`,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'set', uid: owner }],
    },
    revision: number,
    data: { spec: { template: { $patch: 'replace', ...template(version), ...extra } } },
  }) as KubeObject;

interface Scene {
  readonly sets?: readonly StatefulSet[];
  readonly pods?: readonly Pod[];
  /** What the server lists, and whether it does. */
  readonly listed?: readonly unknown[];
  readonly status?: number;
}

async function look(object: AppWorkload, { sets = [], pods = [], listed = [], status = 200 }: Scene) {
  const asked: string[] = [];
  const transport: Transport = {
    request: async ({ path }) => {
      asked.push(decodeURIComponent(path.replace(/\?.*/, '')));
      const denied = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Forbidden',
        code: status,
        message: 'no',
      };
      const body = status === 200 ? { kind: 'List', apiVersion: 'v1', metadata: {}, items: listed } : denied;
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield new TextEncoder().encode(JSON.stringify(body));
        })(),
      };
    },
    connect: () => expect.fail('nothing to connect to'),
    close: async () => {},
  };
  const cached = <T>(objects: readonly T[]) => ({ by: () => objects }) as never;
  const caches = { statefulSets: cached(sets), pods: cached(pods), podDisruptionBudgets: cached([]) };
  const client = new Client(transport, { clock: new VirtualClock() });
  const glance = { object, now: 0, outcomes: {}, signal: new AbortController().signal };
  return { view: await appWorkloadView(key, glance, { client, caches, settings: defaultSettings }), asked };
}

describe('a look at a workload', () => {
  it('asks the server nothing while the revision stays, or is new', async () => {
    expect((await look(workload('1'), { sets: [set('1')], pods: [pod('1')] })).asked).toEqual([]);
    expect((await look(workload('2'), { sets: [set('1')], pods: [pod('1')] })).asked).toEqual([]);
    expect((await look(workload('1'), {})).asked).toEqual([]);
  });

  it('finds the newest template that pods of the wanted revision were made from', async () => {
    const listed = [
      revision('1', 2, 'set-uid', { spec: { containers: [{ name: 'newer' }] } }),
      revision('1', 1),
      revision('1', 9, 'another set'),
    ];
    const { view, asked } = await look(workload('1'), { sets: [set('2')], pods: [pod('1'), pod('2')], listed });
    expect(asked).toEqual(['/apis/apps/v1/namespaces/space/controllerrevisions']);
    expect(view.recordedTemplate).toEqual({ ...template('1'), spec: { containers: [{ name: 'newer' }] } });
  });

  it('goes on without it where it may not be read, or is no template', async () => {
    const back = { sets: [set('2')], pods: [pod('1')] };
    expect((await look(workload('1'), { ...back, status: 403 })).view).not.toHaveProperty('recordedTemplate');
    const odd = { ...revision('1', 1), data: { spec: 'odd' } };
    expect((await look(workload('1'), { ...back, listed: [odd] })).view).not.toHaveProperty('recordedTemplate');
  });

  it('asks for StatefulSets that the caches may have missed before a workload is let go', async () => {
    const deleted = workload('1', { deletionTimestamp: '2030-01-01T00:00:00Z' });
    const { view, asked } = await look(deleted, { listed: [set('1')] });
    expect(asked).toEqual(['/apis/apps/v1/namespaces/space/statefulsets']);
    expect(view.statefulSets).toMatchObject([{ metadata: { name: 'set' } }]);
    expect(view.unheard).toBe(true);
    const seen = await look(deleted, { sets: [set('1')] });
    expect(seen.asked).toEqual([]);
    expect(seen.view.unheard).toBeUndefined();
  });

  it('makes something of a spec that another definition let through', async () => {
    const { spec: _none, ...bare } = workload('1');
    const { view } = await look(bare as AppWorkload, {});
    expect(view.workload.spec).toMatchObject({ GUID: '', version: '', instances: 1, runnerName: '' });
  });
});
