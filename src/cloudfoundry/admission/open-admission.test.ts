import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { install } from '../../cli/install.ts';
import { realRandom } from '../../clock/random.ts';
import { realClock } from '../../clock/real.ts';
import { Caches } from '../../control/caches.ts';
import { silent } from '../../control/log.ts';
import { createMetrics } from '../../control/metrics.ts';
import { type AdmissionServer, serveAdmission } from '../../control/webhooks/admission.ts';
import { createEmbedded, type Embedded } from '../../embedded/embedded.ts';
import { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import { stop } from '../api/change/stop.ts';
import { definitions } from '../family.ts';
import { finalizers, labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';
import { defaultSettings } from '../settings.ts';
import { openAdmission } from './open-admission.ts';

const namespace = 'default';

describe('the webhooks, asked by an API server', () => {
  let cluster: Embedded;
  let server: AdmissionServer;
  let client: Client;
  let apps: Resource<CfApp>;
  const done = new AbortController();

  beforeAll(async () => {
    cluster = await createEmbedded({ clock: realClock, random: realRandom });
    client = new Client(cluster.transport());
    apps = client.resource<CfApp>(cfApp.type);
    await install(client, definitions(), AbortSignal.timeout(20_000));
    const admission = openAdmission(defaultSettings, realClock);
    const metrics = createMetrics({ process: false });
    const caches = new Caches({ client, clock: realClock, random: realRandom, log: silent, metrics });
    admission.onCaches(caches);
    caches.start(done.signal);
    const certificate = await selfSigned();
    server = await serveAdmission({ host: '127.0.0.1', port: 0, certificate, hooks: admission.hooks, log: silent });
    for (const type of ['Mutating', 'Validating'] as const) {
      const path = type === 'Mutating' ? '/cloudfoundry/mutate' : '/cloudfoundry/validate';
      const caBundle = Buffer.from(certificate.cert).toString('base64');
      const webhook: AnyObject = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${type}WebhookConfiguration`,
        metadata: { name: 'cutover-cloudfoundry' },
        webhooks: [
          {
            name: 'cloudfoundry.cutover.dev',
            clientConfig: { url: `https://127.0.0.1:${server.port}${path}`, caBundle },
            rules: [
              { apiGroups: [cfApp.type.group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] },
            ],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      };
      const configurations = {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        kind: webhook.kind,
        plural: `${type.toLowerCase()}webhookconfigurations`,
        namespaced: false,
      };
      await client.resource(configurations).create(webhook);
    }
  });

  afterAll(async () => {
    done.abort();
    await server.close();
    await cluster.close();
  });

  async function create(name: string, spec: Partial<CfApp['spec']> = {}): Promise<CfApp> {
    const whole = { displayName: name, desiredState: 'STARTED', lifecycle: { type: 'docker' }, ...spec } as const;
    return await apps.create({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: { name, namespace },
      spec: whole,
    });
  }

  const write = (name: string, spec: Partial<CfApp['spec']>): Promise<CfApp> =>
    apps.patch({ namespace, name }, { type: 'merge', body: { spec } });

  it('complete an app in the write that makes it', async () => {
    const { metadata } = await create('whole');
    expect(metadata.finalizers).toEqual([finalizers.app]);
    expect(metadata.labels).toMatchObject({ [labels.guid]: 'whole', [labels.spaceGuid]: namespace });
    expect(metadata.labels?.[labels.createdAt]).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/);
    expect(revisionsOf({ metadata })).toEqual({ appRev: 0, lastStopAppRev: 0, highest: 0 });
  });

  it('see every stop, also one that is over before anybody looks', async () => {
    await create('flip');
    await write('flip', { desiredState: 'STOPPED' });
    const started = await write('flip', { desiredState: 'STARTED' });
    expect(revisionsOf(started)).toEqual({ appRev: 1, lastStopAppRev: 1, highest: 1 });
  });

  it('bump once however many stop at once, through the API or past it', async () => {
    await create('race');
    const byApi = async (): Promise<unknown> => {
      for (;;) {
        const app = await apps.get({ namespace, name: 'race' });
        const change = stop(app);
        if (!change) return;
        const { resourceVersion } = app.metadata;
        const body = { ...change, metadata: { ...(change.metadata as object), resourceVersion } };
        const written = await apps
          .patch({ namespace, name: 'race' }, { type: 'merge', body })
          .catch((error: unknown) => (isKubeError(error, 'conflict') ? undefined : Promise.reject(error)));
        if (written) return;
      }
    };
    const byKubectl = (): Promise<CfApp> => write('race', { desiredState: 'STOPPED' });
    await Promise.all([byApi(), byKubectl(), byApi(), byKubectl(), byApi()]);
    expect(revisionsOf(await apps.get({ namespace, name: 'race' }))).toEqual({
      appRev: 1,
      lastStopAppRev: 1,
      highest: 1,
    });
  });

  it('refuse a name that is taken once it has been seen, and the change of what never changes', async () => {
    await create('first', { displayName: 'Shop' });
    // A name is known to be taken when the watch has shown it.
    let refusal: unknown;
    for (let attempt = 0; attempt < 200 && !refusal; attempt++) {
      const made = await create(`second-${attempt}`, { displayName: 'shop' }).catch((error: unknown) => error);
      if (made instanceof Error) refusal = made.message;
    }
    expect(refusal).toContain("denied the request: App with the name 'shop' already exists.");
    await expect(write('first', { lifecycle: { type: 'buildpack' } })).rejects.toMatchObject({
      message: expect.stringContaining('spec.lifecycle.type: it is "docker" and cannot become "buildpack"'),
    });
  });

  it('let go what is being deleted', async () => {
    await create('gone');
    await apps.delete({ namespace, name: 'gone' });
    const body = { metadata: { finalizers: null } };
    await apps.patch({ namespace, name: 'gone' }, { type: 'merge', body });
    const left: readonly KubeObject[] = (await apps.list({ namespace })).items;
    expect(left.map(({ metadata }) => metadata.name)).not.toContain('gone');
  });
});
