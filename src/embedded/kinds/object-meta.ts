import type { AnyObject, ObjectMeta, OwnerReference } from '../../kube/object.ts';
import { forbiddenValue, invalidValue, requiredValue, tooLong } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { immutable, invalidFor } from './checks.ts';
import { validateLabels } from './label-selector.ts';
import { labelKey, type Syntax } from './syntax.ts';

/** All keys and values of an object's annotations together may not be longer than this. */
const annotationLimit = 256 * 1024;

/**
 * What is wrong with an object's metadata: its name on create (by `syntax`), identity and finalizers on update, labels,
 * annotations and owners on both.
 */
export function validateMeta(object: AnyObject, before: AnyObject | undefined, syntax: Syntax): readonly FieldError[] {
  const meta = object.metadata;
  return [
    ...(before ? validateIdentity(meta, before.metadata) : validateName(meta, syntax)),
    ...validateLabels('metadata.labels', meta.labels),
    ...validateAnnotations('metadata.annotations', meta.annotations),
    ...validateOwners(meta.ownerReferences ?? []),
    ...validateFinalizers(meta.finalizers ?? []),
  ];
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** The same for a built-in kind, whose finalizers must also say whose they are. */
export function validateBuiltIn(
  object: AnyObject,
  before: AnyObject | undefined,
  syntax: Syntax,
): readonly FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  const bare = (object.metadata.finalizers ?? []).flatMap((one, index) =>
    one.includes('/') || standardFinalizers.includes(one)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, one, detail)],
  );
  return [...validateMeta(object, before, syntax), ...bare];
}

function validateName(meta: ObjectMeta, syntax: Syntax): readonly FieldError[] {
  const { name = '', generateName = '' } = meta;
  const prefix = generateName.replace(/.-$/, 'a');
  return [
    ...(generateName ? invalidFor('metadata.generateName', generateName, syntax(prefix)) : []),
    ...(name
      ? invalidFor('metadata.name', name, syntax(name))
      : [requiredValue('metadata.name', 'name or generateName is required')]),
  ];
}

function validateIdentity(meta: ObjectMeta, before: ObjectMeta): readonly FieldError[] {
  const added = (meta.finalizers ?? []).filter((one) => !(before.finalizers ?? []).includes(one));
  const quoted = added.toSorted().map((one) => JSON.stringify(one));
  return [
    ...(before.deletionTimestamp && added.length > 0
      ? [
          forbiddenValue(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers []string{${quoted.join(', ')}}`,
          ),
        ]
      : []),
    ...immutable('metadata.name', meta.name, before.name),
    ...immutable('metadata.namespace', meta.namespace, before.namespace),
    ...immutable('metadata.uid', meta.uid, before.uid),
  ];
}

export function validateAnnotations(
  field: string,
  annotations: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const wrong = entries.flatMap(([key]) => invalidFor(field, key, labelKey(key.toLowerCase())));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(`${value}`), 0);
  return size > annotationLimit ? [...wrong, tooLong(field, annotationLimit)] : wrong;
}

function validateOwners(owners: readonly OwnerReference[]): readonly FieldError[] {
  const field = 'metadata.ownerReferences';
  const wrong: FieldError[] = [];
  for (const [index, owner] of owners.entries()) {
    for (const part of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner[part]) wrong.push(requiredValue(`${field}[${index}].${part}`, 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      wrong.push(invalidValue(`${field}[${index}]`, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
  }
  const [first, ...others] = owners.filter((owner) => owner.controller === true);
  for (const other of others) {
    const both = `${first?.kind}/${first?.name} and ${other.kind}/${other.name}`;
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${both}`;
    wrong.push({
      reason: 'FieldValueInvalid',
      field,
      message: `Invalid value: ${JSON.stringify(owners.map(inOrder))}: ${detail}`,
    });
  }
  return wrong;
}

/** An owner as Kubernetes prints it. */
const inOrder = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): object => ({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion,
});

function validateFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const field = 'metadata.finalizers';
  const wrong = finalizers.flatMap((one) => invalidFor(field, one, labelKey(one)));
  return finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')
    ? [...wrong, invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
    : wrong;
}
