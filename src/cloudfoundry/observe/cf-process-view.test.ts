import { describe, expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { markText } from '../deployment-mark.ts';
import { annotations } from '../keys.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { defaultSettings } from '../settings.ts';
import { type CfProcessSources, cfProcessView, isUnseen, unseenDeployment } from './cf-process-view.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const namespace = 'space';
const process: CfProcess = {
  apiVersion,
  kind: 'CFProcess',
  metadata: { name: 'process', namespace },
  spec: { appRef: { name: 'app' }, processType: 'web' },
};

function dropletOf(revision: { readonly appRev: string; readonly droplet?: string }, builds: readonly string[]) {
  const app: CfApp = {
    apiVersion,
    kind: 'CFApp',
    metadata: { name: 'app', namespace, annotations: { 'korifi.cloudfoundry.org/app-rev': '1' } },
    spec: {
      displayName: 'app',
      desiredState: 'STARTED',
      lifecycle: { type: 'docker' },
      currentDropletRef: { name: 'current' },
    },
    status: { revision: { envSecretName: 'env', envNames: [], ...revision } },
  };
  const build = (name: string): CfBuild => ({
    apiVersion,
    kind: 'CFBuild',
    metadata: { name, namespace },
    spec: { packageRef: {}, appRef: { name: 'app' }, lifecycle: { type: 'docker' } },
    status: { state: 'STAGED', droplet: { registry: { image: `image-of-${name}` } } },
  });
  const caches = {
    apps: { get: () => app },
    builds: { get: (key: string) => builds.filter((name) => key === `${namespace}/${name}`).map(build)[0] },
    workloads: { by: () => [] },
    deployments: { get: () => undefined },
  } as unknown as CfProcessSources['caches'];
  const glance = { object: process, now: 0, outcomes: {} } as unknown as Parameters<typeof cfProcessView>[1];
  return cfProcessView('space/process', glance, { caches, settings: defaultSettings }).droplet?.guid;
}

describe('the droplet that a process is to run', () => {
  it('is the one that the revision was recorded with, whichever is the current one by now', () => {
    expect(dropletOf({ appRev: '1', droplet: 'recorded' }, ['recorded', 'current'])).toBe('recorded');
  });

  it('is the current one of a revision that is not recorded yet, was recorded without, or whose droplet was deleted', () => {
    expect(dropletOf({ appRev: '0', droplet: 'recorded' }, ['recorded', 'current'])).toBe('current');
    expect(dropletOf({ appRev: '1' }, ['recorded', 'current'])).toBe('current');
    expect(dropletOf({ appRev: '1', droplet: 'recorded' }, ['current'])).toBe('current');
  });
});

describe('the deployment that an app names', () => {
  const record = { metadata: { name: 'deployment', namespace } } as CfDeployment;
  const mark = { [annotations.deployment]: markText({ guid: 'deployment', appRev: 1 }) };
  const caches = (seen: boolean, marked: boolean) =>
    ({
      apps: { get: () => ({ metadata: { name: 'app', namespace, ...(marked && { annotations: mark }) } }) },
      deployments: { get: () => (seen ? record : undefined) },
    }) as unknown as CfProcessSources['caches'];
  const client = (answer: () => Promise<CfDeployment>): Client =>
    ({ resource: () => ({ get: answer }) }) as unknown as Client;
  const { signal } = new AbortController();

  it('is asked for only while the caches do not show it', () => {
    expect([isUnseen(process, caches(true, true)), isUnseen(process, caches(false, false))]).toEqual([false, false]);
    expect(isUnseen(process, caches(false, true))).toBe(true);
  });

  it('is what the server has, or none when somebody deleted it', async () => {
    const there = unseenDeployment(
      process,
      caches(false, true),
      client(async () => record),
      signal,
    );
    expect(await there).toBe(record);
    const gone = async (): Promise<never> => Promise.reject(new KubeError('not-found', 'gone'));
    expect(await unseenDeployment(process, caches(false, true), client(gone), signal)).toBeUndefined();
    const lost = async (): Promise<never> => Promise.reject(new KubeError('unreachable', 'lost'));
    await expect(unseenDeployment(process, caches(false, true), client(lost), signal)).rejects.toThrow('lost');
  });
});
