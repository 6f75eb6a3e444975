import { unparsable } from '../cf-error.ts';

/** Which envelopes are asked for. Times are nanoseconds since the epoch. */
export interface LogQuery {
  /** From here on, this instant included. */
  readonly start: bigint;
  /** Up to here, this instant not included. */
  readonly end: bigint | undefined;
  /** At most so many: the newest when `descending`, else the oldest. */
  readonly limit: number;
  /** The newest first. */
  readonly descending: boolean;
  readonly logs: boolean;
  readonly gauges: boolean;
}

const envelopeTypes = new Set(['ANY', 'LOG', 'COUNTER', 'GAUGE', 'TIMER', 'EVENT']);
const mostAtOnce = 1000;
const otherwise = 100;

/** Reads the query of log-cache's `read`. Without types it means logs. @throws CfError 400 */
export function logQuery(query: URLSearchParams): LogQuery {
  const types = query.getAll('envelope_types').flatMap((text) => text.split(',').filter((type) => type !== ''));
  if (types.some((type) => !envelopeTypes.has(type))) throw unparsable();
  const descending = query.get('descending') ?? 'false';
  if (descending !== 'true' && descending !== 'false') throw unparsable();
  const any = types.includes('ANY');
  return {
    start: nanoseconds(query.get('start_time')) ?? -(2n ** 63n),
    end: nanoseconds(query.get('end_time')),
    limit: limitOf(query.get('limit')),
    descending: descending === 'true',
    logs: any || types.length === 0 || types.includes('LOG'),
    gauges: any || types.includes('GAUGE'),
  };
}

function nanoseconds(text: string | null): bigint | undefined {
  if (text === null || text === '') return undefined;
  if (!/^-?\d{1,19}$/.test(text)) throw unparsable();
  return BigInt(text);
}

function limitOf(text: string | null): number {
  if (text === null || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw unparsable();
  const limit = Number(text);
  if (limit > mostAtOnce) throw unparsable();
  return limit === 0 ? otherwise : limit;
}
