import type { AnyObject } from '../../kube/object.ts';
import { groupOf } from '../graph/workload.ts';
import { isFields } from './replaced-at.ts';

/** Maps of texts: a key without a value has an empty one. */
const textMaps = new Set(['data', 'stringData', 'binaryData', 'labels', 'annotations', 'matchLabels', 'nodeSelector']);

/**
 * An object of Kubernetes' own kinds as its types have it, where a field that is null is absent: templates write `tier: ` and
 * print an empty value behind it. Without it such a field would seem to be missing from the live object for ever. What null
 * means in a custom resource only its own schema knows.
 */
export function withoutNulls(object: AnyObject): AnyObject {
  const group = groupOf(object.apiVersion);
  const isBuiltIn = !group.includes('.') || group.endsWith('.k8s.io');
  return isBuiltIn ? (slim(object, '') as AnyObject) : object;
}

function slim(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => slim(item, ''));
  if (!isFields(value)) return value;
  const isTexts = textMaps.has(name);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (item === null || item === undefined) return isTexts ? [[key, '']] : [];
      return [[key, slim(item, isTexts ? '' : key)]];
    }),
  );
}
