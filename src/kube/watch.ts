import { KubeError } from './error.ts';
import { errorFromStatus, isStatus } from './error-from.ts';
import { lines } from './lines.ts';
import type { KubeObject, ObjectMeta } from './object.ts';

/** What a watch tells. An ERROR event is not among them: it is thrown. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  /** The object is new, or newly matches the selectors. */
  | { readonly type: 'ADDED'; readonly object: T }
  | { readonly type: 'MODIFIED'; readonly object: T }
  /** The object is gone, or no longer matches; it is shown as it was last. */
  | { readonly type: 'DELETED'; readonly object: T }
  /** Nothing happened up to this resource version. The object has no more than this. */
  | { readonly type: 'BOOKMARK'; readonly object: { readonly metadata: ObjectMeta } };

/** The bookmark that ends the initial events of a streaming list carries this annotation. */
export const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * The events of a watch, whose body is opened when the first is asked for.
 *
 * Errors: whatever an ERROR event says (`gone` above all), `garbled` for what is no event, and what the body throws.
 */
export async function* watchEvents<T extends KubeObject>(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  what: string,
  textOf: (line: Buffer) => string = (line) => line.toString('utf8'),
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  for await (const line of lines(await open())) yield decode<T>(textOf(line), what);
}

function decode<T extends KubeObject>(text: string, what: string): WatchEvent<T> {
  let event: { readonly type?: unknown; readonly object?: unknown };
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw new KubeError('garbled', `${what}: the watch sent something that is not JSON`, { cause });
  }
  if (typeof event !== 'object' || event === null || typeof event.object !== 'object' || event.object === null) {
    throw new KubeError('garbled', `${what}: the watch sent something that is not an event`);
  }
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (!('metadata' in event.object) || !isObject(event.object.metadata)) {
        throw new KubeError('garbled', `${what}: the watch sent an object without metadata`);
      }
      return event as WatchEvent<T>;
    case 'ERROR':
      if (isStatus(event.object)) throw errorFromStatus(event.object, what);
      throw new KubeError('garbled', `${what}: the watch sent an error that is no Status`);
    default:
      throw new KubeError('garbled', `${what}: the watch sent an event of type ${JSON.stringify(event.type)}`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
