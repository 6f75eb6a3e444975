import type { AnyObject } from '../../kube/object.ts';
import { decodeProtobuf } from '../protobuf/decode.ts';
import { type Body, checkShape, type Meant } from '../registry/decode.ts';
import type { Draft } from '../resource.ts';
import { isFields } from '../schema/json.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { MalformedJson, parseJson } from './json-text.ts';
import { offered } from './negotiate.ts';
import { parseYaml } from './yaml-text.ts';

/** The longest body the server reads, as the real one. */
export const bodyLimit = 3 * 1024 * 1024;

/** @throws StatusError 413 */
export function checkLength(bytes: number): void {
  if (bytes <= bodyLimit) return;
  throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
}

/** What a request carries. */
export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * The object in the body of a request.
 *
 * @throws StatusError 400 when it cannot be read, 415 when its format is unknown
 */
export async function objectIn(content: Content, resource: Meant): Promise<Body> {
  const { value, duplicates } = await valueIn(content, (why) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; ${why}`,
    ),
  );
  if (value === null) return { draft: { metadata: {} } as Draft, duplicates };
  if (!isFields(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    if (value[field] !== undefined && value[field] !== null && typeof value[field] !== 'string') {
      throw badRequest(`json: cannot unmarshal ${typeof value[field]} into Go struct field .${field} of type string`);
    }
  }
  const draft = value as unknown as Draft;
  checkShape(resource, draft);
  return { draft, duplicates };
}

/** The JSON value in a body of any format that a request may have. */
export async function valueIn(
  { type, bytes }: Content,
  malformed: (why: string) => StatusError,
): Promise<{ readonly value: unknown; readonly duplicates: readonly string[] }> {
  switch (type.split(';', 1)[0]?.trim().toLowerCase()) {
    case '':
    case 'application/json':
      return jsonIn(bytes, malformed);
    case 'application/yaml':
      return parseYaml(textOf(bytes), malformed);
    case 'application/vnd.kubernetes.protobuf':
      return { value: decodeProtobuf(bytes) as AnyObject, duplicates: [] };
    default:
      throw unsupported(offered);
  }
}

/** The JSON value in a body that can be nothing else. */
export function jsonIn(
  bytes: Uint8Array,
  malformed: (why: string) => StatusError,
): { readonly value: unknown; readonly duplicates: readonly string[] } {
  if (bytes.length === 0) throw malformed('json parse error: unexpected end of JSON input (<empty>)');
  try {
    return parseJson(textOf(bytes));
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const why = `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
    throw malformed(`json parse error: ${why} (${textOf(bytes.subarray(0, 1024))})`);
  }
}

export function unsupported(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
