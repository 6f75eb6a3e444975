import { annotations as ours } from '../../control/annotations.ts';
import type { KubeObject } from '../../kube/object.ts';
import { annotations, labels } from '../keys.ts';
import { labelHash } from '../names.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfSpace } from '../resources/cf-space.ts';

/** What the namespace of an organization or a space must carry; it may carry more. */
export interface PlaceMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Apps run with the rights that the strictest of Kubernetes' own standards leaves them. */
const podSecurity = {
  'pod-security.kubernetes.io/audit': 'restricted',
  'pod-security.kubernetes.io/enforce': 'restricted',
};

export function orgNamespaceMetadata(org: CfOrg): PlaceMetadata {
  const displayName = org.spec?.displayName ?? '';
  return {
    labels: {
      ...podSecurity,
      [labels.orgGuid]: org.metadata.name ?? '',
      [labels.orgName]: labelHash(displayName),
    },
    annotations: { [annotations.orgName]: displayName },
  };
}

export function spaceNamespaceMetadata(space: CfSpace): PlaceMetadata {
  const displayName = space.spec?.displayName ?? '';
  return {
    labels: {
      ...podSecurity,
      [labels.orgGuid]: space.metadata.namespace ?? '',
      [labels.spaceGuid]: space.metadata.name ?? '',
      [labels.spaceName]: labelHash(displayName),
    },
    annotations: { [annotations.spaceName]: displayName },
  };
}

/**
 * The namespace as it is created. It has no owner, for an owner cannot be in a namespace itself; that it is ours is told by
 * its id until it is seen, and by its labels from then on.
 */
export function placeNamespace(place: CfOrg | CfSpace, metadata: PlaceMetadata): KubeObject {
  const annotations = { ...metadata.annotations, [ours.id]: `${place.metadata.uid}-namespace` };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: place.metadata.name ?? '', labels: metadata.labels, annotations },
  };
}
