import { badRequest, StatusError } from '../status-error.ts';
import { type Entry, pathOf } from '../store/entry.ts';
import { decodeToken, encodeToken } from './continue-token.ts';
import type { Call, Ground } from './ground.ts';
import { type ListOptions, revisionOf } from './list-options.ts';
import { selection } from './selection.ts';
import { bucketOf } from './versions.ts';

/** A list, or one page of it. */
export interface Page {
  /** What the whole list shows: later pages show the same revision. */
  readonly revision: number;
  readonly entries: readonly Entry[];
  /** How to ask for the rest; absent on the last page. */
  readonly continue?: string;
  /** How many are left; unknown when a selector is used. */
  readonly remaining?: number;
}

/**
 * Lists a collection at one revision.
 *
 * @throws StatusError 410 when that revision is forgotten; 400 for bad tokens and selectors
 */
export function list(ground: Ground, call: Call, options: ListOptions): Page {
  const { store } = ground;
  const { resource, namespace } = call;
  const bucket = bucketOf(resource);
  const chosen = selection(resource, store, options.labelSelector, options.fieldSelector);
  const { revision, after } = startOf(ground, options);
  const entries = store.listAt(revision, bucket, resource.namespaced && namespace ? namespace : undefined);
  if (!entries) throw expired(options, after);

  const from = after === undefined ? 0 : firstAfter(entries, after);
  // A list at revision 0 is answered whole, as from the real server's cache.
  const limit = options.limit > 0 && options.resourceVersion !== '0' ? options.limit : Number.POSITIVE_INFINITY;
  if (chosen.all && limit === Number.POSITIVE_INFINITY) return { revision, entries: entries.slice(from) };

  const page: Entry[] = [];
  for (let at = from; at < entries.length; at++) {
    const entry = entries[at] as Entry;
    if (!chosen.matches(entry)) continue;
    if (page.length === limit) {
      const token = encodeToken({ revision, after: pathOf(page.at(-1) as Entry) });
      return { revision, entries: page, continue: token, ...(chosen.all && { remaining: entries.length - at }) };
    }
    page.push(entry);
  }
  return { revision, entries: page };
}

/** At which revision to read, and behind which object to begin. */
function startOf(ground: Ground, options: ListOptions): { revision: number; after: string | undefined } {
  const { store } = ground;
  if (options.continue) {
    const token = decodeToken(options.continue);
    if (options.resourceVersion && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    if (token.revision > store.revision) throw tooLarge(token.revision, store.revision);
    return { revision: token.revision < 0 ? store.revision : token.revision, after: token.after };
  }
  const asked = revisionOf(options.resourceVersion);
  if (asked > store.revision) throw tooLarge(asked, store.revision);
  const exact = options.match === 'Exact' || (options.match === undefined && options.limit > 0 && asked > 0);
  return { revision: exact ? asked : store.revision, after: undefined };
}

function expired(options: ListOptions, after: string | undefined): StatusError {
  if (!options.continue)
    return new StatusError(410, 'Expired', 'The resourceVersion for the provided list is too old.');
  const error = new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  const metadata = { continue: encodeToken({ revision: -1, after: after ?? '' }) };
  return Object.assign(error, { status: { ...error.status, metadata } });
}

/** Someone read a revision elsewhere that this server does not have yet. */
export function tooLarge(asked: number, current: number): StatusError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function firstAfter(entries: readonly Entry[], path: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pathOf(entries[middle] as Entry) <= path) low = middle + 1;
    else high = middle;
  }
  return low;
}
