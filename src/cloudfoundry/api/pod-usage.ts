import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { labels } from '../keys.ts';
import { podIndex } from './pod-index.ts';
import type { Usage } from './present/stats.ts';

const podMetrics: ResourceType = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
};

interface PodMetrics extends KubeObject {
  readonly timestamp?: string;
  readonly containers?: readonly { readonly usage?: { readonly cpu?: string; readonly memory?: string } }[];
}

/** Which pods: those of one process, of the revision that is wanted. */
export interface UsageOf {
  readonly namespace: string;
  readonly process: string;
  readonly appRev: string;
}

/** What instances use, by index; empty where nobody measures it. Never fails: usage is an ornament of `stats`. */
export type PodUsage = (pods: UsageOf) => Promise<ReadonlyMap<number, Usage>>;

/** How long it is believed that metrics are there, or are not. */
const believedForMs = 300_000;

/**
 * Asks the cluster's metrics, with the operator's rights, for pods of an app that the caller has read. Whether there are
 * metrics is asked once in a while: where there are none, `stats` costs no failing request.
 */
export function podUsage({ client, clock }: { readonly client: Client; readonly clock: Clock }): PodUsage {
  let asked: { readonly at: number; readonly there: Promise<boolean> } | undefined;
  const served = (): Promise<boolean> => {
    const now = clock.monotonic();
    if (!asked || now - asked.at > believedForMs) {
      const path = `/apis/${podMetrics.group}/${podMetrics.version}`;
      const there = client.json({ method: 'GET', path, timeoutMs: 3000 }).then(
        () => true,
        () => false,
      );
      asked = { at: now, there };
    }
    return asked.there;
  };

  return async ({ namespace, process, appRev }) => {
    if (!(await served())) return new Map();
    const labelSelector = { matchLabels: { [labels.guid]: process, [labels.version]: appRev } };
    try {
      const list = client.resource<PodMetrics>(podMetrics).list({ namespace, labelSelector, timeoutMs: 3000 });
      return new Map((await list).items.flatMap(usageOf));
    } catch {
      return new Map();
    }
  };
}

function usageOf(metrics: PodMetrics): readonly (readonly [number, Usage])[] {
  const index = podIndex(metrics);
  if (index === undefined || !metrics.timestamp) return [];
  const sum = (resource: 'cpu' | 'memory'): number =>
    (metrics.containers ?? []).reduce((total, { usage }) => total + amount(usage?.[resource]), 0);
  return [[index, { time: metrics.timestamp, cpu: sum('cpu'), memory: sum('memory') }]];
}

const units: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** A quantity as metrics have it; what is none counts as nothing. */
function amount(quantity: string | undefined): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(quantity ?? '') ?? [];
  return digits === undefined ? 0 : Number(digits) * (units[unit] ?? 0);
}
