import type { InstanceSpec } from '../../resources/instance.ts';
import type { Accepted } from './view.ts';

type Reference = NonNullable<InstanceSpec['operatorVersion']>;

/** The part of a reference that counts: which object it is. */
export function referenceOf(reference: Reference | undefined): Accepted['operatorVersion'] {
  const { name = '', namespace } = reference ?? {};
  return namespace ? { namespace, name } : { name };
}

/**
 * Whether two references lead to the same OperatorVersion, seen from an Instance in `namespace`. Unlike in KUDO, where any
 * other field makes an upgrade, `kind` and the like do not count, and a namespace may be spelled out.
 */
export function isSameVersion(one: Reference | undefined, other: Reference | undefined, namespace: string): boolean {
  const [a, b] = [referenceOf(one), referenceOf(other)];
  return a.name === b.name && (a.namespace ?? namespace) === (b.namespace ?? namespace);
}

/** A reference as Go prints the struct, all fields in their order: KUDO's messages have it so. */
export function printed(reference: Reference | undefined): string {
  const {
    kind = '',
    namespace = '',
    name = '',
    uid = '',
    apiVersion = '',
    resourceVersion = '',
    fieldPath = '',
  } = reference ?? {};
  return `{${[kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath].join(' ')}}`;
}
