import type { Clock, Instant } from '../../clock/clock.ts';
import type { AnyObject } from '../../kube/object.ts';
import { type Phase, phases, type Summary } from '../../portrait/summary.ts';
import type { FleetMetrics, KindLabels } from './fleet-metrics.ts';

/** The conditions by which standing aside is shown. */
const asideTypes = ['Paused', 'ManagedElsewhere', 'SchemaOutdated', 'NotReadable'] as const;
type Aside = (typeof asideTypes)[number];

/** How many workloads of a kind are how. */
export interface FleetCount extends KindLabels {
  readonly phase: Readonly<Record<Phase, number>>;
  readonly aside: Readonly<Record<Aside, number>>;
  readonly inTransition: number;
  readonly needed: number;
  readonly notServing: number;
  /** When the oldest of the transitions began that wait for nobody. */
  readonly oldestTransition?: Instant;
}

/** What is remembered of a workload: little, for there may be ten thousand. */
interface Seen {
  readonly kind: KindLabels;
  readonly phase: Phase;
  readonly phaseSince: Instant;
  readonly needed: boolean;
  readonly transitionSince: Instant | undefined;
  /** Whether anything ever served, as far as this process has seen or the phase tells. */
  readonly served: boolean;
  readonly gapSince: Instant | undefined;
  readonly aside: Aside | undefined;
}

/** Phases in which nothing is expected to serve, or nobody can tell. */
const mayBeIdle: ReadonlySet<Phase> = new Set(['suspended', 'deleting', 'unknown', 'paused']);

/** Counts workloads, and measures how long they are how. Times before this process began are taken from the workloads themselves. */
export class Tally {
  readonly #clock: Clock;
  readonly #metrics: Pick<FleetMetrics, 'phaseEnded' | 'transitionEnded' | 'gapEnded'>;
  readonly #kinds: readonly KindLabels[];
  readonly #seen = new Map<string, Seen>();

  constructor(
    clock: Clock,
    metrics: Pick<FleetMetrics, 'phaseEnded' | 'transitionEnded' | 'gapEnded'>,
    kinds: readonly KindLabels[],
  ) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#kinds = kinds;
  }

  /** A workload is as the summary says. Sides of another workload are counted with that one, so they are left out. */
  is(id: string, kind: KindLabels, summary: Summary, object: AnyObject): void {
    if (summary.partOf) {
      this.gone(id);
      return;
    }
    const before = this.#seen.get(id);
    const now = this.#clock.now();
    const { phase } = summary;
    const samePhase = before?.phase === phase;
    if (before && !samePhase) this.#metrics.phaseEnded(kind, before.phase, now - before.phaseSince);
    if (before?.transitionSince !== undefined && !summary.inTransition && phase !== 'deleting') {
      this.#metrics.transitionEnded(kind, phase, now - before.transitionSince);
    }
    const idle = summary.serving === 'nothing';
    const served = before?.served === true || !idle;
    const gap = served && idle && !mayBeIdle.has(phase);
    if (before?.gapSince !== undefined && !idle) this.#metrics.gapEnded(kind, now - before.gapSince);
    this.#seen.set(id, {
      kind,
      phase,
      phaseSince: samePhase ? before.phaseSince : before ? now : (instantIn(summary.since, now) ?? now),
      needed: summary.needsYou !== undefined,
      transitionSince: summary.inTransition
        ? (before?.transitionSince ?? instantIn(summary.since, now) ?? now)
        : undefined,
      served,
      gapSince: gap ? (before?.gapSince ?? now) : undefined,
      aside: asideOf(object),
    });
  }

  gone(id: string): void {
    this.#seen.delete(id);
  }

  /** Every kind, also those of which there is none: a number that is absent looks like one that nobody measures. */
  counts(): readonly FleetCount[] {
    return this.#kinds.map((kind) => this.#count(kind));
  }

  #count(kind: KindLabels): FleetCount {
    const phase = Object.fromEntries(phases.map((one) => [one, 0])) as Record<Phase, number>;
    const aside = Object.fromEntries(asideTypes.map((one) => [one, 0])) as Record<Aside, number>;
    let [inTransition, needed, notServing] = [0, 0, 0];
    let oldest: Instant | undefined;
    for (const seen of this.#seen.values()) {
      if (seen.kind !== kind) continue;
      phase[seen.phase]++;
      if (seen.aside) aside[seen.aside]++;
      if (seen.needed) needed++;
      if (seen.gapSince !== undefined) notServing++;
      if (seen.transitionSince === undefined) continue;
      inTransition++;
      const moves = seen.phase !== 'waiting' && seen.phase !== 'paused';
      if (moves && (oldest === undefined || seen.transitionSince < oldest)) oldest = seen.transitionSince;
    }
    return {
      ...kind,
      phase,
      aside,
      inTransition,
      needed,
      notServing,
      ...(oldest !== undefined && { oldestTransition: oldest }),
    };
  }
}

/** A time that a workload tells; one of the future, or none, is not believed. */
function instantIn(text: string | undefined, now: Instant): Instant | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return instant <= now ? (instant as Instant) : undefined;
}

function asideOf({ status }: AnyObject): Aside | undefined {
  const { conditions } = (status ?? {}) as { readonly conditions?: unknown };
  if (!Array.isArray(conditions)) return undefined;
  return asideTypes.find((type) =>
    conditions.some((one: { type?: unknown; status?: unknown } | null) => one?.type === type && one.status === 'True'),
  );
}
