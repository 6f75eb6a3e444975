import type { Option } from './option.ts';
import { boolean, decimal, duration, integer, oneOf, optional, text, type ValueKind } from './value-kind.ts';

const [second, minute] = [1000, 60_000];

const fair =
  'Resources are served in turn, namespace by namespace; one that changes often is served once for many changes.';
const backOff = 'After an error a resource waits 5 ms, then twice as long each time, up to 5 minutes, without end.';
const lease =
  'The lease is Cutover’s own: held for 15 s, renewed within 10 s, tried for every 2 s. A single replica may go without: `--no-leader-elect`.';
const metrics = 'Metrics are always on: `/metrics` of `--health-port`, for Prometheus, under Cutover’s own names.';
const health = 'Health is always served: `/livez` and `/readyz` of `--health-port`.';

/**
 * Keys of the Java operator that do nothing here. An existing configuration may hold them, and their values are checked
 * all the same; `says` tells what does their work instead.
 */
export const idleOptions = {
  // Fairness and back-off
  rateLimiterPeriod: idle('rate-limiter.refresh-period', duration, 15 * second, fair),
  rateLimiterLimit: idle('rate-limiter.limit', integer, 5, fair),
  retryInitialInterval: idle('retry.initial.interval', duration, 5 * second, backOff),
  retryMultiplier: idle('retry.interval.multiplier', decimal, 1.5, backOff),
  retryMaxInterval: idle('retry.max.interval', optional(duration), undefined, backOff),
  retryMaxAttempts: idle('retry.max.attempts', integer, 15, backOff),

  // Objects and files
  deletionPropagation: idle(
    'resource.deletion.propagation',
    oneOf('Foreground', 'Background', 'Orphan'),
    'Foreground',
    'Deletion is in the background; whatever waits for it waits until objects and pods are seen gone.',
  ),
  artifactsDirectory: idle(
    'user.artifacts.base.dir',
    text,
    '/opt/flink/artifacts',
    'Jars are kept for a moment where temporary files of the operator go: `TMPDIR`.',
  ),

  // The operator as a program
  dynamicNamespaces: idle(
    'dynamic.namespaces.enabled',
    boolean,
    false,
    'Watched namespaces are read at the start; restart the operator to change them.',
  ),
  configCacheTimeout: idle('config.cache.timeout', duration, 10 * minute, 'Configurations are not cached.'),
  configCacheSize: idle('config.cache.size', integer, 1000, 'Configurations are not cached.'),
  healthProbe: idle('health.probe.enabled', boolean, true, health),
  healthProbePort: idle('health.probe.port', integer, 8085, health),
  canaryTimeout: idle(
    'health.canary.resource.timeout',
    duration,
    minute,
    'Canary resources are left alone. Whether work is done shows in `cutover_queue_latency_seconds`.',
  ),
  stopOnInformerError: idle(
    'startup.stop-on-informer-error',
    boolean,
    true,
    'A kind that cannot be watched is tried again; `/readyz` says which one is missing.',
  ),
  terminationTimeout: idle('termination.timeout', duration, 10 * second, 'Work in hand has 10 s to end.'),
  leaderElection: idle('leader-election.enabled', boolean, false, lease),
  leaseDuration: idle('leader-election.lease-duration', duration, 15 * second, lease),
  leaseRenewDeadline: idle('leader-election.renew-deadline', duration, 10 * second, lease),
  leaseRetryPeriod: idle('leader-election.retry-period', duration, 2 * second, lease),
  resourceViewInterval: idle(
    'cluster.resource-view.refresh-interval',
    optional(duration),
    undefined,
    'It serves the autoscaler, which Cutover does not have.',
  ),

  // Metrics
  metricsJosdk: idle('josdk.metrics.enabled', boolean, true, metrics),
  metricsJvm: idle('jvm.metrics.enabled', boolean, true, 'There is no JVM.'),
  metricsClient: idle('kubernetes.client.metrics.enabled', boolean, true, metrics),
  metricsClientCodes: idle(
    'kubernetes.client.metrics.http.response.code.groups.enabled',
    boolean,
    false,
    'Calls are counted by their codes: `cutover_api_calls_total`.',
  ),
  metricsSlowRequest: idle(
    'kubernetes.client.metrics.slow.request.threshold',
    duration,
    5 * second,
    'How long calls take is a histogram: `cutover_api_call_duration_seconds`.',
  ),
  metricsSampleSize: idle('metrics.histogram.sample.size', integer, 1000, 'Histograms of Prometheus keep no samples.'),
  metricsResource: idle('resource.metrics.enabled', boolean, true, metrics),
  metricsLifecycle: idle('resource.lifecycle.metrics.enabled', boolean, true, metrics),
  metricsLifecycleHistograms: idle('resource.lifecycle.namespace.histograms.enabled', boolean, true, metrics),
} as const;

function idle<T>(name: string, kind: ValueKind<T>, otherwise: NoInfer<T>, says: string): Option<T> {
  return { key: `kubernetes.operator.${name}`, otherKeys: [], kind, otherwise, scope: 'operator', says };
}
