import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../test/certificate.ts';
import { install } from '../cli/install.ts';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import { silent } from '../control/log.ts';
import { type AdmissionServer, serveAdmission } from '../control/webhooks/admission.ts';
import { createEmbedded, type Embedded } from '../embedded/embedded.ts';
import { Client } from '../kube/client.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { Resource } from '../kube/resource.ts';
import type { Surroundings } from '../portrait/family.ts';
import { definitions, flinkFamily, flinkHooks } from './family.ts';
import { flinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from './resources/flink-deployment.ts';
import { flinkSessionJob } from './resources/flink-session-job.ts';
import { flinkStateSnapshot } from './resources/flink-state-snapshot.ts';
import { blueGreen, deployment, edited, operator, session, sessionJob, snapshot } from './validate/example.fixture.ts';

const family = flinkFamily(() => operator);
const known: Surroundings = {
  find: (_type, _namespace, name) => {
    if (name === 'pool') return { ...session };
    return name === 'orders' ? { ...deployment } : 'absent';
  },
};

describe('the Flink family', () => {
  it('brings a definition for each of its kinds', () => {
    expect(family.kinds.map(({ definition }) => definition.metadata.name)).toEqual([
      'flinkdeployments.flink.apache.org',
      'flinksessionjobs.flink.apache.org',
      'flinkstatesnapshots.flink.apache.org',
      'flinkbluegreendeployments.flink.apache.org',
    ]);
    expect(family.kinds.map(({ type }) => type.kind)).toEqual([
      'FlinkDeployment',
      'FlinkSessionJob',
      'FlinkStateSnapshot',
      'FlinkBlueGreenDeployment',
    ]);
  });

  it('judges a session job by the cluster that it names, and a snapshot by its job', () => {
    const rulesOf = (object: KubeObject): string[] => family.validate(object, known).map(({ rule }) => rule);
    expect(rulesOf(sessionJob)).toEqual([]);
    expect(rulesOf(edited(sessionJob, { 'spec.deploymentName': 'orders' }))).toEqual(['session-is-application']);
    expect(rulesOf(snapshot)).toEqual([]);
    expect(rulesOf(edited(snapshot, { 'spec.jobReference.name': 'pool' }))).toEqual(['snapshot-of-session']);
    expect(rulesOf(edited(snapshot, { 'spec.jobReference.name': 'nobody' }))).toEqual(['snapshot-job']);
  });

  it('lists every rule with its field and what it demands', () => {
    const [command] = family.commands;
    const lines = [...(command?.run() ?? [])];
    expect(lines).toContain(
      'FlinkDeployment job-parallelism\n  spec.job.parallelism\n  The parallelism of a job is at least 1, unless the number of TaskManagers decides it.',
    );
    expect(lines).toHaveLength(new Set(lines).size);
  });
});

describe('its hooks, asked by an API server', () => {
  let cluster: Embedded;
  let server: AdmissionServer;
  let client: Client;

  beforeAll(async () => {
    cluster = await createEmbedded({ clock: realClock, random: realRandom });
    client = new Client(cluster.transport());
    await install(client, definitions(), AbortSignal.timeout(20_000));
    const certificate = await selfSigned();
    const hooks = flinkHooks(family, known);
    server = await serveAdmission({ host: '127.0.0.1', port: 0, certificate, hooks, log: silent });
    const webhook = (type: string, path: string, plurals: readonly string[]): AnyObject => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${type}WebhookConfiguration`,
      metadata: { name: 'cutover-flink' },
      webhooks: [
        {
          name: 'flink.cutover.dev',
          clientConfig: {
            url: `https://127.0.0.1:${server.port}${path}`,
            caBundle: Buffer.from(certificate.cert).toString('base64'),
          },
          rules: [
            {
              apiGroups: ['flink.apache.org'],
              apiVersions: ['v1beta1'],
              operations: ['CREATE', 'UPDATE'],
              resources: plurals,
            },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const configurations = (type: string) =>
      client.resource({
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        kind: `${type}WebhookConfiguration`,
        plural: `${type.toLowerCase()}webhookconfigurations`,
        namespaced: false,
      });
    const plurals = family.kinds.map(({ type }) => type.plural);
    await configurations('Validating').create(webhook('Validating', '/validate', plurals));
    await configurations('Mutating').create(webhook('Mutating', '/mutate', ['flinksessionjobs']));
  });

  afterAll(async () => {
    await server.close();
    await cluster.close();
  });

  const placed = <T extends KubeObject>(object: T): AnyObject =>
    edited(object, { 'metadata.namespace': 'default' }) as unknown as AnyObject;
  const deployments = (): Resource<AnyObject> => client.resource<AnyObject>(flinkDeployment.type);

  it('refuse a bad resource in the words of the rule, and take the repaired one', async () => {
    const bad = edited(deployment, { 'spec.serviceAccount': undefined });
    await expect(deployments().create(placed(bad))).rejects.toMatchObject({
      message: expect.stringContaining('denied the request: spec.serviceAccount must be defined.'),
    });
    await expect(deployments().create(placed(deployment))).resolves.toMatchObject({ kind: 'FlinkDeployment' });
    await expect(
      deployments().patch(
        { namespace: 'default', name: 'orders' },
        { type: 'merge', body: { spec: { job: { parallelism: 0 } } } },
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining('spec.job.parallelism is 0') });
  });

  it('label session jobs, and refuse those that reach inside', async () => {
    const jobs = client.resource<AnyObject>(flinkSessionJob.type);
    const { metadata } = await jobs.create(placed(sessionJob));
    expect(metadata.labels).toEqual({ 'target.session': 'pool' });
    const inside = edited(sessionJob, { 'metadata.name': 'inside', 'spec.job.jarURI': 'https://2852039166/a.jar' });
    await expect(jobs.create(placed(inside))).rejects.toMatchObject({
      message: expect.stringContaining('names the restricted host "169.254.169.254"'),
    });
  });

  it('refuse what a blue/green deployment must not be, when it is created and when it is edited', async () => {
    const resources = client.resource<AnyObject>(flinkBlueGreenDeployment.type);
    const delay = 'kubernetes.operator.bluegreen.deployment-deletion.delay';
    const bad = edited(blueGreen, { [`spec.configuration[${delay}]`]: '5' });
    await expect(resources.create(placed(bad))).rejects.toMatchObject({
      message: expect.stringContaining(
        `denied the request: ${delay} is "5" in spec.configuration, and that has no unit.`,
      ),
    });
    await expect(resources.create(placed(blueGreen))).resolves.toMatchObject({ kind: 'FlinkBlueGreenDeployment' });
    await expect(
      resources.patch(
        { namespace: 'default', name: 'orders' },
        { type: 'merge', body: { spec: { template: { spec: { job: { parallelism: 0 } } } } } },
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining('spec.template.spec.job.parallelism is 0') });
  });

  it('refuse a snapshot of nothing', async () => {
    const snapshots = client.resource<AnyObject>(flinkStateSnapshot.type);
    const lost = edited(snapshot, { 'spec.jobReference.name': 'nobody' });
    await expect(snapshots.create(placed(lost))).rejects.toMatchObject({
      message: expect.stringContaining('Target for snapshot FlinkDeployment/nobody was not found'),
    });
    await expect(snapshots.create(placed(snapshot))).resolves.toMatchObject({ kind: 'FlinkStateSnapshot' });
  });
});
