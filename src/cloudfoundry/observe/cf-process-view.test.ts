import { describe, expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { notFound } from '../../kube/not-found.fixture.ts';
import { markText } from '../deployment-mark.ts';
import { annotations } from '../keys.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { defaultSettings } from '../settings.ts';
import { type CfProcessSources, cfProcessView } from './cf-process-view.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const namespace = 'space';
const process: CfProcess = {
  apiVersion,
  kind: 'CFProcess',
  metadata: { name: 'process', namespace },
  spec: { appRef: { name: 'app' }, processType: 'web' },
};

const appAt = (appRev: number, desiredState: 'STARTED' | 'STOPPED', more: Record<string, string> = {}): CfApp => ({
  apiVersion,
  kind: 'CFApp',
  metadata: {
    name: 'app',
    namespace,
    annotations: { [annotations.appRev]: String(appRev), [annotations.lastStopAppRev]: String(appRev), ...more },
  },
  spec: {
    displayName: 'app',
    desiredState,
    lifecycle: { type: 'docker' },
    currentDropletRef: { name: 'current' },
  },
});

const workloadOf = (lastStop: number, ending = false): AppWorkload =>
  ({
    metadata: {
      name: `workload-${lastStop}`,
      annotations: { [annotations.lastStopAppRev]: String(lastStop) },
      ...(ending && { deletionTimestamp: '2024-06-28T12:00:00Z' }),
    },
    spec: {},
  }) as unknown as AppWorkload;

interface Given {
  readonly app: CfApp;
  readonly builds?: readonly CfBuild[];
  readonly workloads?: readonly AppWorkload[];
  readonly deployment?: CfDeployment;
  /** What the API server has, by kind. None: it is not to be asked. */
  readonly server?: Readonly<Record<string, () => unknown>>;
}

/** What is observed, and which kinds the API server was asked for. */
async function observed({ app, builds = [], workloads = [workloadOf(1)], deployment, server = {} }: Given) {
  const asked: string[] = [];
  const client = {
    resource: ({ kind }: { kind: string }) => ({
      get: async ({ name }: { name: string }) => {
        asked.push(kind);
        const have = server[kind];
        if (!have) throw notFound(name);
        return have();
      },
    }),
  } as unknown as Client;
  const caches = {
    apps: { get: () => app },
    builds: { get: (key: string) => builds.find(({ metadata }) => key === `${namespace}/${metadata.name}`) },
    workloads: { by: () => workloads },
    deployments: { get: () => deployment },
  } as unknown as CfProcessSources['caches'];
  const glance = { object: process, now: 0, outcomes: {} } as unknown as Parameters<typeof cfProcessView>[1];
  return { view: await cfProcessView('space/process', glance, { caches, client, settings: defaultSettings }), asked };
}

async function dropletOf(revision: { readonly appRev: string; readonly droplet?: string }, builds: readonly string[]) {
  const app = { ...appAt(1, 'STARTED'), status: { revision: { envSecretName: 'env', envNames: [], ...revision } } };
  const build = (name: string): CfBuild => ({
    apiVersion,
    kind: 'CFBuild',
    metadata: { name, namespace },
    spec: { packageRef: {}, appRef: { name: 'app' }, lifecycle: { type: 'docker' } },
    status: { state: 'STAGED', droplet: { registry: { image: `image-of-${name}` } } },
  });
  return (await observed({ app, builds: builds.map(build) })).view.droplet?.guid;
}

describe('the droplet that a process is to run', () => {
  it('is the one that the revision was recorded with, whichever is the current one by now', async () => {
    expect(await dropletOf({ appRev: '1', droplet: 'recorded' }, ['recorded', 'current'])).toBe('recorded');
  });

  it('is the current one of a revision that is not recorded yet, was recorded without, or whose droplet was deleted', async () => {
    expect(await dropletOf({ appRev: '0', droplet: 'recorded' }, ['recorded', 'current'])).toBe('current');
    expect(await dropletOf({ appRev: '1' }, ['recorded', 'current'])).toBe('current');
    expect(await dropletOf({ appRev: '1', droplet: 'recorded' }, ['current'])).toBe('current');
  });
});

describe('the app of a process', () => {
  const fresh = appAt(2, 'STARTED');
  const server = { CFApp: () => fresh };

  it.each([
    ['is started, and has its workload', appAt(1, 'STARTED'), [workloadOf(1)]],
    ['is started, and what ran before is ending', appAt(1, 'STARTED'), [workloadOf(0, true), workloadOf(1)]],
    ['is stopped, and has none', appAt(1, 'STOPPED'), []],
    ['is stopped, and what ran is ending', appAt(1, 'STOPPED'), [workloadOf(0, true)]],
  ])('is what the cache shows when it %s', async (_when, app, workloads) => {
    const { view, asked } = await observed({ app, workloads, server });
    expect(view.app).toBe(app);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a workload is to be made', appAt(1, 'STARTED'), [workloadOf(0, true)]],
    ['a workload is to go with a stop', appAt(1, 'STOPPED'), [workloadOf(1)]],
    ['a workload of before a stop is to go', appAt(1, 'STARTED'), [workloadOf(0), workloadOf(1)]],
  ])('is what the server has when %s', async (_when, app, workloads) => {
    const { view, asked } = await observed({ app, workloads, server });
    expect(view.app).toBe(fresh);
    expect(view).not.toHaveProperty('unheard');
    expect(asked).toEqual(['CFApp']);
  });

  it('is none when the server has none, and unknown while it does not answer', async () => {
    const app = appAt(1, 'STARTED');
    const { view } = await observed({ app, workloads: [] });
    expect(view.app).toBeUndefined();
    expect(view.unheard).toBe(true);
    await expect(observed({ app, workloads: [], server: { CFApp: lost } })).rejects.toThrow('lost');
  });
});

describe('the deployment that an app names', () => {
  const record = { metadata: { name: 'deployment', namespace }, spec: { dropletRef: {} } } as CfDeployment;
  const app = appAt(1, 'STARTED', { [annotations.deployment]: markText({ guid: 'deployment', appRev: 1 }) });
  const server = { CFDeployment: () => record };

  it('is asked for only while the caches do not show it', async () => {
    expect((await observed({ app: appAt(1, 'STARTED'), server })).asked).toEqual([]);
    expect((await observed({ app, deployment: record, server })).asked).toEqual([]);
    expect((await observed({ app, server })).asked).toEqual(['CFDeployment']);
  });

  it('is what the server has, or none when somebody deleted it', async () => {
    expect((await observed({ app, server })).view.deployment).toBe(record);
    expect((await observed({ app })).view.deployment).toBeUndefined();
    await expect(observed({ app, server: { CFDeployment: lost } })).rejects.toThrow('lost');
  });

  it('is the one that the app names which the server has', async () => {
    const { view, asked } = await observed({
      app: appAt(0, 'STARTED'),
      workloads: [],
      server: { ...server, CFApp: () => app },
    });
    expect(asked).toEqual(['CFApp', 'CFDeployment']);
    expect(view).toMatchObject({ app, deployment: record });
  });
});

function lost(): never {
  throw new KubeError('unreachable', 'lost');
}
