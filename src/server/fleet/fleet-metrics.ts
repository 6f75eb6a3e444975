import { Gauge, Histogram, Registry } from 'prom-client';
import { catalogueOf } from '../../control/metric-catalogue.ts';
import type { Metrics } from '../../control/metrics.ts';
import { type Phase, phases } from '../../portrait/summary.ts';
import type { FleetCount, Tally } from './tally.ts';

/** From a second to three hours: how long changes take. */
const buckets = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800];

const of = ['family', 'kind'];

/** How transitions mostly end. */
const ends: readonly Phase[] = ['healthy', 'degraded', 'failed'];

/** What is measured when a workload changes; the counts are read from a `Tally`. */
export interface FleetMetrics {
  /** Reads the counts from here, when the page is asked for. */
  counts(tally: Pick<Tally, 'counts'>): void;
  /** It was in a phase for so long, and is no more. */
  phaseEnded(kind: KindLabels, phase: Phase, ms: number): void;
  /** Something was being redone for so long; `ended`: how the workload was then. */
  transitionEnded(kind: KindLabels, ended: Phase, ms: number): void;
  /** Nothing served for so long although something should have, and now it does. */
  gapEnded(kind: KindLabels, ms: number): void;
}

export interface KindLabels {
  readonly family: string;
  readonly kind: string;
}

/**
 * The operator's metrics with those of all workloads on the same page. No label names an object or a namespace: there may be ten
 * thousand. Every replica tells the same, leader or not, so queries take the maximum, not the sum.
 */
export function withFleetMetrics<M extends Metrics>(metrics: M): M & FleetMetrics {
  const registry = new Registry();
  const registers = [registry];
  let read: () => readonly FleetCount[] = () => [];
  const gauge = (name: string, help: string, value: (count: FleetCount) => number | undefined): void => {
    new Gauge({
      name,
      help,
      labelNames: of,
      registers,
      collect() {
        this.reset();
        for (const count of read()) {
          const { family, kind } = count;
          const number = value(count);
          if (number !== undefined) this.set({ family, kind }, number);
        }
      },
    });
  };
  new Gauge({
    name: 'cutover_workloads',
    help: `Workloads by phase: ${phases.toSorted().join(', ')}.`,
    labelNames: [...of, 'phase'],
    registers,
    collect() {
      for (const { family, kind, phase } of read())
        for (const one of phases) this.set({ family, kind, phase: one }, phase[one]);
    },
  });
  gauge('cutover_workloads_in_transition', 'Workloads of which something is being redone.', (one) => one.inTransition);
  gauge(
    'cutover_workloads_needing_a_person',
    'Workloads that do not get on, or not as they should, until a person does something: `cutover list` says what.',
    (one) => one.needed,
  );
  gauge(
    'cutover_workloads_not_serving',
    'Workloads that served once, should serve and do not.',
    (one) => one.notServing,
  );
  gauge(
    'cutover_oldest_transition_start_timestamp_seconds',
    'When the longest of the transitions that are under way and wait for nobody began, as Unix time; absent when there is none.',
    (one) => (one.oldestTransition === undefined ? undefined : one.oldestTransition / 1000),
  );
  new Gauge({
    name: 'cutover_workloads_set_aside',
    help: 'Workloads that the operator leaves alone, by the condition that says why.',
    labelNames: [...of, 'condition'],
    registers,
    collect() {
      for (const { family, kind, aside } of read())
        for (const [condition, count] of Object.entries(aside)) this.set({ family, kind, condition }, count);
    },
  });
  const phaseDuration = new Histogram({
    name: 'cutover_phase_duration_seconds',
    help: 'How long workloads stayed in a phase that they have left.',
    labelNames: [...of, 'phase'],
    buckets,
    registers,
  });
  const transitionDuration = new Histogram({
    name: 'cutover_transition_duration_seconds',
    help: 'How long something was being redone, by the phase of the workload when that ended: healthy, or degraded when it was given up.',
    labelNames: [...of, 'ended'],
    buckets,
    registers,
  });
  const gap = new Histogram({
    name: 'cutover_serving_gap_seconds',
    help: 'How long nothing served although something should have, for gaps that have ended.',
    labelNames: of,
    buckets,
    registers,
  });
  return {
    ...metrics,
    async page() {
      const [{ contentType, text }, own] = await Promise.all([metrics.page(), registry.metrics()]);
      return { contentType, text: `${text.endsWith('\n') ? text : `${text}\n`}${own}` };
    },
    catalogue: () => [...metrics.catalogue(), ...catalogueOf(registry)],
    counts(tally) {
      read = () => tally.counts();
      // A counter that appears with its first increment shows no increase.
      for (const { family, kind } of read()) {
        for (const ended of ends) transitionDuration.zero({ family, kind, ended });
      }
    },
    phaseEnded: ({ family, kind }, phase, ms) => phaseDuration.observe({ family, kind, phase }, ms / 1000),
    transitionEnded: ({ family, kind }, ended, ms) => transitionDuration.observe({ family, kind, ended }, ms / 1000),
    gapEnded: ({ family, kind }, ms) => gap.observe({ family, kind }, ms / 1000),
  };
}
