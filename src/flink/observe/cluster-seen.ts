import type { Cluster, DependentSeen, HaSeen, PodFailure } from '../view.ts';
import type { FlinkCaches } from './flink-caches.ts';
import { haSeen } from './ha-seen.ts';
import type { Found } from './missed.ts';
import { podSeen } from './pod-seen.ts';
import { dependentSeen, processSeen } from './process-seen.ts';

/** A FlinkDeployment's key, in parts. */
export interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * What Kubernetes shows of one Flink cluster. `mounting` says which pods cannot mount their volumes, by uid; `found` is what
 * the server was asked for because the caches do not show it.
 */
export function clusterSeen(
  caches: FlinkCaches,
  { namespace, name }: ClusterName,
  mounting: ReadonlyMap<string, PodFailure> = new Map(),
  found: Found = {},
): Cluster {
  const key = `${namespace}/${name}`;
  const jobManager = caches.processes.get(key) ?? found.jobManager;
  const taskManager = caches.processes.get(`${key}-taskmanager`);
  const ingress = caches.ingresses.get(key);
  const shown = haSeen(name, caches.configMaps.by('app', key));
  const ha = found.configMaps ? haSeen(name, found.configMaps) : shown;
  const shownPods = caches.pods.by('app', key);
  const pods = new Map([...(found.pods ?? []), ...shownPods].map((pod) => [pod.metadata.uid, pod]));
  const unheard = jobManager !== caches.processes.get(key) || pods.size > shownPods.length || isMore(ha, shown);
  return {
    jobManager: jobManager && processSeen(jobManager),
    taskManager: taskManager && processSeen(taskManager),
    pods: [...pods.values()]
      .map((pod) => podSeen(pod, mounting.get(pod.metadata.uid ?? '')))
      .sort((a, b) => a.createdAt - b.createdAt || a.ref.name.localeCompare(b.ref.name)),
    dependents: dependentsSeen(caches, namespace, name),
    ingress: ingress && dependentSeen(ingress),
    ha,
    ...(unheard && { unheard }),
  };
}

/** Whether there is metadata, or a submitted job in it, that is not in the other. */
function isMore(ha: HaSeen, than: HaSeen): boolean {
  const known = new Set(partsOf(than));
  return partsOf(ha).some((part) => !known.has(part));
}

function partsOf({ configMaps, submitted }: HaSeen): readonly string[] {
  const jobs = submitted.flatMap(({ ref, keys }) => keys.map((key) => `${ref.uid} ${key}`));
  return [...configMaps.map(({ uid }) => uid), ...jobs];
}

function dependentsSeen(
  { services, configMaps }: FlinkCaches,
  namespace: string,
  name: string,
): Readonly<Record<string, DependentSeen>> {
  const found = [
    ...[name, `${name}-rest`].map((one) => services.get(`${namespace}/${one}`)),
    ...[`flink-config-${name}`, `pod-template-${name}`].map((one) => configMaps.get(`${namespace}/${one}`)),
  ];
  return Object.fromEntries(
    found.flatMap((object) => (object ? [[`${object.kind}/${object.metadata.name}`, dependentSeen(object)]] : [])),
  );
}
