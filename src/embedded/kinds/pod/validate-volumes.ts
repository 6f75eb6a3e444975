import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { invalidFor, notFoundValue } from '../checks.ts';
import type { KeyToPath, Volume, VolumeMount } from '../objects/pod.ts';
import { dns1123Label } from '../syntax.ts';

/** What is wrong with a pod's volumes, and the names that mounts may use: those of volumes without fault. */
export function validateVolumes(
  field: string,
  volumes: readonly Volume[],
): { readonly errors: readonly FieldError[]; readonly names: ReadonlySet<string> } {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, volume] of volumes.entries()) {
    const wrong = validateVolume(`${field}[${index}]`, volume);
    if (names.has(volume.name)) wrong.push(duplicateValue(`${field}[${index}].name`, volume.name));
    if (wrong.length === 0) names.add(volume.name);
    errors.push(...wrong);
  }
  return { errors, names };
}

function validateVolume(field: string, volume: Volume): FieldError[] {
  const { name, ...sources } = volume;
  const wrong: FieldError[] = [];
  const kinds = Object.keys(sources);
  if (kinds.length === 0) wrong.push(requiredValue(field, 'must specify a volume type'));
  for (const kind of kinds.slice(1)) {
    wrong.push(forbiddenValue(`${field}.${kind}`, 'may not specify more than 1 volume type'));
  }
  if (volume.configMap) {
    if (!volume.configMap.name) wrong.push(requiredValue(`${field}.configMap.name`));
    wrong.push(...validateItems(`${field}.configMap.items`, volume.configMap.items));
  }
  if (volume.secret) {
    if (!volume.secret.secretName) wrong.push(requiredValue(`${field}.secret.secretName`));
    wrong.push(...validateItems(`${field}.secret.items`, volume.secret.items));
  }
  if (volume.persistentVolumeClaim && !volume.persistentVolumeClaim.claimName) {
    wrong.push(requiredValue(`${field}.persistentVolumeClaim.claimName`));
  }
  if (volume.hostPath && !volume.hostPath.path) wrong.push(requiredValue(`${field}.hostPath.path`));
  if (!name) wrong.push(requiredValue(`${field}.name`));
  else wrong.push(...invalidFor(`${field}.name`, name, dns1123Label(name)));
  return wrong;
}

function validateItems(field: string, items: readonly KeyToPath[] = []): FieldError[] {
  return items.flatMap((item, index) => {
    const at = `${field}[${index}]`;
    const wrong: FieldError[] = [];
    if (!item.key) wrong.push(requiredValue(`${at}.key`));
    if (!item.path) wrong.push(requiredValue(`${at}.path`));
    else wrong.push(...validateDescending(`${at}.path`, item.path));
    return wrong;
  });
}

function validateDescending(field: string, path: string): FieldError[] {
  const wrong: FieldError[] = [];
  if (path.startsWith('/')) wrong.push(invalidValue(field, path, 'must be a relative path'));
  if (path.split('/').includes('..')) wrong.push(invalidValue(field, path, "must not contain '..'"));
  return wrong;
}

export function validateMounts(
  field: string,
  mounts: readonly VolumeMount[],
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const wrong: FieldError[] = [];
    if (!mount.name) wrong.push(requiredValue(`${at}.name`));
    if (!volumes.has(mount.name)) wrong.push(notFoundValue(`${at}.name`, mount.name ?? ''));
    if (!mount.mountPath) wrong.push(requiredValue(`${at}.mountPath`));
    if (paths.has(mount.mountPath)) wrong.push(invalidValue(`${at}.mountPath`, mount.mountPath, 'must be unique'));
    paths.add(mount.mountPath);
    if (mount.subPath) wrong.push(...validateDescending(`${field}.subPath`, mount.subPath));
    if (mount.subPath && mount.subPathExpr) {
      const detail = 'subPathExpr and subPath are mutually exclusive';
      wrong.push(invalidValue(`${at}.subPathExpr`, mount.subPathExpr, detail));
    }
    return wrong;
  });
}
