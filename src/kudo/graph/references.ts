import type { Use } from './graph.ts';

/** What a pod template says about another object: which, how, and what of it. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PersistentVolumeClaim';
  readonly name: string;
  readonly by: Use;
  /** Only this key, where it names one; absent: all of it. */
  readonly keys?: readonly string[];
  /** Pods start without it. */
  readonly optional?: true;
}

/**
 * Every object that pods with this spec use, in the order it is written. The spec may have any shape: what is not as
 * Kubernetes would have it is passed over, for the API server will say so.
 */
export function referencesOf(podSpec: unknown): readonly Reference[] {
  const spec = record(podSpec);
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => list(spec[name]));
  return [
    ...list(spec.volumes).flatMap(ofVolume),
    ...containers.flatMap((container) => list(container.env).flatMap(ofVariable)),
    ...containers.flatMap((container) => list(container.envFrom).flatMap(ofSource)),
    ...list(spec.imagePullSecrets).flatMap(({ name }) => reference('Secret', name, 'imagePullSecret')),
    ...reference('ServiceAccount', spec.serviceAccountName ?? spec.serviceAccount, 'serviceAccount'),
  ];
}

function ofVolume(volume: Fields): readonly Reference[] {
  const { configMap, secret, projected, persistentVolumeClaim } = volume;
  return [
    ...reference('ConfigMap', record(configMap).name, 'volume', configMap, itemsOf(configMap)),
    ...reference('Secret', record(secret).secretName, 'volume', secret, itemsOf(secret)),
    ...list(record(projected).sources).flatMap((source) => [
      ...reference(
        'ConfigMap',
        record(source.configMap).name,
        'projected',
        source.configMap,
        itemsOf(source.configMap),
      ),
      ...reference('Secret', record(source.secret).name, 'projected', source.secret, itemsOf(source.secret)),
    ]),
    ...reference('PersistentVolumeClaim', record(persistentVolumeClaim).claimName, 'claim'),
  ];
}

function ofVariable(variable: Fields): readonly Reference[] {
  const { configMapKeyRef, secretKeyRef } = record(variable.valueFrom);
  return [
    ...reference('ConfigMap', record(configMapKeyRef).name, 'env', configMapKeyRef, keyOf(configMapKeyRef)),
    ...reference('Secret', record(secretKeyRef).name, 'env', secretKeyRef, keyOf(secretKeyRef)),
  ];
}

function ofSource(source: Fields): readonly Reference[] {
  return [
    ...reference('ConfigMap', record(source.configMapRef).name, 'envFrom', source.configMapRef),
    ...reference('Secret', record(source.secretRef).name, 'envFrom', source.secretRef),
  ];
}

function reference(
  kind: Reference['kind'],
  name: unknown,
  by: Use,
  said?: unknown,
  keys?: readonly string[],
): readonly [] | readonly [Reference] {
  if (typeof name !== 'string' || name === '') return [];
  const { optional } = record(said);
  return [{ kind, name, by, ...(keys && { keys }), ...(optional === true && { optional }) }];
}

/** The keys that a volume picks; absent: it has all. */
function itemsOf(source: unknown): readonly string[] | undefined {
  const { items } = record(source);
  if (!Array.isArray(items) || items.length === 0) return undefined;
  return list(items).flatMap(({ key }) => (typeof key === 'string' ? [key] : []));
}

function keyOf(selector: unknown): readonly string[] | undefined {
  const { key } = record(selector);
  return typeof key === 'string' ? [key] : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record) : [];
}
