import { messages } from '../generated/protobuf.ts';
import { wire } from './reader.ts';

/** One field of a message. */
export interface Field {
  /** Its name in JSON. */
  readonly name: string;
  /** A scalar's name, or a message's: `core.v1.Container`. Of a map, the type of its values. */
  readonly type: string;
  /** `inline`: the message's fields appear in JSON beside, not below. */
  readonly shape: 'single' | 'list' | 'map' | 'inline';
  /** Whether a zero value means something: Go tells it from "not set", or writes it out. */
  readonly keepsZero: boolean;
  readonly wire: number;
  readonly elementWire: number;
}

export interface Message {
  readonly byNumber: ReadonlyMap<number, Field>;
  /** The field whose list the message stands for: Go's named slices are messages on the wire only. */
  readonly list: string | undefined;
}

const parsed = new Map<string, Message>();

/** The fields of a message, parsed from the generated table when first asked for. */
export function fieldsOf(message: string): Message {
  const known = parsed.get(message);
  if (known) return known;
  const byNumber = new Map<number, Field>();
  let list: string | undefined;
  for (const line of (messages[message] as string).split('; ')) {
    if (line === '') continue;
    const [number, name = '', type = '', flag] = line.split(' ');
    if (flag === '[]') list = name;
    const element = type.replace(/^(\[\]|\{\})/, '');
    const elementWire = wireOf(element);
    byNumber.set(Number(number), {
      name,
      type: element,
      shape: flag === '>' ? 'inline' : type.startsWith('[]') ? 'list' : type.startsWith('{}') ? 'map' : 'single',
      keepsZero: flag === '*',
      wire: type.startsWith('{}') ? wire.bytes : elementWire,
      elementWire,
    });
  }
  const result = { byNumber, list };
  parsed.set(message, result);
  return result;
}

function wireOf(type: string): number {
  if (type === 'double') return wire.fixed64;
  return type === 'bool' || type === 'int32' || type === 'int64' ? wire.varint : wire.bytes;
}
