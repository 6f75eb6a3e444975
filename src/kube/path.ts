import { KubeError } from './error.ts';
import { apiVersionOf, qualifiedName, type ResourceType } from './resource-type.ts';

/** Which object: its name, and its namespace if its kind lives in one. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** Values of a query; `undefined` is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Path of all objects of a type, in one namespace or, without one, in all. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${apiVersionOf(type)}`;
  if (namespace === undefined) return `${root}/${type.plural}`;
  if (!type.namespaced)
    throw new KubeError('refused', `${qualifiedName(type)} are not namespaced: leave the namespace out`);
  return `${root}/namespaces/${segment(namespace, type)}/${type.plural}`;
}

/** Path of one object, or of one of its subresources. */
export function objectPath(type: ResourceType, name: ObjectName, ...subresource: readonly string[]): string {
  const path = `${creationPath(type, name.namespace)}/${segment(name.name, type)}`;
  return subresource.length === 0 ? path : `${path}/${subresource.join('/')}`;
}

/** Path to create an object at: as `collectionPath`, but a kind that lives in a namespace must have one. */
export function creationPath(type: ResourceType, namespace: string | undefined): string {
  if (type.namespaced && !namespace) {
    throw new KubeError('refused', `${qualifiedName(type)} live in a namespace: none was given`);
  }
  return collectionPath(type, namespace);
}

/** The path with a query appended. */
export function withQuery(path: string, query: Query): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  return parts.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`;
}

/** Whether an object or a namespace can have this name at all, as far as paths go. */
export function isSegment(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('%');
}

/** A name can never reach into another path: what a name may not contain is refused before it is sent. */
function segment(name: string, type: ResourceType): string {
  if (!isSegment(name)) {
    throw new KubeError('refused', `${JSON.stringify(name)} cannot be the name of one of ${qualifiedName(type)}`);
  }
  return encodeURIComponent(name).replaceAll('%3A', ':');
}
