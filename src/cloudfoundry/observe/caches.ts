import type { Cached, Caches } from '../../control/caches.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { labels } from '../keys.ts';
import { type AppWorkload, appWorkload } from '../resources/app-workload.ts';
import { type BuildWorkload, buildWorkload } from '../resources/build-workload.ts';
import { type BuilderInfo, builderInfo } from '../resources/builder-info.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { type CfOrg, cfOrg } from '../resources/cf-org.ts';
import { type CfPackage, cfPackage } from '../resources/cf-package.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { type CfSpace, cfSpace } from '../resources/cf-space.ts';
import { type CfTask, cfTask } from '../resources/cf-task.ts';
import { type RunnerInfo, runnerInfo } from '../resources/runner-info.ts';
import { type TaskWorkload, taskWorkload } from '../resources/task-workload.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { kept } from './kept.ts';
import type {
  HttpRoute,
  Job,
  Namespace,
  Pod,
  RoleBinding,
  Service,
  ServiceAccount,
  StatefulSet,
} from './kube-shapes.ts';

/** Of the Gateway API, which may not be installed. */
export const httpRoutes: ResourceType = {
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'HTTPRoute',
  plural: 'httproutes',
  namespaced: true,
};

/**
 * All that is watched for the Cloud Foundry family. Whatever is looked at here is opened, and watched from then on: take
 * out what is needed before the caches start. Keys of indexes are `namespace/name` of the object that is named.
 *
 * What we apply is kept whole, for otherwise the loop would have to ask the server how it stands.
 */
export interface CloudFoundryCaches {
  readonly orgs: Cached<CfOrg>;
  /** `org`: the name of the organization, which is their namespace. */
  readonly spaces: Cached<CfSpace, 'org'>;
  readonly domains: Cached<CfDomain>;
  /** `domain`: `namespace/name`. */
  readonly routes: Cached<CfRoute, 'app' | 'domain'>;
  readonly apps: Cached<CfApp, 'droplet'>;
  readonly processes: Cached<CfProcess, 'app'>;
  readonly packages: Cached<CfPackage, 'app'>;
  readonly builds: Cached<CfBuild, 'app' | 'package'>;
  readonly buildWorkloads: Cached<BuildWorkload>;
  readonly builderInfos: Cached<BuilderInfo>;
  readonly workloads: Cached<AppWorkload, 'process' | 'app'>;
  readonly runnerInfos: Cached<RunnerInfo>;
  readonly tasks: Cached<CfTask, 'app'>;
  readonly taskWorkloads: Cached<TaskWorkload>;
  readonly deployments: Cached<CfDeployment, 'app'>;
  /** Whole, with who wrote them: another runner's may be adopted. */
  readonly statefulSets: Cached<StatefulSet, 'workload'>;
  /** Of apps: see `kept` for what there is of them. */
  readonly pods: Cached<Pod, 'workload'>;
  /** Of tasks. */
  readonly taskPods: Cached<Pod, 'task'>;
  readonly podDisruptionBudgets: Cached<KubeObject, 'process'>;
  /** Of tasks. Those that another task runner made have no label, and are not among them. */
  readonly jobs: Cached<Job>;
  readonly services: Cached<Service, 'route'>;
  /** Of routes, where no Gateway API is installed. */
  readonly ingresses: Cached;
  /** All: published ones have no label, but the name of their route. */
  readonly httpRoutes: Cached<HttpRoute>;
  /** Of organizations and spaces. */
  readonly namespaces: Cached<Namespace>;
  /** All: which of them are passed on is said by an annotation. */
  readonly roleBindings: Cached<RoleBinding, 'namespace'>;
  /** Of the root namespace. */
  readonly rootServiceAccounts: Cached<ServiceAccount>;
  /** Copies of them, in organizations and spaces. */
  readonly copiedServiceAccounts: Cached<ServiceAccount, 'namespace'>;
}

export function openCloudFoundryCaches(caches: Caches, settings: CloudFoundrySettings): CloudFoundryCaches {
  // Another controller may manage the same objects: who wrote them last is kept.
  const ours = { managedFields: true };
  const root = { ...ours, namespace: settings.rootNamespace };
  return onDemand<CloudFoundryCaches>({
    orgs: () => caches.open({ type: cfOrg.type, ...ours }),
    spaces: () => caches.open<CfSpace, 'org'>({ type: cfSpace.type, ...ours, indexes: { org: namespaceOf } }),
    domains: () => caches.open({ type: cfDomain.type, ...ours }),
    routes: () => caches.open({ type: cfRoute.type, ...ours, indexes: { app: appsOfRoute, domain: domainOf } }),
    apps: () => caches.open({ type: cfApp.type, ...ours, indexes: { droplet: dropletOf } }),
    processes: () => caches.open<CfProcess, 'app'>({ type: cfProcess.type, ...ours, indexes: { app: appOf } }),
    packages: () => caches.open<CfPackage, 'app'>({ type: cfPackage.type, ...ours, indexes: { app: appOf } }),
    builds: () => caches.open({ type: cfBuild.type, ...ours, indexes: { app: appOf, package: packageOf } }),
    buildWorkloads: () => caches.open({ type: buildWorkload.type, ...ours }),
    builderInfos: () => caches.open({ type: builderInfo.type, ...root, optional: true }),
    workloads: () =>
      caches.open({ type: appWorkload.type, ...ours, indexes: { process: processOfWorkload, app: appOfWorkload } }),
    runnerInfos: () => caches.open({ type: runnerInfo.type, ...root }),
    tasks: () => caches.open<CfTask, 'app'>({ type: cfTask.type, ...ours, indexes: { app: appOf } }),
    taskWorkloads: () => caches.open({ type: taskWorkload.type, ...ours }),
    deployments: () => caches.open<CfDeployment, 'app'>({ type: cfDeployment.type, ...ours, indexes: { app: appOf } }),
    statefulSets: () =>
      caches.open({ type: kinds.statefulSets, labelSelector: labels.workloadGuid, ...ours, indexes: { workload } }),
    pods: () =>
      caches.open({
        type: kinds.pods,
        labelSelector: labels.workloadGuid,
        keep: kept.pod,
        indexes: { workload },
      }),
    taskPods: () =>
      caches.open({ type: kinds.pods, labelSelector: labels.taskGuid, keep: kept.pod, indexes: { task: taskOf } }),
    podDisruptionBudgets: () =>
      caches.open({
        type: kinds.podDisruptionBudgets,
        labelSelector: `${labels.guid},${labels.version}`,
        indexes: { process: processOfBudget },
      }),
    jobs: () => caches.open({ type: kinds.jobs, labelSelector: labels.taskGuid, keep: kept.job }),
    services: () => caches.open({ type: kinds.services, labelSelector: labels.routeGuid, indexes: { route } }),
    ingresses: () => caches.open({ type: kinds.ingresses, labelSelector: labels.routeGuid, optional: true }),
    httpRoutes: () => caches.open({ type: httpRoutes, optional: true }),
    namespaces: () => caches.open({ type: kinds.namespaces, labelSelector: labels.orgGuid }),
    roleBindings: () => caches.open({ type: kinds.roleBindings, indexes: { namespace: namespaceOf } }),
    rootServiceAccounts: () => caches.open({ type: kinds.serviceAccounts, namespace: settings.rootNamespace }),
    copiedServiceAccounts: () =>
      caches.open({
        type: kinds.serviceAccounts,
        labelSelector: labels.propagatedFrom,
        indexes: { namespace: namespaceOf },
      }),
  });
}

/** An object whose properties are made when they are first looked at. */
function onDemand<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const object = {};
  for (const [name, make] of Object.entries(makers) as [string, () => unknown][]) {
    let made: { readonly value: unknown } | undefined;
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => {
        made ??= { value: make() };
        return made.value;
      },
    });
  }
  return object as T;
}

/** The key of what an object names, in its own namespace. */
function beside({ metadata }: KubeObject, name: string | undefined): readonly string[] {
  return name ? [`${metadata.namespace}/${name}`] : [];
}

export interface OfApp extends KubeObject {
  readonly spec?: { readonly appRef?: { readonly name?: string } };
}

/** The key of the app that an object's spec names. */
export function appOf(object: OfApp): readonly string[] {
  return beside(object, object.spec?.appRef?.name);
}

function packageOf(build: CfBuild): readonly string[] {
  return beside(build, (build.spec as Partial<CfBuild['spec']> | undefined)?.packageRef?.name);
}

function dropletOf(app: CfApp): readonly string[] {
  return beside(app, (app.spec as Partial<CfApp['spec']> | undefined)?.currentDropletRef?.name);
}

/** The keys of the apps that a route leads to. */
export function appsOfRoute(route: CfRoute): readonly string[] {
  const destinations = (route.spec as Partial<CfRoute['spec']> | undefined)?.destinations ?? [];
  return [...new Set(destinations.flatMap(({ appRef }) => beside(route, appRef?.name)))];
}

/** The key of a route's domain. */
export function domainOf(route: CfRoute): readonly string[] {
  const { name, namespace } = (route.spec as Partial<CfRoute['spec']> | undefined)?.domainRef ?? {};
  return name ? [`${namespace ?? route.metadata.namespace}/${name}`] : [];
}

/** The key of the process that a workload runs. */
export function processOfWorkload(workload: AppWorkload): readonly string[] {
  const guid = (workload.spec as Partial<AppWorkload['spec']> | undefined)?.GUID;
  return beside(workload, guid ?? workload.metadata.labels?.[labels.processGuid]);
}

function appOfWorkload(workload: AppWorkload): readonly string[] {
  const guid = (workload.spec as Partial<AppWorkload['spec']> | undefined)?.appGUID;
  return beside(workload, guid ?? workload.metadata.labels?.[labels.appGuid]);
}

/** The key of the workload that a StatefulSet or a pod is of. */
export function workload(object: KubeObject): readonly string[] {
  return beside(object, object.metadata.labels?.[labels.workloadGuid]);
}

function processOfBudget(object: KubeObject): readonly string[] {
  return beside(object, object.metadata.labels?.[labels.guid]);
}

/** The key of the task that an object is of. */
export function taskOf(object: KubeObject): readonly string[] {
  return beside(object, object.metadata.labels?.[labels.taskGuid]);
}

/** The key of the route that an object is of. */
export function route(object: KubeObject): readonly string[] {
  return beside(object, object.metadata.labels?.[labels.routeGuid]);
}

function namespaceOf({ metadata }: KubeObject): readonly string[] {
  return metadata.namespace ? [metadata.namespace] : [];
}
