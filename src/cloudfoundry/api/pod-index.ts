import type { KubeObject } from '../../kube/object.ts';

const label = 'apps.kubernetes.io/pod-index';

/** Which instance a pod is. The label is Kubernetes' own, since 1.28; before, only the name says it. */
export function podIndex({ metadata }: KubeObject): number | undefined {
  const text = metadata.labels?.[label] ?? /-(\d{1,9})$/.exec(metadata.name ?? '')?.[1];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
