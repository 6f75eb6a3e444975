import { parse } from 'yaml';
import type { AnyObject } from '../../kube/object.ts';
import { flatConfig } from '../config/flink-config.ts';
import { type ClusterObjects, clusterObjects } from './cluster-objects.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import type { Container, PodSpec, Template } from './kube-types.ts';

/** The objects of a plan; a problem fails the test. */
export function made(plan: ClusterPlan): ClusterObjects {
  const objects = clusterObjects(plan);
  if ('problem' in objects) throw new Error(objects.problem);
  return objects;
}

/** All of them. */
export function all(plan: ClusterPlan): readonly AnyObject[] {
  const { jobManager, taskManager, ingress, dependents } = made(plan);
  return [jobManager, taskManager, ingress, ...dependents('uid-of-deployment')].filter((one) => one !== undefined);
}

export function named(plan: ClusterPlan, name: string): AnyObject | undefined {
  return all(plan).find(({ kind, metadata }) => `${kind}/${metadata.name}` === name);
}

interface Workload {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: Template;
}

export function workload(object: AnyObject | undefined): Workload {
  return object?.spec as Workload;
}

export function pod(object: AnyObject | undefined): PodSpec {
  return workload(object).template.spec ?? {};
}

/** The container in which Flink runs. */
export function main(object: AnyObject | undefined): Container {
  return pod(object).containers?.find(({ name }) => name === 'flink-main-container') ?? { name: 'none' };
}

/** What its configuration file says. */
export function configOf(plan: ClusterPlan): ReadonlyMap<string, string> {
  const data = named(plan, 'ConfigMap/flink-config-counter')?.data as Record<string, string>;
  if (data['config.yaml'] !== undefined) return flatConfig(parse(data['config.yaml']));
  const lines = (data['flink-conf.yaml'] ?? '').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}
