import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { forbiddenValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { same } from './checks.ts';
import type { Fields } from './draft.ts';
import { fields, fill, fillEmpty, inside, keep } from './draft.ts';
import { validateMeta } from './object-meta.ts';
import type { PersistentVolumeClaim } from './objects/storage.ts';
import { canonicalResources, validateResources } from './quantity.ts';
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
      ...validateMeta(object, before, dns1123Subdomain),
      ...validateClaimSpec(spec),
      ...(before ? validateUpdate(asClaim(object), asClaim(before)) : []),
    ];
  },
};

function validateClaimSpec(spec: PersistentVolumeClaim['spec']): readonly FieldError[] {
  const wrong: FieldError[] = [];
  const asked = spec.accessModes ?? [];
  if (asked.length === 0) wrong.push(requiredValue('spec.accessModes', 'at least 1 access mode is required'));
  for (const mode of asked) {
    if (!modes.includes(mode)) wrong.push(unsupportedValue('spec.accessModes', mode, modes));
  }
  if (asked.includes('ReadWriteOncePod') && asked.length > 1) {
    const detail = 'may not use ReadWriteOncePod with other access modes';
    wrong.push(forbiddenValue('spec.accessModes', detail));
  }
  const requests = spec.resources?.requests ?? {};
  if (!Object.hasOwn(requests, 'storage')) wrong.push(requiredValue('spec.resources[storage]'));
  wrong.push(...validateResources('spec.resources.requests', requests));
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
