import { finalizers, labels } from '../../../src/cloudfoundry/keys.ts';
import { cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { cfProcess } from '../../../src/cloudfoundry/resources/cf-process.ts';
import { cfSpace } from '../../../src/cloudfoundry/resources/cf-space.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type Acts, commonMischief } from '../acts.ts';
import type { Mischief } from '../subject.ts';

/** What is done to apps and to what runs for them, besides the workloads. */
export const mischief = {
  ...commonMischief,
  'kill an instance': { end: 'as if nothing' },
  'drain the node': { end: 'as if nothing' },
  'scale the StatefulSet': { end: 'as if nothing' },
  'delete the StatefulSet': { end: 'as if nothing' },
  'delete the Service': { end: 'as if nothing' },
  /** A change that no workload makes, and that holds from the next revision on. */
  'edit the memory': { end: 'as if later' },
  /** Where nobody makes a route: it stays when the app goes, if it was made by then. */
  'delete the app': {
    end: 'as if later',
    final: true,
    workloads: ['rolling deployment', 'canary', 'restart with a stop', 'task'],
  },
  'delete the space': { end: 'as if later', final: true },
} as const satisfies Readonly<Record<string, Mischief>>;

const isInstance = ({ metadata }: AnyObject): boolean => metadata.labels?.[labels.processType] === 'web';
const any = (): boolean => true;

/**
 * An app is deleted when there is one, and it has been looked at, as each has from the start that comes through the API or by a
 * webhook: what names an app of which nobody knew may as well wait until it is made, and rightly stays.
 */
export function canMeddle(which: string, acts: Acts): boolean {
  const isKnown = ({ metadata }: AnyObject): boolean => metadata.finalizers?.includes(finalizers.app) ?? false;
  switch (which as keyof typeof mischief) {
    case 'delete the app':
      return acts.present(cfApp.type, isKnown).length > 0;
    case 'edit the memory':
      return acts.present(cfProcess.type, any).length > 0;
    default:
      return true;
  }
}

/** An end, as text, without what tells when the memory was edited: revisions from then on have it, the process in any case. */
export function withoutEdits(end: string): string {
  const objects = JSON.parse(end) as readonly { readonly kind: string }[];
  const plain = (one: object): string =>
    JSON.stringify(one, (key, value) => (key === 'resources' ? undefined : value)).replaceAll('2048M', '1024M');
  return objects.map((one) => (one.kind === cfProcess.type.kind ? JSON.stringify(one) : plain(one))).join('\n');
}

export async function meddle(which: string, acts: Acts): Promise<void> {
  switch (which as keyof typeof mischief) {
    case 'kill an instance':
      return await acts.remove(kinds.pods, acts.present(kinds.pods, isInstance).slice(0, 1));
    case 'drain the node':
      return await acts.drain(isInstance);
    case 'scale the StatefulSet':
      return await acts.patchAll([kinds.statefulSets], { spec: { replicas: 5 } });
    case 'delete the StatefulSet':
      return await acts.remove(kinds.statefulSets, acts.present(kinds.statefulSets, any));
    case 'delete the Service':
      return await acts.remove(
        kinds.services,
        acts.present(kinds.services, ({ metadata }) => metadata.namespace === 'space-1'),
      );
    case 'edit the memory':
      return await acts.patchAll([cfProcess.type], { spec: { memoryMB: 2048 } });
    case 'delete the app':
      return await acts.remove(cfApp.type, acts.present(cfApp.type, any));
    case 'delete the space':
      return await acts.remove(cfSpace.type, acts.present(cfSpace.type, any));
    case 'label it':
    case 'pause it for a while':
      await acts.common(which, [cfApp.type, cfProcess.type]);
  }
}
