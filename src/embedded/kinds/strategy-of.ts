import type { Strategy } from '../resource.ts';
import { claimStrategy } from './claim.ts';
import { configMapStrategy } from './config-map.ts';
import { disruptionBudgetStrategy } from './disruption-budget.ts';
import { eventStrategy } from './event.ts';
import { namespaceStrategy } from './namespace.ts';
import {
  endpointSliceStrategy,
  endpointsStrategy,
  ingressClassStrategy,
  ingressStrategy,
  networkPolicyStrategy,
} from './network.ts';
import { nodeStrategy } from './node.ts';
import {
  autoscalerStrategy,
  controllerRevisionStrategy,
  leaseStrategy,
  limitRangeStrategy,
  plainStrategy,
  priorityClassStrategy,
  resourceQuotaStrategy,
  storageClassStrategy,
} from './plain.ts';
import { podStrategy } from './pod/pod.ts';
import { bindingStrategy, roleStrategy } from './rbac.ts';
import { secretStrategy } from './secret.ts';
import { serviceStrategy } from './service.ts';
import { volumeStrategy } from './volume.ts';
import { webhookConfigurationStrategy } from './webhook-configuration.ts';
import { cronJobStrategy } from './workloads/cron-job.ts';
import { daemonSetStrategy } from './workloads/daemon-set.ts';
import { deploymentStrategy } from './workloads/deployment.ts';
import { jobStrategy } from './workloads/job.ts';
import { replicaSetStrategy } from './workloads/replica-set.ts';
import { statefulSetStrategy } from './workloads/stateful-set.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/** Keyed by group and kind; versions of one kind share a strategy. */
const strategies = new Map<string, Strategy>([
  ['/Namespace', namespaceStrategy],
  ['/Pod', podStrategy],
  ['/Service', serviceStrategy],
  ['/ConfigMap', configMapStrategy],
  ['/Secret', secretStrategy],
  ['/Node', nodeStrategy],
  ['/PersistentVolumeClaim', claimStrategy],
  ['/PersistentVolume', volumeStrategy],
  ['/Event', eventStrategy('core')],
  ['events.k8s.io/Event', eventStrategy('events')],
  ['/Endpoints', endpointsStrategy],
  ['/ResourceQuota', resourceQuotaStrategy],
  ['/LimitRange', limitRangeStrategy],
  ['discovery.k8s.io/EndpointSlice', endpointSliceStrategy],
  ['apps/Deployment', deploymentStrategy],
  ['apps/ReplicaSet', replicaSetStrategy],
  ['apps/StatefulSet', statefulSetStrategy],
  ['apps/DaemonSet', daemonSetStrategy],
  ['apps/ControllerRevision', controllerRevisionStrategy],
  ['batch/Job', jobStrategy],
  ['batch/CronJob', cronJobStrategy],
  ['networking.k8s.io/Ingress', ingressStrategy],
  ['networking.k8s.io/IngressClass', ingressClassStrategy],
  ['networking.k8s.io/NetworkPolicy', networkPolicyStrategy],
  ['policy/PodDisruptionBudget', disruptionBudgetStrategy],
  ['coordination.k8s.io/Lease', leaseStrategy],
  [`${rbac}/Role`, roleStrategy(true)],
  [`${rbac}/ClusterRole`, roleStrategy(false)],
  [`${rbac}/RoleBinding`, bindingStrategy(true)],
  [`${rbac}/ClusterRoleBinding`, bindingStrategy(false)],
  [`${admission}/ValidatingWebhookConfiguration`, webhookConfigurationStrategy(false)],
  [`${admission}/MutatingWebhookConfiguration`, webhookConfigurationStrategy(true)],
  ['storage.k8s.io/StorageClass', storageClassStrategy],
  ['scheduling.k8s.io/PriorityClass', priorityClassStrategy],
  ['autoscaling/HorizontalPodAutoscaler', autoscalerStrategy],
]);

/** How a built-in kind is filled in, checked, selected and deleted. Kinds without rules of their own are only named. */
export function strategyOf(group: string, kind: string): Strategy {
  return strategies.get(`${group}/${kind}`) ?? plainStrategy;
}
