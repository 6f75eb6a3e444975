import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../kube/object.ts';
import { goYaml } from '../../template/functions/sprig/go-yaml.ts';
import type { GoValue } from '../../template/value.ts';
import { isFields } from '../replaced-at.ts';

/** What a ConfigMap or Secret counts for in KUDO's hash, as 32 hexadecimal digits. */
export function contentHash(object: KubeObject): string {
  return createHash('md5')
    .update(goYaml(new Map([['object', counted(object)]])))
    .digest('hex');
}

/** Fields of metadata that are there, and empty, whether or not the object has them. */
const emptied: readonly (readonly [string, GoValue])[] = [
  ['annotations', new Map()],
  ['deletionGracePeriodSeconds', 0],
  ['finalizers', []],
  ['managedFields', []],
  ['ownerReferences', []],
  ['remainingItemCount', 0],
];

/** Fields of metadata that differ from cluster to cluster, or say nothing about content. */
const dropped = new Set([
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'selfLink',
  'generateName',
  'clusterName',
  'continue',
]);

/** All that a ConfigMap or Secret consists of: KUDO read them into types, which left out anything else. */
const fields = ['data', 'binaryData', 'stringData', 'type', 'immutable'] as const;

/** The part of an object that counts. Labels do. */
function counted(object: KubeObject): GoValue {
  const metadata = Object.entries(object.metadata).filter(([key]) => !dropped.has(key));
  const content = object as KubeObject & Readonly<Record<string, unknown>>;
  return new Map<string, GoValue>([
    ['apiVersion', ''],
    ['kind', ''],
    ['metadata', new Map([...metadata.map(([key, value]): [string, GoValue] => [key, goValue(value)]), ...emptied])],
    ...fields.flatMap((field): [string, GoValue][] => {
      const value = isBase64(object.kind, field) ? tidied(content[field]) : content[field];
      const absent = value === undefined || value === null || (isFields(value) && Object.keys(value).length === 0);
      return absent ? [] : [[field, goValue(value)]];
    }),
  ]);
}

function isBase64(kind: string, field: (typeof fields)[number]): boolean {
  return field === 'binaryData' || (field === 'data' && kind === 'Secret');
}

/** Base64 may be written with line breaks; what was read into bytes is written without. */
export function tidied(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => [
      key,
      typeof text === 'string' ? Buffer.from(text, 'base64').toString('base64') : text,
    ]),
  );
}

function goValue(value: unknown): GoValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(goValue);
  if (!isFields(value)) return null;
  return new Map(Object.entries(value).map(([key, item]) => [key, goValue(item)]));
}
