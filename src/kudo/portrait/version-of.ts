import { isObject } from '../../change/equal.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Surroundings } from '../../portrait/family.ts';
import { referenceOf } from '../decide/admit/reference.ts';
import { isWellFormed } from '../graph/well-formed.ts';
import type { InstanceSpec } from '../resources/instance.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';
import type { Read } from './instance-in.ts';

/** `odd`: there is one, but of a shape that no plan could run with. */
export type FoundVersion = OperatorVersion | 'absent' | 'unknown' | 'odd';

/** The OperatorVersion that a reference of an Instance leads to. */
export function versionOf(
  reference: InstanceSpec['operatorVersion'],
  { metadata }: Read,
  around: Surroundings,
): FoundVersion {
  const { name = '', namespace = metadata.namespace ?? 'default' } = referenceOf(reference);
  if (name === '') return 'absent';
  const found = around.find(operatorVersion.type, namespace, name);
  if (typeof found === 'string') return found;
  return isVersion(found) ? found : 'odd';
}

/** What plans of the Instance run with: what was accepted, or what is wanted while nothing was. */
export function presentVersion(read: Read, around: Surroundings): FoundVersion {
  return versionOf(read.status.accepted?.operatorVersion ?? read.spec.operatorVersion, read, around);
}

/** The version itself, if there is one that can be looked at. */
export function known(found: FoundVersion): OperatorVersion | undefined {
  return typeof found === 'string' ? undefined : found;
}

function isVersion(found: AnyObject): found is AnyObject & OperatorVersion {
  return isObject(found.metadata) && isObject(found.spec) && isWellFormed(found as unknown as OperatorVersion);
}
