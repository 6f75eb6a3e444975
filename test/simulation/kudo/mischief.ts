import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type Instance, instance } from '../../../src/kudo/resources/instance.ts';
import { type Acts, commonMischief } from '../acts.ts';
import type { Mischief } from '../subject.ts';
import { isTaken, name, namespace } from './person.ts';

/** What is done to Instances and to what they made, besides the workloads. */
export const mischief = {
  ...commonMischief,
  /** A change that no workload makes, and that restarts nothing. */
  'set a parameter': { end: 'as if later' },
  'delete a ConfigMap': { end: 'as if nothing' },
  'edit a ConfigMap': { end: 'as if nothing' },
  'scale the StatefulSet': { end: 'as if nothing' },
  'kill a pod': { end: 'as if nothing' },
  'drain the node': { end: 'as if nothing' },
  'delete the Instance': { end: 'as if later', final: true },
  'delete the namespace': { end: 'as if later', final: true },
} as const satisfies Readonly<Record<string, Mischief>>;

const isNamed =
  (which: string) =>
  ({ metadata }: AnyObject): boolean =>
    metadata.name === which && metadata.namespace === namespace;
const isPlanRunning = (acts: Acts): boolean =>
  acts.present(instance.type, (one) => (one as unknown as Instance).status?.execution !== undefined).length > 0;
const isNode = ({ metadata }: AnyObject): boolean => metadata.labels?.app === `${name}-node`;

export async function meddle(which: string, acts: Acts): Promise<void> {
  const config = acts.present(kinds.configMaps, isNamed(`${name}-config`));
  switch (which as keyof typeof mischief) {
    case 'set a parameter':
      return await acts.once(
        () => acts.present(instance.type, (one) => !isTaken(one as unknown as Instance)).length === 0,
        () => acts.patchAll([instance.type], { spec: { parameters: { NOTE: 'by the way' } } }),
      );
    case 'delete a ConfigMap':
      // While a plan runs nothing is repaired: pods of a later step would wait for it until somebody helps.
      return isPlanRunning(acts) ? undefined : await acts.remove(kinds.configMaps, config);
    case 'edit a ConfigMap':
      for (const one of config) await acts.patch(kinds.configMaps, one, { data: { 'app.conf': 'by hand' } });
      return;
    case 'scale the StatefulSet':
      return await acts.patchAll([kinds.statefulSets], { spec: { replicas: 1 } });
    case 'kill a pod':
      return await acts.remove(kinds.pods, acts.present(kinds.pods, isNode).slice(0, 1));
    case 'drain the node':
      // A Job that may not fail once rightly fails with its pod.
      return await acts.drain(({ metadata }) => !metadata.ownerReferences?.some((owner) => owner.kind === 'Job'));
    case 'delete the Instance':
      return await acts.remove(
        instance.type,
        acts.present(instance.type, () => true),
      );
    case 'delete the namespace':
      return await acts.remove(
        kinds.namespaces,
        acts.present(kinds.namespaces, ({ metadata }) => metadata.name === namespace),
      );
    case 'label it':
    case 'pause it for a while':
      await acts.common(which, [instance.type]);
  }
}
