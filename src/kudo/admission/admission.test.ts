import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificate.ts';
import { install } from '../../cli/install.ts';
import { realRandom } from '../../clock/random.ts';
import { realClock } from '../../clock/real.ts';
import { silent } from '../../control/log.ts';
import { type AdmissionServer, serveAdmission } from '../../control/webhooks/admission.ts';
import { createEmbedded, type Embedded } from '../../embedded/embedded.ts';
import { Client } from '../../kube/client.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import { definitions } from '../family.ts';
import { type Instance, instance } from '../resources/instance.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';
import { kudoHooks } from './kudo-hooks.ts';

const namespace = 'default';
const configurations = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

describe('the webhook for Instances, asked by an API server', () => {
  let cluster: Embedded;
  let server: AdmissionServer;
  let instances: Resource<Instance>;
  const warnings: string[] = [];

  beforeAll(async () => {
    cluster = await createEmbedded({ clock: realClock, random: realRandom });
    const client = new Client(cluster.transport(), { onWarning: (text) => warnings.push(text) });
    instances = client.resource<Instance>(instance.type);
    await install(client, definitions(), AbortSignal.timeout(20_000));
    const certificate = await selfSigned();
    const hooks = kudoHooks({ client, caches: () => undefined });
    server = await serveAdmission({ host: '127.0.0.1', port: 0, certificate, hooks, log: silent });
    const webhook: AnyObject = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: configurations.kind,
      metadata: { name: 'cutover-kudo' },
      webhooks: [
        {
          name: 'instance-admission.kudo.dev',
          clientConfig: {
            url: `https://127.0.0.1:${server.port}/admit-kudo-dev-v1beta1-instance`,
            caBundle: Buffer.from(certificate.cert).toString('base64'),
          },
          rules: [
            { apiGroups: ['kudo.dev'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['instances'] },
          ],
          failurePolicy: 'Ignore',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    await client.resource(configurations).create(webhook);
    await client.resource<OperatorVersion>(operatorVersion.type).create({
      apiVersion: operatorVersion.apiVersion,
      kind: 'OperatorVersion',
      metadata: { name: 'db-1', namespace },
      spec: { plans: { deploy: {} }, parameters: [{ name: 'MODE' }, { name: 'FIXED', immutable: true, default: 'f' }] },
    });
  });

  afterAll(async () => {
    await server.close();
    await cluster.close();
  });

  const create = (name: string, parameters: Record<string, string>): Promise<Instance> =>
    instances.create({
      apiVersion: instance.apiVersion,
      kind: 'Instance',
      metadata: { name, namespace },
      spec: { operatorVersion: { name: 'db-1' }, parameters },
    });

  const accept = (name: string): Promise<Instance> =>
    instances.status.patch(
      { namespace, name },
      {
        type: 'merge',
        body: { status: { accepted: { operatorVersion: { name: 'db-1' }, parameters: { FIXED: 'f' } } } },
      },
    );

  const write = (name: string, spec: object): Promise<Instance> =>
    instances.patch({ namespace, name }, { type: 'merge', body: { spec } });

  it('lets an Instance in right after its version, and tells what will run', async () => {
    await create('db', {});
    expect(warnings.splice(0)).toEqual(['plan deploy will run']);
    await accept('db');
    await write('db', { parameters: { MODE: 'a' } });
    expect(warnings.splice(0)).toEqual(['plan deploy will run; pods restart because MODE changed']);
  });

  it("refuses in KUDO's words, and leaves the Instance as it was", async () => {
    await create('fixed', {});
    await accept('fixed');
    await expect(write('fixed', { parameters: { FIXED: 'g' } })).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringContaining(
        'admission webhook "instance-admission.kudo.dev" denied the request: failed to check immutable parameters for ' +
          "Instance default/fixed: parameter 'FIXED' is immutable but was changed from 'f' to 'g'",
      ),
    });
    expect((await instances.get({ namespace, name: 'fixed' })).spec.parameters).toEqual({});
  });

  it('refuses an Instance without its version', async () => {
    const spec = { operatorVersion: { name: 'gone' } };
    const metadata = { name: 'early', namespace };
    await expect(
      instances.create({ apiVersion: instance.apiVersion, kind: 'Instance', metadata, spec }),
    ).rejects.toMatchObject({ message: expect.stringContaining('operatorversions.kudo.dev "gone" not found') });
  });

  it('lets go what is being deleted', async () => {
    await create('going', {});
    await instances.patch({ namespace, name: 'going' }, { type: 'merge', body: { metadata: { finalizers: ['a/b'] } } });
    await accept('going');
    await instances.delete({ namespace, name: 'going' });
    await expect(write('going', { parameters: { MODE: 'a' } })).rejects.toMatchObject({
      message: expect.stringContaining(
        'parameter update and/or upgrade is not allowed when an instance is being deleted',
      ),
    });
    await instances.patch({ namespace, name: 'going' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    const { items } = await instances.list({ namespace });
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('going');
  });
});
