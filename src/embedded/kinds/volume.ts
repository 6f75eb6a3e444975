import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { forbiddenValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import { timestamp } from '../timestamp.ts';
import { same } from './checks.ts';
import { fields, fill, fillEmpty, inside, keep } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { PersistentVolume } from './objects/storage.ts';
import { canonicalResources, validateResources } from './quantity.ts';
import { dns1123Subdomain } from './syntax.ts';

const asVolume = (object: AnyObject): PersistentVolume => object as unknown as PersistentVolume;

export const volumeStrategy: Strategy = {
  defaults(draft) {
    const spec = inside(draft, 'spec');
    fillEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' });
    fill(spec, { volumeMode: 'Filesystem' });
    fill(fields(spec?.hostPath), { type: '' });
    canonicalResources(spec?.capacity);
    fillEmpty(inside(draft, 'status'), { phase: 'Pending' });
  },
  prepareForCreate(draft, context) {
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(context.clock.now()) };
    const finalizers: readonly string[] = draft.metadata.finalizers ?? [];
    draft.metadata.finalizers = [...new Set([...finalizers, 'kubernetes.io/pv-protection'])];
  },
  prepareForUpdate(draft, before) {
    keep(draft, before, 'status');
  },
  validate(object, before) {
    const { spec } = asVolume(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...((spec.accessModes ?? []).length === 0 ? [requiredValue('spec.accessModes')] : []),
      ...(Object.keys(spec.capacity ?? {}).length === 0 ? [requiredValue('spec.capacity')] : []),
      ...(spec.capacity?.storage === undefined
        ? [unsupportedValue('spec.capacity', spec.capacity ?? null, ['storage'])]
        : validateResources('spec.capacity', spec.capacity)),
      ...(Object.keys(sourceOf(spec)).length === 0 ? [requiredValue('spec', 'must specify a volume type')] : []),
      ...(before && !same(sourceOf(spec), sourceOf(asVolume(before).spec)) ? [sourceChanged] : []),
    ];
  },
};

const sourceChanged = forbiddenValue(
  'spec.persistentvolumesource',
  'spec.persistentvolumesource is immutable after creation',
);

/** Fields of a volume's specification that do not say where its data is. */
const plainFields = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
];

const sourceOf = (spec: PersistentVolume['spec']): object =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !plainFields.includes(name)));
