import type { MetricInfo } from '../../src/control/metric-catalogue.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { withFleetMetrics } from '../../src/server/fleet/fleet-metrics.ts';
import { withServerMetrics } from '../../src/server/server-metrics.ts';
import { cell, code, generated } from '../markdown.ts';

/** Those of Node and the process that alerts, dashboards and people look at; the rest depends on platform and Node. */
const ofProcess = [
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
];

/** Every metric that an operator can have, with all its parts switched on. */
export function metricCatalogue(): readonly MetricInfo[] {
  const metrics = withServerMetrics(withFleetMetrics(createMetrics({ process: true, version: 'any' })));
  return metrics.catalogue().filter(({ name }) => isOurs(name) || ofProcess.includes(name));
}

/** Whether the operator gives it its name; others come with Node. */
export function isOurs(name: string): boolean {
  return name.startsWith('cutover_');
}

/** Where people look for a metric. The first title that fits has it. */
const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Workloads', /^cutover_(workloads|oldest_transition|transition|phase|serving)/],
  ['The control loop', /^cutover_(queue|reconcile|actions|repeated|events|leader|shard)/],
  ['The API server', /^cutover_(api|cache|watch)/],
  ['Dashboard and notifications', /^cutover_(dashboard|notifications)/],
  ['The process', /./],
];

/** The page of all metrics. */
export function metricsPage(): string {
  const all = metricCatalogue();
  const titleOf = ({ name }: MetricInfo): string | undefined => groups.find(([, pattern]) => pattern.test(name))?.[0];
  return [
    '# Metrics',
    '',
    generated,
    '',
    'Every replica serves these at `/metrics` on its health port, in the text format of Prometheus. A histogram has the three series',
    '`…_bucket`, `…_sum` and `…_count`. No label names an object: a fleet of ten thousand has as many series as one of ten.',
    '',
    'Every replica counts all workloads, whether it leads or not: take the `max` over replicas of what is told of workloads, not the',
    '`sum`. What the control loop does, only a replica that leads does. The [alerts](runbooks/README.md) show how each is meant.',
    '',
    'Those of dashboard and notifications are there only where these are switched on; those that begin with `process_` or `nodejs_` are',
    'the ones worth looking at of many that come with Node.',
    '',
    ...groups.flatMap(([title]) => [
      `## ${title}`,
      '',
      '| metric | type | labels | |',
      '| --- | --- | --- | --- |',
      ...all.filter((one) => titleOf(one) === title).map(row),
      '',
    ]),
  ].join('\n');
}

function row({ name, type, labels, help }: MetricInfo): string {
  return `| ${code(name)} | ${type} | ${labels.map(code).join(', ')} | ${cell(help)} |`;
}
