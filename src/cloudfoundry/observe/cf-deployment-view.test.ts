import { describe, expect, it } from 'vitest';
import type { Client } from '../../kube/client.ts';
import { notFound } from '../../kube/not-found.fixture.ts';
import { decideCfDeployment } from '../decide/cf-deployment.ts';
import { app, deployment, noon, process } from '../decide/process/process.fixture.ts';
import type { DeploymentMark } from '../deployment-mark.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import { defaultSettings } from '../settings.ts';
import { type CfDeploymentSources, cfDeploymentView } from './cf-deployment-view.ts';

const hour = 60 * 60_000;
const mark: DeploymentMark = { guid: 'deployment-1', appRev: 1, previous: { appRev: 0, droplet: 'droplet-0' } };
const newer = (one: CfApp): CfApp => ({ ...one, metadata: { ...one.metadata, resourceVersion: '2' } });

interface Given {
  readonly cached: CfApp;
  /** What the API server has. */
  readonly stored?: CfApp;
  readonly now?: number;
  readonly record?: CfDeployment;
}

/** How the deployment is said to stand, and what the server was asked for. */
async function observed({ cached, stored, now = noon, record = deployment() }: Given) {
  const asked: string[] = [];
  const client = {
    resource: ({ kind }: { kind: string }) => ({
      get: async ({ name }: { name: string }) => {
        asked.push(kind);
        if (!stored || kind !== 'CFApp') throw notFound(name);
        return stored;
      },
    }),
  } as unknown as Client;
  const caches = {
    apps: { get: () => cached },
    processes: { by: () => [process()] },
    workloads: { by: () => [] },
    deployments: { by: () => [] },
  } as unknown as CfDeploymentSources['caches'];
  const glance = { object: record, now, outcomes: {}, signal: new AbortController().signal };
  const seal = () => expect.unreachable();
  const view = await cfDeploymentView(glance, { caches, client, seal, settings: defaultSettings });
  const [written] = decideCfDeployment(view).actions;
  const { value, reason, conditions } = (
    written?.do === 'status' ? written.status : {}
  ) as Required<CfDeployment>['status'];
  return { asked, stands: [value, reason], because: conditions?.[0]?.reason };
}

describe('a deployment that the app does not name, as the cache shows it', () => {
  it('goes on when the server has the app with its name, however long ago the clock says it was made', async () => {
    const found = await observed({ cached: app(), stored: newer(app({ rev: 1, mark })), now: noon + hour });
    expect(found).toMatchObject({ stands: ['ACTIVE', 'DEPLOYING'], asked: ['CFApp'] });
  });

  it('was never begun when the server says the same', async () => {
    const found = await observed({ cached: app(), stored: app(), now: noon + hour });
    expect(found.stands).toEqual(['FINALIZED', 'CANCELED']);
  });

  it('is not ended for the sake of an app that the server does not have any more', async () => {
    const found = await observed({ cached: app(), now: noon + hour });
    expect(found).toMatchObject({ stands: [undefined, undefined], because: 'AppNotFound' });
  });

  it('is waited for in its first minute, and the server not asked', async () => {
    expect(await observed({ cached: app() })).toMatchObject({ stands: ['ACTIVE', 'DEPLOYING'], asked: [] });
  });

  it('gives the environment back that a cancel returns to, when only the server shows that it was canceled', async () => {
    const canceled = newer(app({ rev: 0, mark: { ...mark, canceled: true } }));
    const stored = { ...canceled, spec: { ...canceled.spec, envSecretName: 'env' } };
    const { asked } = await observed({ cached: app(), stored, now: noon + hour });
    expect(asked).toEqual(['CFApp', 'Secret', 'Secret', 'Secret']);
  });
});

describe('a deployment that the app names', () => {
  it('costs no question while it goes on', async () => {
    const found = await observed({ cached: app({ rev: 1, mark }), now: noon + hour });
    expect(found).toMatchObject({ stands: ['ACTIVE', 'DEPLOYING'], asked: [] });
  });

  it('costs none when it has ended', async () => {
    const record = deployment({}, { value: 'FINALIZED', reason: 'SUPERSEDED', appRev: '1' });
    expect((await observed({ cached: app({ rev: 2 }), now: noon + hour, record })).asked).toEqual([]);
  });
});
