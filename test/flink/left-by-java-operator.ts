import { createHash } from 'node:crypto';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { GoldenCase } from '../golden/flink/load.ts';

/** As whom the Java operator writes a status. */
const fieldManager = 'fabric8-kubernetes-client';

const types: Readonly<Record<string, ResourceType>> = {
  ConfigMap: kinds.configMaps,
  Deployment: kinds.deployments,
  Service: kinds.services,
  Ingress: kinds.ingresses,
};

/** The job id that a recording left out; any will do, as long as objects and status agree. */
export function jobIdOf({ name }: Pick<GoldenCase, 'name'>): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** Brings a recorded case into a cluster: the resource, its objects and its status, as the Java operator leaves them. */
export async function leftByJavaOperator(client: Client, golden: GoldenCase, now: number): Promise<void> {
  const { input, sent, status } = golden;
  await surroundings(client, input);
  const finalizers = ['flinkdeployments.flink.apache.org/finalizer'];
  const deployments = client.resource(flinkDeployment.type);
  const created = await deployments.create({ ...input, metadata: { ...input.metadata, finalizers } });
  const uids = new Map([['FlinkDeployment', created.metadata.uid ?? '']]);
  const order = (object: AnyObject): number => (object.kind === 'Deployment' ? 0 : 1);
  for (const object of [...sent].sort((a, b) => order(a) - order(b))) {
    const type = types[object.kind];
    if (!type) throw new Error(`${golden.name}: ${object.kind} is not expected`);
    const made = await client.resource(type).create(owned(filled(object, golden, now), input.metadata.namespace, uids));
    if (object.metadata.name === input.metadata.name) uids.set(object.kind, made.metadata.uid ?? '');
  }
  const found = await deployments.get({ namespace: input.metadata.namespace ?? '', name: input.metadata.name ?? '' });
  await deployments.status.update({ ...found, status: filled(status, golden, now) }, { fieldManager });
}

async function surroundings(
  client: Client,
  { metadata: { namespace = '' }, spec }: GoldenCase['input'],
): Promise<void> {
  const name = String(spec.serviceAccount);
  const create = (type: ResourceType, object: KubeObject): Promise<unknown> =>
    client.resource<KubeObject>(type).create(object);
  await create(kinds.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await create(kinds.serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  await create(kinds.roleBindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace },
    ...{
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  });
}

/** What changes from run to run was left out of the recordings. */
function filled<T>(value: T, golden: GoldenCase, now: number): T {
  const masked: Readonly<Record<string, unknown>> = {
    lastTransitionTime: new Date(now).toISOString().replace(/\.\d+/, ''),
    startTime: String(now),
    updateTime: String(now),
    reconciliationTimestamp: now,
  };
  const text = JSON.stringify(value, (key, one) => (one === '<timestamp>' ? (masked[key] ?? String(now)) : one));
  return JSON.parse(text.replaceAll('<random>', jobIdOf(golden))) as T;
}

function owned(object: AnyObject, namespace = '', uids: ReadonlyMap<string, string>): AnyObject {
  const ownerReferences = object.metadata.ownerReferences?.map((owner) => ({
    ...owner,
    uid: uids.get(owner.kind) ?? owner.uid,
  }));
  return { ...object, metadata: { ...object.metadata, namespace, ...(ownerReferences && { ownerReferences }) } };
}
