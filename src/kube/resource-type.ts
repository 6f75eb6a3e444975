/** What kind of object a request is about, and where the API server keeps such objects. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in URLs: `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** `deployments.apps`, or `pods` for the core group. */
export function qualifiedName(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}
