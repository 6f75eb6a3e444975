import type { AnyObject, Json } from '../../kube/object.ts';
import { kinds } from '../generated/protobuf.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { type Field, fieldsOf } from './fields.ts';
import { malformed, Reader, wire } from './reader.ts';
import { isZero, special } from './special.ts';

const magic = [0x6b, 0x38, 0x73, 0x00];

/** Whether a content type announces Kubernetes' protobuf. */
export function isProtobuf(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/vnd.kubernetes.protobuf';
}

/**
 * Reads a request body in Kubernetes' protobuf: the magic, an envelope with the kind, and the message of that kind.
 * The result is what the JSON form of the same object would be.
 *
 * Errors: 400 for bytes that are no such thing, 415 for kinds that this server reads only as JSON or YAML.
 */
export function decodeProtobuf(body: Uint8Array): AnyObject {
  if (body.length === 0) throw badRequest('empty data');
  if (magic.some((byte, at) => body[at] !== byte)) {
    throw badRequest(
      `provided data does not appear to be a protobuf message, expected prefix [${magic.map(Number).join(' ')}]`,
    );
  }
  const { apiVersion, kind, raw } = envelope(new Reader(body, magic.length));
  const message = messageFor(apiVersion, kind);
  if (message === undefined) {
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    );
  }
  const object = decodeMessage(new Reader(raw), message);
  return { apiVersion, kind, metadata: {}, ...(object as object) };
}

function messageFor(apiVersion: string, kind: string): string | undefined {
  // Every group has DeleteOptions of its own name and the same shape.
  if (kind === 'DeleteOptions') return kinds['*/DeleteOptions'];
  const key = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}/${kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** `runtime.Unknown`: what kind of object, and its bytes. */
function envelope(reader: Reader): { apiVersion: string; kind: string; raw: Uint8Array } {
  let apiVersion = '';
  let kind = '';
  let raw = new Uint8Array();
  while (!reader.done) {
    const { field, type } = reader.tag();
    if (field === 1 && type === wire.bytes) {
      const meta = reader.message();
      while (!meta.done) {
        const tag = meta.tag();
        if (tag.field === 1 && tag.type === wire.bytes) apiVersion = meta.string();
        else if (tag.field === 2 && tag.type === wire.bytes) kind = meta.string();
        else meta.skip(tag.type);
      }
    } else if (field === 2 && type === wire.bytes) raw = new Uint8Array(reader.bytes());
    else reader.skip(type);
  }
  return { apiVersion, kind, raw };
}

type JsonRecord = { [key: string]: Json };

function decodeMessage(reader: Reader, message: string): Json {
  const reads = special[message];
  if (reads) return reads(reader);

  const { byNumber, list } = fieldsOf(message);
  const object: JsonRecord = {};
  while (!reader.done) {
    const { field: number, type } = reader.tag();
    const field = byNumber.get(number);
    if (field) read(reader, field, type, object);
    else reader.skip(type);
  }
  return list ? (object[list] ?? []) : object;
}

function read(reader: Reader, field: Field, type: number, into: JsonRecord): void {
  if (type !== field.wire) throw malformed(`wrong wireType = ${type} for field ${field.name}`);
  switch (field.shape) {
    case 'map': {
      const entry = reader.message();
      into[field.name] ??= {};
      let key = '';
      let value: Json | undefined;
      while (!entry.done) {
        const tag = entry.tag();
        if (tag.field === 1 && tag.type === wire.bytes) key = entry.string();
        else if (tag.field === 2 && tag.type === field.elementWire) value = single(entry, field.type);
        else entry.skip(tag.type);
      }
      put(
        into[field.name] as JsonRecord,
        key,
        value ?? (field.type === 'string' || field.type === 'bytes' ? '' : null),
      );
      return;
    }
    case 'list': {
      into[field.name] ??= [];
      (into[field.name] as Json[]).push(single(reader, field.type));
      return;
    }
    case 'inline':
      Object.assign(into, single(reader, field.type));
      return;
    case 'single': {
      const value = single(reader, field.type);
      if (value === null || (!field.keepsZero && isZero(field.type, value))) return;
      into[field.name] = value;
      return;
    }
    default:
      field.shape satisfies never;
  }
}

/** Assigns a key that a stranger chose, as an own property whatever it spells. */
function put(map: JsonRecord, key: string, value: Json): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

function single(reader: Reader, type: string): Json {
  switch (type) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.varint() !== 0n;
    case 'int32':
    case 'int64':
      return reader.integer();
    case 'double':
      return reader.double();
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    default:
      return decodeMessage(reader.message(), type);
  }
}
