/** One picture: a title, how its numbers are read, and the queries with the words of their legend. */
interface Picture {
  readonly title: string;
  readonly what: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  readonly unit: string;
  readonly width: number;
  readonly stack?: boolean;
  /** A number from which it is bad. */
  readonly badFrom?: number;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

interface Row {
  readonly title: string;
  readonly pictures: readonly Picture[];
}

const kinds = 'family=~"$family",kind=~"$kind"';
const quantile = (q: number, metric: string, by: string, matchers: string): string =>
  `histogram_quantile(${q}, sum by (${by}, le) (rate(${metric}_bucket{${matchers}}[$__rate_interval])))`;

/** From what people look at first to what explains it. */
const rows: readonly Row[] = [
  {
    title: 'Fleet',
    pictures: [
      count(
        'Serve nothing',
        'Served once, should serve, and do not.',
        `sum(max by (family, kind) (cutover_workloads_not_serving{${kinds}}))`,
        1,
      ),
      count('Failed', 'Do not serve, or do not get on.', phase('failed'), 1),
      count('Degraded', 'Serve, but not what or not as well as they should.', phase('degraded'), 1),
      count(
        'Wait for a person',
        'cutover list -A --filter needs-you',
        `sum(max by (family, kind) (cutover_workloads_needing_a_person{${kinds}}))`,
        1,
      ),
      count(
        'In transition',
        'Something is being redone.',
        `sum(max by (family, kind) (cutover_workloads_in_transition{${kinds}}))`,
      ),
      count('All', 'Workloads of every phase.', `sum(max by (family, kind, phase) (cutover_workloads{${kinds}}))`),
      {
        title: 'Workloads by phase',
        what: 'Every replica counts all of them, so the maximum is taken.',
        type: 'timeseries',
        unit: 'short',
        width: 16,
        stack: true,
        queries: [[`sum by (phase) (max by (family, kind, phase) (cutover_workloads{${kinds}}))`, '{{phase}}']],
      },
      {
        title: 'Left alone',
        what: 'Paused, managed by another operator, or with a definition that is too old.',
        type: 'timeseries',
        unit: 'short',
        width: 8,
        queries: [
          [
            `sum by (condition) (max by (family, kind, condition) (cutover_workloads_set_aside{${kinds}}))`,
            '{{condition}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Transitions',
    pictures: [
      {
        title: 'How long changes take',
        what: 'Half of them, and all but one in twenty.',
        type: 'timeseries',
        unit: 's',
        width: 12,
        queries: [
          [quantile(0.5, 'cutover_transition_duration_seconds', 'kind', kinds), '{{kind}} p50'],
          [quantile(0.95, 'cutover_transition_duration_seconds', 'kind', kinds), '{{kind}} p95'],
        ],
      },
      {
        title: 'How they ended',
        what: 'By the phase of the workload afterwards, in each interval.',
        type: 'timeseries',
        unit: 'short',
        width: 12,
        stack: true,
        queries: [
          [
            `sum by (ended) (max by (kind, ended) (increase(cutover_transition_duration_seconds_count{${kinds}}[$__interval])))`,
            '{{ended}}',
          ],
        ],
      },
      {
        title: 'Age of the oldest that waits for nobody',
        what: 'A line that only grows is a change that does not get on.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[`time() - min by (kind) (cutover_oldest_transition_start_timestamp_seconds{${kinds}})`, '{{kind}}']],
      },
      {
        title: 'Gaps in serving',
        what: 'How long nothing served although something should have, all but one in twenty.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[quantile(0.95, 'cutover_serving_gap_seconds', 'kind', kinds), '{{kind}} p95']],
      },
      {
        title: 'Time spent by phase',
        what: 'How long workloads stayed in a phase that they left, half of them.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[quantile(0.5, 'cutover_phase_duration_seconds', 'phase', kinds), '{{phase}}']],
      },
      {
        title: 'What the operator said',
        what: 'Warnings among the Kubernetes events, by reason.',
        type: 'timeseries',
        unit: 'short',
        width: 24,
        stack: true,
        queries: [['sum by (reason) (increase(cutover_events_total{type="Warning"}[$__interval]))', '{{reason}}']],
      },
    ],
  },
  {
    title: 'Operator health',
    pictures: [
      { ...count('Leads', 'Replicas that hold the lease.', 'sum(cutover_leader)'), width: 4 },
      {
        title: 'Versions',
        what: 'Which versions run.',
        type: 'stat',
        unit: 'short',
        width: 8,
        queries: [['count by (version) (cutover_build_info)', '{{version}}']],
      },
      {
        title: 'Memory',
        what: 'Resident memory of each replica, and what it may use.',
        type: 'timeseries',
        unit: 'bytes',
        width: 12,
        queries: [
          ['process_resident_memory_bytes and on (instance) cutover_build_info', '{{instance}}'],
          ['max(cutover_memory_limit_bytes > 0)', 'limit'],
        ],
      },
      {
        title: 'Reconciles by result',
        what: '`retry`: something could not be done now; `bug`: the program is wrong.',
        type: 'timeseries',
        unit: 'ops',
        width: 8,
        stack: true,
        queries: [['sum by (result) (rate(cutover_reconcile_duration_seconds_count[$__rate_interval]))', '{{result}}']],
      },
      {
        title: 'Reconcile time, p99',
        what: 'By controller.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[quantile(0.99, 'cutover_reconcile_duration_seconds', 'controller', ''), '{{controller}}']],
      },
      {
        title: 'Time in line, p99',
        what: 'By lane: edits of people overtake everything else.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[quantile(0.99, 'cutover_queue_latency_seconds', 'lane', ''), '{{lane}}']],
      },
      {
        title: 'Length of lines',
        what: 'Keys that could be worked on now.',
        type: 'timeseries',
        unit: 'short',
        width: 8,
        queries: [['sum by (lane) (cutover_queue_depth{lane!="delayed"})', '{{lane}}']],
      },
      {
        title: 'Requests to the API server',
        what: 'By status code; `none`: no answer.',
        type: 'timeseries',
        unit: 'reqps',
        width: 8,
        stack: true,
        queries: [['sum by (code) (rate(cutover_api_calls_total[$__rate_interval]))', '{{code}}']],
      },
      {
        title: 'Answer time of the API server, p99',
        what: 'By verb.',
        type: 'timeseries',
        unit: 's',
        width: 8,
        queries: [[quantile(0.99, 'cutover_api_call_duration_seconds', 'verb', ''), '{{verb}}']],
      },
      {
        title: 'Caches out of date',
        what: 'Nothing here is good.',
        type: 'timeseries',
        unit: 's',
        width: 12,
        queries: [['max by (resource) (cutover_cache_stale_seconds) > 0', '{{resource}}']],
      },
      {
        title: 'Processor and event loop',
        what: 'Cores in use, and how late the event loop is, p99.',
        type: 'timeseries',
        unit: 'short',
        width: 12,
        queries: [
          [
            'rate(process_cpu_seconds_total[$__rate_interval]) and on (instance) cutover_build_info',
            '{{instance}} cores',
          ],
          ['nodejs_eventloop_lag_p99_seconds and on (instance) cutover_build_info', '{{instance}} delay'],
        ],
      },
    ],
  },
];

function phase(name: string): string {
  return `sum(max by (family, kind) (cutover_workloads{${kinds},phase="${name}"}))`;
}

function count(title: string, what: string, expr: string, badFrom?: number): Picture {
  return {
    title,
    what,
    type: 'stat',
    unit: 'short',
    width: 4,
    queries: [[expr, '']],
    ...(badFrom !== undefined && { badFrom }),
  };
}

const source = { type: 'prometheus', uid: '$datasource' };
const gridWidth = 24;

/** The dashboard, as Grafana 10 and newer import it. */
export function grafanaDashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const { title, pictures } of rows) {
    panels.push({ type: 'row', title, collapsed: false, gridPos: { h: 1, w: gridWidth, x: 0, y: y++ }, panels: [] });
    let [x, height] = [0, 0];
    for (const picture of pictures) {
      const h = picture.type === 'stat' ? 4 : 8;
      if (x + picture.width > gridWidth) [x, y, height] = [0, y + height, 0];
      panels.push({ ...panelOf(picture), gridPos: { h, w: picture.width, x, y } });
      x += picture.width;
      height = Math.max(height, h);
    }
    y += height;
  }
  const dashboard = {
    title: 'Cutover',
    uid: 'cutover',
    description: 'Workloads that Cutover redeploys, their transitions, and the operator itself.',
    tags: ['cutover', 'kubernetes'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 },
        variable('family', 'label_values(cutover_workloads, family)'),
        variable('kind', 'label_values(cutover_workloads{family=~"$family"}, kind)'),
      ],
    },
    annotations: { list: [] },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelOf({ title, what, type, unit, stack, badFrom, queries }: Picture): object {
  const thresholds = {
    mode: 'absolute',
    steps: [{ color: 'green', value: null }, ...(badFrom === undefined ? [] : [{ color: 'red', value: badFrom }])],
  };
  const drawn =
    type === 'timeseries'
      ? { custom: { fillOpacity: stack ? 30 : 5, stacking: { mode: stack ? 'normal' : 'none' } } }
      : {};
  return {
    type,
    title,
    description: what,
    datasource: source,
    fieldConfig: { defaults: { unit, min: 0, thresholds, ...drawn }, overrides: [] },
    options:
      type === 'stat'
        ? { colorMode: badFrom === undefined ? 'none' : 'background', reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: source,
      expr,
      legendFormat: legendFormat || '__auto',
    })),
  };
}

function variable(name: string, query: string): object {
  return {
    name,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    type: 'query',
    datasource: source,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}
