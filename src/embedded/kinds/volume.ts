import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { requiredValue } from '../schema/field-error.ts';
import { fields, fill, fillEmpty, inside, keep } from './draft.ts';
import { validateMeta } from './object-meta.ts';
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
      ...validateMeta(object, before, dns1123Subdomain),
      ...((spec.accessModes ?? []).length === 0 ? [requiredValue('spec.accessModes')] : []),
      ...(Object.keys(spec.capacity ?? {}).length === 0 ? [requiredValue('spec.capacity')] : []),
      ...validateResources('spec.capacity', spec.capacity),
    ];
  },
};

const timestamp = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
