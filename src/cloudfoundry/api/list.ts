import type { KubeObject } from '../../kube/object.ts';
import { compileSelector } from '../../kube/selector/label-selector.ts';
import { badQuery, unprocessable } from './cf-error.ts';
import type { CfContext } from './platform.ts';
import { createdAt, updatedAt } from './present/metadata.ts';

/** What an endpoint that lists understands. */
export interface ListRules<T extends KubeObject = KubeObject> {
  /** The keys of its query, in the order in which an error names them. `page` and `per_page` are to be among them. */
  readonly keys: readonly string[];
  /** Keys that are understood as well, and not worth naming. */
  readonly also?: readonly string[];
  /** What it may be ordered by beside `created_at` and `updated_at`. */
  readonly orderBy?: Readonly<Record<string, (object: T) => string>>;
}

/** A query that has been read. */
export interface ListQuery<T extends KubeObject = KubeObject> {
  readonly page: number;
  readonly perPage: number;
  /** The comma-separated values of a key; `undefined` when it was not given. */
  values(key: string): readonly string[] | undefined;
  /** The first (or only) object comes first, as the client wishes; by default in the order of creation. */
  compare(a: T, b: T): number;
  /** By `label_selector` and `guids`. */
  selects(object: T): boolean;
}

const mostPerPage = 5000;

/** Reads the query of a list. @throws CfError 400 for unknown keys, 422 for values out of range */
export function listQuery<T extends KubeObject>(c: CfContext, rules: ListRules<T>): ListQuery<T> {
  const given = new URL(c.req.url).searchParams;
  const known = new Set([...rules.keys, ...(rules.also ?? [])]);
  for (const key of given.keys()) {
    if (!known.has(key)) throw badQuery(`Valid parameters are: ${rules.keys.map((name) => `'${name}'`).join(', ')}`);
  }
  const values = (key: string): readonly string[] | undefined =>
    given.has(key)
      ? given
          .getAll(key)
          .flatMap((text) => text.split(','))
          .filter((text) => text !== '')
      : undefined;
  return {
    page: wholeNumber(given.get('page'), 'Page', 1, Number.MAX_SAFE_INTEGER),
    perPage: wholeNumber(given.get('per_page'), 'PerPage', 50, mostPerPage),
    values,
    compare: comparison(given.get('order_by') ?? undefined, rules.orderBy ?? {}),
    selects: selection(given.get('label_selector') ?? undefined, values('guids')),
  };
}

/** One page of objects that were selected, as the CF API shows lists. */
export function paged<T extends KubeObject>(
  c: CfContext,
  query: ListQuery<T>,
  objects: readonly T[],
  present: (object: T) => object,
  included?: (shown: readonly T[]) => object | undefined,
): object {
  const found = objects.filter(query.selects).toSorted(query.compare);
  const { page, perPage } = query;
  const shown = found.slice((page - 1) * perPage, page * perPage);
  const more = included?.(shown);
  return {
    pagination: pagination(c, found.length, page, perPage),
    resources: shown.map(present),
    ...(more && { included: more }),
  };
}

/** A list of things that are not there. */
export function emptyList(c: CfContext): object {
  return { pagination: pagination(c, 0, 1, 50), resources: [] };
}

/** A list of what is not paged, or was made of something else than objects; `page` and `per_page` hold. */
export function listOf(c: CfContext, resources: readonly object[], query = { page: 1, perPage: 50 }): object {
  const { page, perPage } = query;
  return {
    pagination: pagination(c, resources.length, page, perPage),
    resources: resources.slice((page - 1) * perPage, page * perPage),
  };
}

function pagination(c: CfContext, total: number, page: number, perPage: number): object {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const { pathname, searchParams } = new URL(c.req.url);
  const at = (number: number): object => {
    const query = new URLSearchParams(searchParams);
    query.set('page', String(number));
    query.set('per_page', String(perPage));
    query.sort();
    return { href: `${c.var.base}${pathname}?${query}` };
  };
  return {
    total_results: total,
    total_pages: pages,
    first: at(1),
    last: at(pages),
    next: page < pages ? at(page + 1) : null,
    previous: page > 1 ? at(Math.min(page - 1, pages)) : null,
  };
}

function wholeNumber(text: string | null, name: string, otherwise: number, most: number): number {
  if (text === null || text === '') return otherwise;
  const number = Number(text);
  if (!/^-?\d{1,16}$/.test(text))
    throw badQuery(`Pagination.${name} must be a whole number, not '${text.slice(0, 40)}'`);
  if (number < 1 || number > most) throw unprocessable(`Pagination.${name} value ${text} is not allowed`);
  return number;
}

function comparison<T extends KubeObject>(
  orderBy: string | undefined,
  more: Readonly<Record<string, (object: T) => string>>,
): (a: T, b: T) => number {
  const keys: Readonly<Record<string, (object: T) => string>> = {
    created_at: createdAt,
    updated_at: updatedAt,
    ...more,
  };
  const key = orderBy?.replace(/^-/, '') ?? 'created_at';
  const read = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (!read) {
    const names = Object.keys(keys).flatMap((name) => [name, `-${name}`]);
    throw unprocessable(`OrderBy value must be one of: ${names.join(', ')}`);
  }
  const sign = orderBy?.startsWith('-') ? -1 : 1;
  return (a, b) => sign * order(read(a), read(b)) || order(a.metadata.name ?? '', b.metadata.name ?? '');
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function selection<T extends KubeObject>(
  labelSelector: string | undefined,
  guids: readonly string[] | undefined,
): (object: T) => boolean {
  const named = guids && new Set(guids);
  const matches = labelSelector ? compiled(labelSelector) : () => true;
  return ({ metadata }) => (!named || named.has(metadata.name ?? '')) && matches(metadata.labels);
}

function compiled(selector: string): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  try {
    return compileSelector(selector);
  } catch {
    throw badQuery('Invalid label_selector value');
  }
}
