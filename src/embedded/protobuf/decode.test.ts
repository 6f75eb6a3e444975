import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../status-error.ts';
import { decodeProtobuf, isProtobuf } from './decode.ts';

interface Recorded {
  readonly command: string;
  readonly body: string;
  readonly object: unknown;
}

/** Bodies that real kubectl sent and the real server answered, each with the JSON that the same program gave for it. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'));
const body = (command: string): Buffer =>
  Buffer.from(recorded.find((each) => each.command === command)?.body ?? '', 'base64');

/** Go writes empty structs and null slices into JSON that protobuf does not send; the server reads both the same. */
function withoutEmptyStructs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyStructs);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const inner = withoutEmptyStructs(each);
    const struct = ['spec', 'status', 'strategy', 'resources', 'metadata', 'loadBalancer'].includes(key);
    const empty = inner === null || (struct && JSON.stringify(inner) === '{}');
    return empty ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}

const refusal = (bytes: Uint8Array): StatusError => {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('it was read');
};

describe('decodeProtobuf', () => {
  it.each(recorded.map((each) => [each.command, each] as const))('reads %s', (_, { body, object }) => {
    const decoded = decodeProtobuf(Buffer.from(body, 'base64'));
    expect(withoutEmptyStructs(decoded)).toEqual(withoutEmptyStructs(object));
  });

  it('keeps an empty emptyDir and a storage class that is set to nothing, which mean something', () => {
    const pod = decodeProtobuf(body("the real server's own Pod")) as { spec?: { volumes: { emptyDir?: unknown }[] } };
    expect(pod.spec?.volumes[0]?.emptyDir).toEqual({});
    const claim = decodeProtobuf(body("the real server's own PersistentVolumeClaim")) as { spec?: unknown };
    expect(claim.spec).toMatchObject({ storageClassName: '' });
  });

  it('reads DeleteOptions of any group', () => {
    const options = message('apps/v1', 'DeleteOptions', [0x08, 0x1e, 0x22, 0x06, ...Buffer.from('Orphan')]);
    expect(decodeProtobuf(options)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      metadata: {},
      gracePeriodSeconds: 30,
      propagationPolicy: 'Orphan',
    });
  });

  it('passes over fields that it does not know', () => {
    const unknown = [
      0xf8, 0x3f, 0x01, 0xfa, 0x3f, 0x01, 0x61, 0xfd, 0x3f, 1, 2, 3, 4, 0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8,
    ];
    expect(decodeProtobuf(message('v1', 'ConfigMap', unknown))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {},
    });
  });

  it('takes map keys for what they are, __proto__ included', () => {
    const entry = [0x0a, 9, ...Buffer.from('__proto__'), 0x12, 1, 0x61];
    const decoded = decodeProtobuf(message('v1', 'ConfigMap', [0x12, entry.length, ...entry]));
    expect(JSON.stringify(decoded.data)).toBe('{"__proto__":"a"}');
    expect(Object.getPrototypeOf(decoded.data)).toBe(Object.prototype);
  });

  it('answers 415 for kinds that it cannot read', () => {
    const { status } = refusal(message('example.com/v1', 'Widget', []));
    expect(status).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    expect(refusal(message('v1', 'constructor', [])).status.code).toBe(415);
  });

  it('answers 400 for bytes that are no protobuf', () => {
    expect(refusal(Buffer.from('{"kind":"Pod"}')).status).toMatchObject({
      code: 400,
      message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    });
    expect(refusal(new Uint8Array()).status.code).toBe(400);
  });

  it('answers 400 for every body that is cut off inside a field, never anything worse', () => {
    fc.assert(
      fc.property(fc.constantFrom(...recorded), fc.nat(), (each, at) => {
        const whole = Buffer.from(each.body, 'base64');
        const cut = whole.subarray(0, 1 + (at % (whole.length - 1)));
        try {
          decodeProtobuf(cut);
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
    );
  });

  it('answers with a Status whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeProtobuf(message('v1', 'Pod', [...bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
    );
  });
});

describe('isProtobuf', () => {
  it('looks at the media type only', () => {
    expect(isProtobuf('application/vnd.kubernetes.protobuf;charset=x')).toBe(true);
    expect(isProtobuf('application/json')).toBe(false);
    expect(isProtobuf(undefined)).toBe(false);
  });
});

/** A body in its envelope. */
function message(apiVersion: string, kind: string, raw: readonly number[]): Uint8Array {
  const field = (number: number, bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([number * 8 + 2, ...varint(bytes.length)]), bytes]);
  const meta = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, meta), field(2, Uint8Array.from(raw))]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
