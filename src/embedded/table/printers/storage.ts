import type { AnyObject } from '../../../kube/object.ts';
import type { Printer } from '../../resource.ts';
import { age } from '../age.ts';
import { printer } from '../columns.ts';
import { at, list, text } from '../fields.ts';

const name = (object: AnyObject): string => object.metadata.name ?? '';
const created = (object: AnyObject, now: number): string => age(object.metadata.creationTimestamp, now);

const short: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(object: AnyObject, path: string): string {
  const modes = list(object, path);
  return Object.entries(short)
    .filter(([mode]) => modes.includes(mode))
    .map(([, letters]) => letters)
    .join(',');
}

const phase = (object: AnyObject): string =>
  object.metadata.deletionTimestamp ? 'Terminating' : text(object, 'status.phase');

const className = (object: AnyObject): string =>
  object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? text(object, 'spec.storageClassName');

const volume = printer(
  'Name | Capacity | Access Modes | Reclaim Policy | Status | Claim | StorageClass | VolumeAttributesClass | Reason | Age | VolumeMode+',
  (object, now) => {
    const claim = at(object, 'spec.claimRef');
    return [
      name(object),
      String(at(object, 'spec.capacity.storage') ?? '0'),
      accessModes(object, 'spec.accessModes'),
      text(object, 'spec.persistentVolumeReclaimPolicy'),
      phase(object),
      claim ? `${text(claim, 'namespace')}/${text(claim, 'name')}` : '',
      className(object),
      text(object, 'spec.volumeAttributesClassName') || '<unset>',
      text(object, 'status.reason'),
      created(object, now),
      text(object, 'spec.volumeMode') || '<unset>',
    ];
  },
);

const claim = printer(
  'Name | Status | Volume | Capacity | Access Modes | StorageClass | VolumeAttributesClass | Age | VolumeMode+',
  (object, now) => {
    const bound = text(object, 'spec.volumeName');
    return [
      name(object),
      phase(object),
      bound,
      bound ? String(at(object, 'status.capacity.storage') ?? '0') : '',
      bound ? accessModes(object, 'status.accessModes') : '',
      className(object),
      text(object, 'spec.volumeAttributesClassName') || '<unset>',
      created(object, now),
      text(object, 'spec.volumeMode') || '<unset>',
    ];
  },
);

const storageClass = printer(
  'Name | Provisioner | ReclaimPolicy | VolumeBindingMode | AllowVolumeExpansion | Age',
  (object, now) => {
    const isDefault = object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
    return [
      isDefault ? `${name(object)} (default)` : name(object),
      text(object, 'provisioner'),
      text(object, 'reclaimPolicy') || 'Delete',
      text(object, 'volumeBindingMode') || 'Immediate',
      at(object, 'allowVolumeExpansion') === true,
      created(object, now),
    ];
  },
);

export const storagePrinters: Readonly<Record<string, Printer>> = {
  '/PersistentVolume': volume,
  '/PersistentVolumeClaim': claim,
  'storage.k8s.io/StorageClass': storageClass,
};
