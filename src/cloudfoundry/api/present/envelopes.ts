import type { LogLine } from '../logs/log-line.ts';

/** What one instance used at a moment. */
export interface Gauge {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly instance: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<string, { readonly unit: string; readonly value: number }>>;
}

/**
 * The answer of log-cache's `read`: JSON of protocol buffers, which clients read strictly. A field that the message does not
 * have would be an error to them.
 */
export function presentEnvelopes(envelopes: readonly object[]): object {
  return { envelopes: { batch: envelopes } };
}

export function logEnvelope(sourceId: string, { time, payload, kind, sourceType, instance }: LogLine): object {
  return {
    timestamp: String(time),
    source_id: sourceId,
    instance_id: instance,
    tags: { source_type: sourceType },
    log: { payload: payload.toString('base64'), type: kind },
  };
}

export function gaugeEnvelope(sourceId: string, { time, instance, tags, metrics }: Gauge): object {
  return { timestamp: String(time), source_id: sourceId, instance_id: instance, tags, gauge: { metrics } };
}
