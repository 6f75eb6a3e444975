import { matchesLabels, meets } from '../kinds/label-selector.ts';
import type { Node, Taint } from '../kinds/objects/cluster.ts';
import type { NodeRequirement, Pod, Toleration } from '../kinds/objects/pod.ts';
import { amountOf } from '../kinds/quantity.ts';
import { holds } from './condition.ts';

/** Why a node does not take a pod, in the scheduler's words; undefined when it does. `here` are the pods it has. */
export function refusalOf(pod: Pod, node: Node, here: readonly Pod[]): string | undefined {
  const tolerations = pod.spec.tolerations ?? [];
  if (!matchesLabels(pod.spec.nodeSelector, node.metadata.labels) || !fitsAffinity(pod, node)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec?.unschedulable && !tolerations.some((one) => tolerates(one, unschedulable))) {
    return 'node(s) were unschedulable';
  }
  const taint = (node.spec?.taints ?? []).find(
    (one) => one.effect !== 'PreferNoSchedule' && !tolerations.some((other) => tolerates(other, one)),
  );
  if (taint) return `node(s) had untolerated taint(s)`;
  if (node.status?.conditions && !holds(node.status.conditions, 'Ready')) return 'node(s) were not ready';
  return lackOf(pod, node, here);
}

function lackOf(pod: Pod, node: Node, here: readonly Pod[]): string | undefined {
  const room = node.status?.allocatable ?? {};
  if (room.pods !== undefined && here.length >= (amountOf(room.pods) ?? 0)) return 'Too many pods';
  for (const name of resourcesOf(pod)) {
    const asked = requestOf(pod, name);
    if (asked === 0) continue;
    const used = here.reduce((sum, one) => sum + requestOf(one, name), 0);
    if (used + asked > (amountOf(room[name] ?? '0') ?? 0) + 1e-9) return `Insufficient ${name}`;
  }
  const ports = hostPorts(pod);
  if (here.some((one) => hostPorts(one).some((port) => ports.includes(port)))) {
    return "node(s) didn't have free ports for the requested pod ports";
  }
  return undefined;
}

/** What a pod asks for: the sum of its containers, or its largest init container if that is more. */
export function requestOf(pod: Pod, name: string): number {
  const asked = (one: Pod['spec']['containers'][number]): number =>
    amountOf(one.resources?.requests?.[name] ?? '0') ?? 0;
  const inits = pod.spec.initContainers ?? [];
  const sidecars = inits.filter((one) => one.restartPolicy === 'Always').reduce((sum, one) => sum + asked(one), 0);
  const sum = pod.spec.containers.reduce((total, one) => total + asked(one), 0) + sidecars;
  const plain = inits.filter((one) => one.restartPolicy !== 'Always').map(asked);
  return Math.max(sum, ...plain) + (amountOf(pod.spec.overhead?.[name] ?? '0') ?? 0);
}

function resourcesOf(pod: Pod): readonly string[] {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  return [...new Set(containers.flatMap((one) => Object.keys(one.resources?.requests ?? {})))];
}

const hostPorts = (pod: Pod): readonly string[] =>
  pod.spec.containers.flatMap((one) =>
    (one.ports ?? []).filter((port) => port.hostPort).map((port) => `${port.protocol}/${port.hostPort}`),
  );

export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (key !== undefined && value === (taint.value ?? ''));
}

function fitsAffinity(pod: Pod, node: Node): boolean {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms;
  if (!terms) return true;
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    const names = { 'metadata.name': node.metadata.name ?? '' };
    return (
      matchExpressions.every((one) => suits(one, node.metadata.labels ?? {})) &&
      matchFields.every((one) => suits(one, names))
    );
  });
}

/** Nodes can also be chosen by labels that are numbers. */
function suits(requirement: NodeRequirement, labels: Readonly<Record<string, string>>): boolean {
  const { key, operator, values = [] } = requirement;
  if (operator !== 'Gt' && operator !== 'Lt') return meets(requirement, labels);
  if (!Object.hasOwn(labels, key)) return false;
  const [value, bound] = [Number(labels[key]), Number(values[0])];
  return operator === 'Gt' ? value > bound : value < bound;
}
