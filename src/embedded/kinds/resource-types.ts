import type { ResourceType } from '../../kube/resource-type.ts';

const type = (group: string, kind: string, plural: string, namespaced = true): ResourceType => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
});

/** The built-in resources that controllers and nodes work with. */
export const namespaces = type('', 'Namespace', 'namespaces', false);
export const nodes = type('', 'Node', 'nodes', false);
export const pods = type('', 'Pod', 'pods');
export const services = type('', 'Service', 'services');
export const endpoints = type('', 'Endpoints', 'endpoints');
export const events = type('', 'Event', 'events');
export const configMaps = type('', 'ConfigMap', 'configmaps');
export const secrets = type('', 'Secret', 'secrets');
export const serviceAccounts = type('', 'ServiceAccount', 'serviceaccounts');
export const claims = type('', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const volumes = type('', 'PersistentVolume', 'persistentvolumes', false);
export const deployments = type('apps', 'Deployment', 'deployments');
export const replicaSets = type('apps', 'ReplicaSet', 'replicasets');
export const statefulSets = type('apps', 'StatefulSet', 'statefulsets');
export const daemonSets = type('apps', 'DaemonSet', 'daemonsets');
export const controllerRevisions = type('apps', 'ControllerRevision', 'controllerrevisions');
export const jobs = type('batch', 'Job', 'jobs');
export const cronJobs = type('batch', 'CronJob', 'cronjobs');
export const endpointSlices = type('discovery.k8s.io', 'EndpointSlice', 'endpointslices');
export const disruptionBudgets = type('policy', 'PodDisruptionBudget', 'poddisruptionbudgets');
