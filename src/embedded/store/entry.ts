/**
 * One version of one object, immutable: its JSON as it goes over the wire, and the little that is asked of it without
 * reading that JSON.
 *
 * Objects are kept as text because that is a third of the memory of the parsed object, and most requests want the text:
 * a read or a watch event is sent as it lies here.
 */
export interface Entry {
  /** Which resource: `deployments.apps`. All versions of a resource share one bucket. */
  readonly bucket: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Also in the JSON, as `metadata.resourceVersion`. */
  readonly revision: number;
  /** The uids of its owners. */
  readonly owners: readonly string[];
  /** Begins with `{"apiVersion":"…","kind":"…",` (see `head`). */
  readonly json: string;
}

/** Where an object lives. */
export type Key = Pick<Entry, 'bucket' | 'namespace' | 'name'>;

/** Where an object stands in a list: lists are in the order of these. */
export const pathOf = ({ namespace, name }: Pick<Entry, 'namespace' | 'name'>): string => `${namespace}/${name}`;

/** The text that every entry of this version and kind begins with: what a reader in another version replaces. */
export function head(apiVersion: string, kind: string): string {
  return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
}

/** The JSON of an object with its type first, as `head` promises. */
export function encode(object: { readonly apiVersion: string; readonly kind: string }): string {
  const { apiVersion, kind, ...rest } = object;
  return JSON.stringify({ apiVersion, kind, ...rest });
}
