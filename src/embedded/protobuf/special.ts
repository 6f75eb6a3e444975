import type { Json } from '../../kube/object.ts';
import { malformed, type Reader, wire } from './reader.ts';

/** Messages that JSON writes as a scalar or as free-form JSON. `null` stands for "not set". */
export const special: Readonly<Record<string, ((reader: Reader) => Json) | undefined>> = {
  'meta.v1.Time': (reader) => time(reader, 0),
  'meta.v1.MicroTime': (reader) => time(reader, 6),
  'meta.v1.Duration': (reader) => duration(fields(reader).get(1)?.number ?? 0),
  'meta.v1.FieldsV1': (reader) => json(fields(reader).get(1)?.bytes),
  'runtime.RawExtension': (reader) => json(fields(reader).get(1)?.bytes),
  'resource.Quantity': (reader) => text(fields(reader).get(1)?.bytes) || '0',
  'intstr.IntOrString': (reader) => {
    const all = fields(reader);
    return all.get(1)?.number === 1 ? text(all.get(3)?.bytes) : (all.get(2)?.number ?? 0);
  },
};

/** Whether a value is its type's zero, which Go leaves out of JSON. */
export function isZero(type: string, value: Json): boolean {
  if (type === 'resource.Quantity') return value === '0';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

interface Value {
  readonly number?: number;
  readonly bytes?: Uint8Array;
}

function fields(reader: Reader): Map<number, Value> {
  const found = new Map<number, Value>();
  while (!reader.done) {
    const { field, type } = reader.tag();
    if (type === wire.varint) found.set(field, { number: reader.integer() });
    else if (type === wire.bytes) found.set(field, { bytes: reader.bytes() });
    else reader.skip(type);
  }
  return found;
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array());

function json(bytes: Uint8Array | undefined): Json {
  if (!bytes || bytes.length === 0) return null;
  try {
    return JSON.parse(text(bytes));
  } catch {
    throw malformed('embedded JSON is malformed');
  }
}

/** RFC 3339 as Go writes it, in UTC: whole seconds for Time, six digits for MicroTime. */
function time(reader: Reader, digits: 0 | 6): Json {
  const all = fields(reader);
  if (all.size === 0) return null;
  const seconds = all.get(1)?.number ?? 0;
  const nanos = all.get(2)?.number ?? 0;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw malformed('time out of range');
  const whole = date.toISOString().slice(0, -5);
  if (digits === 0) return `${whole}Z`;
  return `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

/** Go's notation of a duration in nanoseconds: `1h2m3.5s`, `300ms`. */
function duration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s';
  const sign = nanoseconds < 0 ? '-' : '';
  const total = Math.abs(nanoseconds);
  if (total < 1e3) return `${sign}${total}ns`;
  if (total < 1e6) return `${sign}${total / 1e3}µs`;
  if (total < 1e9) return `${sign}${total / 1e6}ms`;
  const hours = Math.floor(total / 3.6e12);
  const minutes = Math.floor((total % 3.6e12) / 6e10);
  const seconds = (total % 6e10) / 1e9;
  return `${sign}${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds}s`;
}
