import { qualifiedName } from '../../kube/resource-type.ts';
import type { ServedResource } from '../resource.ts';

/** Ways in which some resources of the real server differ from the rest, for no reason but history. */

const conditional = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'leases.coordination.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

/** Whether an update must name the resourceVersion it was made from. */
export function needsResourceVersion(resource: ServedResource): boolean {
  return resource.custom || conditional.has(qualifiedName(resource));
}

const upserts = new Set([
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'endpoints',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'limitranges',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'runtimeclasses.node.k8s.io',
  'services',
]);

/** Whether an update of an object that is not there creates it. */
export function createsOnUpdate(resource: ServedResource): boolean {
  return !resource.custom && upserts.has(qualifiedName(resource));
}

/** Whether a change of annotations counts as a new generation: a Deployment hands them down to its ReplicaSets. */
export function countsAnnotations(resource: ServedResource): boolean {
  return resource.group === 'apps' && resource.kind === 'Deployment';
}

const isEvent = (resource: ServedResource): boolean => !resource.custom && resource.plural === 'events';

/** The group that errors about fields name: those of events never do. */
export function groupInErrors(resource: ServedResource): string {
  return isEvent(resource) ? '' : resource.group;
}

/** Whether a write forgets managers that wrote in another version: the two groups of events share no field names. */
export function forgetsOtherVersions(resource: ServedResource): boolean {
  return isEvent(resource);
}

const returned = new Set([
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

/** Whether a delete answers with the object that is gone, rather than with a Status. */
export function returnsDeleted(resource: ServedResource): boolean {
  return !resource.custom && returned.has(qualifiedName(resource));
}
