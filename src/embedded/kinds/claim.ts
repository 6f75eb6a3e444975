import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { Fields } from '../schema/json.ts';
import type { FieldError } from '../status-error.ts';
import { same } from './checks.ts';

import { fields, fill, fillEmpty, inside, keep } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { PersistentVolumeClaim } from './objects/storage.ts';
import { amountOf, canonicalResources } from './quantity.ts';
import { dns1123Subdomain } from './syntax.ts';

const asClaim = (object: AnyObject): PersistentVolumeClaim => object as unknown as PersistentVolumeClaim;
const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Fills in a claim, or the template of one in a StatefulSet. */
export function defaultClaim(claim: Fields): void {
  const spec = inside(claim, 'spec');
  fill(spec, { volumeMode: 'Filesystem' });
  const resources = spec && inside(spec, 'resources');
  canonicalResources(resources?.requests);
  canonicalResources(resources?.limits);
  fillEmpty(inside(claim, 'status'), { phase: 'Pending' });
}

/** Claims for storage. A claim without a class takes the default StorageClass, if there is one. */
export const claimStrategy: Strategy = {
  defaults: defaultClaim,
  prepareForCreate(draft, context) {
    draft.status = { phase: 'Pending' };
    const spec = fields(draft.spec);
    const chosen = context
      .all('storage.k8s.io', 'storageclasses')
      .find((one) => one.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true');
    if (spec && chosen) fill(spec, { storageClassName: chosen.metadata.name });
    const finalizers: readonly string[] = draft.metadata.finalizers ?? [];
    draft.metadata.finalizers = [...new Set([...finalizers, 'kubernetes.io/pvc-protection'])];
  },
  prepareForUpdate(draft, before) {
    keep(draft, before, 'status');
  },
  validate(object, before) {
    const { spec } = asClaim(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...validateClaimSpec('spec', spec),
      ...(before ? validateUpdate(asClaim(object), asClaim(before)) : []),
    ];
  },
};

/** What is wrong with what is claimed, in a claim or in the template of one. */
export function validateClaimSpec(field: string, spec: PersistentVolumeClaim['spec']): readonly FieldError[] {
  const wrong: FieldError[] = [];
  const asked = spec.accessModes ?? [];
  if (asked.length === 0) wrong.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  for (const mode of asked) {
    if (!modes.includes(mode)) wrong.push(unsupportedValue(`${field}.accessModes`, mode, modes));
  }
  if (asked.includes('ReadWriteOncePod') && asked.length > 1) {
    const detail = 'may not use ReadWriteOncePod with other access modes';
    wrong.push(forbiddenValue(`${field}.accessModes`, detail));
  }
  const requests = spec.resources?.requests ?? {};
  const size = requests.storage === undefined ? undefined : amountOf(requests.storage);
  if (!Object.hasOwn(requests, 'storage')) wrong.push(requiredValue(`${field}.resources[storage]`));
  else if (size === undefined || size <= 0) {
    wrong.push(invalidValue(`${field}.resources[storage]`, requests.storage, 'must be greater than zero'));
  }
  const kinds = ['Block', 'Filesystem'];
  if (spec.volumeMode !== undefined && !kinds.includes(spec.volumeMode)) {
    wrong.push(unsupportedValue(`${field}.volumeMode`, spec.volumeMode, kinds));
  }
  return wrong;
}

/** Only the size may grow, and only of a claim that is bound; the volume's name is set once. */
function validateUpdate(after: PersistentVolumeClaim, before: PersistentVolumeClaim): readonly FieldError[] {
  const frozen = ({ spec }: PersistentVolumeClaim): object => ({
    ...spec,
    resources: undefined,
    volumeName: before.spec.volumeName === undefined ? undefined : spec.volumeName,
  });
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  const resized = !same(after.spec.resources, before.spec.resources);
  const bound = before.status?.phase === 'Bound';
  return same(frozen(after), frozen(before)) && (!resized || bound) ? [] : [forbiddenValue('spec', detail)];
}
