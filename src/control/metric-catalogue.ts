import type { Registry } from 'prom-client';

/** What a metric is, for people who write queries. */
export interface MetricInfo {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly labels: readonly string[];
}

/** prom-client keeps this on every metric; its types tell only a part of it. */
interface Kept {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly constructor: { readonly name: string };
}

const types = ['counter', 'gauge', 'histogram', 'summary'] as const;

/** All metrics of a registry, also those that have no sample yet, by name. */
export function catalogueOf(registry: Registry): readonly MetricInfo[] {
  return (registry.getMetricsAsArray() as unknown as readonly Kept[])
    .map((metric): MetricInfo => {
      const { name, help, labelNames = [] } = metric;
      const type = types.find((one) => one === metric.constructor.name.toLowerCase()) ?? 'gauge';
      return { name, type, help, labels: [...labelNames] };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
