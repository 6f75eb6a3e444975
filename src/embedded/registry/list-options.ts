import { forbiddenValue, unsupportedValue } from '../schema/field-error.ts';
import { badRequest, type FieldError, invalid } from '../status-error.ts';

/** What a list or watch asks for. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** 0 is no limit. */
  readonly limit: number;
  readonly continue: string;
  /** Empty: the newest. */
  readonly resourceVersion: string;
  readonly match: 'Exact' | 'NotOlderThan' | undefined;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the options of a list or watch from its query.
 *
 * @throws StatusError 400 for what cannot be read, 422 for what does not go together
 */
export function listOptions(query: URLSearchParams): ListOptions {
  const text = (name: string): string => query.get(name) ?? '';
  const options: ListOptions = {
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    limit: integer(query, 'limit') ?? 0,
    continue: text('continue'),
    resourceVersion: text('resourceVersion'),
    match: (text('resourceVersionMatch') || undefined) as ListOptions['match'],
    watch: flag(query, 'watch') ?? false,
    bookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  };
  const errors = options.watch ? checkWatch(options) : checkList(options);
  if (errors.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', errors);
  return options;
}

/** The revision a request names; 0 for "any" and "newest". */
export function revisionOf(resourceVersion: string): number {
  if (resourceVersion === '') return 0;
  if (!/^\d{1,15}$/.test(resourceVersion)) {
    const quoted = JSON.stringify(resourceVersion);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
    );
  }
  return Number(resourceVersion);
}

function checkList({ match, resourceVersion, continue: token, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (match !== undefined) {
    if (resourceVersion === '') {
      errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (token) errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedValue(field, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenValue(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function checkWatch({ match, continue: token, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenValue(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== undefined) {
    if (sendInitialEvents === undefined) {
      errors.push(
        forbiddenValue(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    }
    if (match !== 'NotOlderThan') errors.push(unsupportedValue(field, match, ['NotOlderThan']));
    if (token) errors.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** A flag that is given without a value is set. */
function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return !['0', 'false', 'FALSE', 'False', 'f', 'F'].includes(text);
}
