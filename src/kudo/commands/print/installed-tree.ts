import type { KubeObject } from '../../../kube/object.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { type Branch, tree } from '../../../portrait/text/tree.ts';
import type { Instance } from '../../resources/instance.ts';
import type { Operator } from '../../resources/operator.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';

export interface Installed {
  readonly operators: readonly Operator[];
  readonly operatorVersions: readonly OperatorVersion[];
  readonly instances: readonly Instance[];
}

/** Operators, below them their versions, below those their Instances. What belongs to nothing stands at the end. */
export function installedTree({ operators, operatorVersions, instances }: Installed): string {
  const versionsOf = Map.groupBy(operatorVersions, (one) => key(one, one.spec?.operator?.name));
  const instancesOf = Map.groupBy(instances, (one) => key(one, one.spec?.operatorVersion?.name));
  const shown = new Set<KubeObject>();
  const instanceBranch = (one: Instance): Branch => {
    shown.add(one);
    const { plan, status } = one.status?.latest ?? {};
    return { text: `${nameOf(one)}${plan === undefined ? '' : ` (${harmless(plan)} [${harmless(status ?? '')}])`}` };
  };
  const versionBranch = (one: OperatorVersion): Branch => {
    shown.add(one);
    return { text: nameOf(one), branches: (instancesOf.get(key(one, one.metadata.name)) ?? []).map(instanceBranch) };
  };
  const branches = operators.map((one) => ({
    text: nameOf(one),
    branches: (versionsOf.get(key(one, one.metadata.name)) ?? []).map(versionBranch),
  }));
  const lostVersions = operatorVersions
    .filter((one) => !shown.has(one))
    .map(versionBranch)
    .map((one) => ({ ...one, text: `${one.text} (its operator is missing)` }));
  const lostInstances = instances
    .filter((one) => !shown.has(one))
    .map(instanceBranch)
    .map((one) => ({ text: `${one.text} (its operatorversion is missing)` }));
  return tree('.', [...branches, ...lostVersions, ...lostInstances]);
}

function key({ metadata }: KubeObject, name: string | undefined): string {
  return `${metadata.namespace}/${name}`;
}

function nameOf({ metadata: { name = '' } }: KubeObject): string {
  return harmless(name);
}
