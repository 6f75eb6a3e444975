import { type Chart, readChart } from '../../src/install/chart.ts';
import type { Release } from '../../src/install/engine.ts';
import { type Rendered, renderChart } from '../../src/install/render-chart.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { chartEngine } from '../../src/main/chart-engine.ts';
import { chartFiles } from '../../src/main/chart-source.ts';

export const chart: Chart = readChart(chartFiles());

export const release: Release = { name: 'cutover', namespace: 'cutover-system' };

const engine = chartEngine({ key: new Uint8Array(32), service: 'Helm' });

/** All families and everything that can be switched on. */
export const everything: JsonObject = {
  families: { flink: true, cloudfoundry: true, kudo: true },
  dashboard: { enabled: true, tlsSecretName: 'dashboard-tls' },
  cloudfoundry: {
    settings: { defaultDomain: 'apps.test', taskTtlHours: 24 },
    root: { admins: [{ kind: 'User', name: 'cf-admin' }] },
    api: { tlsSecretName: 'cf-api-tls', trustForwarded: true },
  },
  flink: { config: { 'kubernetes.operator.reconcile.interval': '30 s' }, rest: 'proxy' },
  kudo: { waiterImage: 'registry.test/busybox:1', packages: { bind: true } },
  notify: { config: { webhooks: [{ url: 'https://hooks.test', events: ['failed'] }] } },
  metrics: {
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    grafanaDashboard: { enabled: true },
  },
};

/** What the chart gives for these values, without the definitions unless they are asked for: they take longest, and never change. */
export function rendered(values: JsonObject = {}, at: Release = release, crds = false): Rendered {
  return renderChart(chart, at, crds ? values : { ...values, crds: { install: false } }, engine);
}

/** `Kind namespace/name`, without the namespace of the release: short enough for a table. */
export function namesOf(objects: readonly AnyObject[]): readonly string[] {
  return objects.map(({ kind, metadata: { namespace, name } }) =>
    namespace === undefined || namespace === release.namespace ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
}

/** The only object of a kind, or the one of a name. */
export function the<T = AnyObject>({ objects, hooks }: Rendered, kind: string, name?: string): T {
  const found = [...objects, ...hooks].filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (found.length !== 1) throw new Error(`there are ${found.length} of ${kind} ${name ?? ''}`);
  return found[0] as T;
}
