import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { FlinkStage } from './stage.ts';

/** The lease of a Java operator that is alive, in a namespace that is made for it. Returns the way to end that operator. */
export async function renewLease(stage: FlinkStage, namespace: string): Promise<() => void> {
  const metadata = { name: 'flink-operator-lease', namespace };
  const { person, clock } = stage;
  const create = (type: ResourceType, object: KubeObject) => person.resource<KubeObject>(type).create(object);
  await create(kinds.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const spec = () => ({
    holderIdentity: 'java',
    leaseDurationSeconds: 15,
    renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
  });
  await create(kinds.leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, ...{ spec: spec() } });
  let ended = false;
  const renew = (): void => {
    if (ended) return;
    const patched = person.resource(kinds.leases).patch(metadata, { type: 'merge', body: { spec: spec() } });
    void patched.then(() => clock.after(5_000, renew));
  };
  clock.after(5_000, renew);
  return () => {
    ended = true;
  };
}
