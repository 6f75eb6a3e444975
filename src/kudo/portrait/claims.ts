import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Around } from '../../portrait/workload.ts';
import { groupOf } from '../graph/workload.ts';
import { group, heritage, labels } from '../keys.ts';
import { instance } from '../resources/instance.ts';
import { workloadOfPod } from './workload-of-pod.ts';

const owners = [kinds.replicaSets, kinds.deployments, kinds.statefulSets, kinds.daemonSets, kinds.jobs];

/**
 * The Instance that a pod runs for: the one that controls its workload, or, where nobody can be asked, the one that its label
 * names. Plans put that label on all pods that they make, and nobody else says `heritage: kudo`.
 */
export function claims(pod: AnyObject, around: Around): string | undefined {
  const workload = workloadOfPod(pod, ({ kind, name, uid }) => {
    const type = owners.find((one) => one.kind === kind);
    const found = type && around.list(type)?.find(({ metadata }) => metadata.name === name);
    return found?.metadata.uid === uid ? found : undefined;
  });
  const owner = (workload ?? pod).metadata.ownerReferences?.find(
    ({ kind, apiVersion, controller }) =>
      controller === true && kind === instance.type.kind && groupOf(apiVersion) === group,
  );
  if (owner) return owner.name;
  const { [labels.heritage]: by, [labels.instance]: name } = pod.metadata.labels ?? {};
  return by === heritage && name !== '' ? name : undefined;
}
