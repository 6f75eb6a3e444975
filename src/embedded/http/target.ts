import { badRequest } from '../status-error.ts';

/** What a path asks for. */
export type Target = ResourceTarget | { readonly type: 'path'; readonly path: string };

/** A resource, one of its objects, or a subresource of one. */
export interface ResourceTarget {
  readonly type: 'resource';
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty for cluster-scoped resources and for collections over all namespaces. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource: the path behind a proxy. */
  readonly rest: string;
  /** The old way to watch, by a `watch/` in the path. */
  readonly watch: boolean;
}

/** Subresources of a namespace; any other name there is a resource inside the namespace. */
const ofNamespaces = new Set(['status', 'finalize']);

/** Reads a path, without its query. @throws StatusError 400 */
export function targetOf(path: string): Target {
  const [root, ...segments] = path.split('/').slice(1).map(decoded);
  const rest = root === 'api' ? ['', ...segments] : root === 'apis' ? segments : [];
  const [group, version, ...parts] = rest;
  const watch = parts[0] === 'watch';
  if (watch) parts.shift();
  // A trailing slash names nothing more.
  if (parts.at(-1) === '' && parts.length > 0 && !parts.includes('proxy')) parts.pop();
  if (group === undefined || !version || parts.length === 0 || parts[0] === '') return { type: 'path', path };

  const inside = parts[0] === 'namespaces' && parts.length > 2 && !ofNamespaces.has(parts[2] as string);
  const namespace = inside ? (parts[1] as string) : '';
  const [plural = '', name = '', subresource = '', ...deeper] = inside ? parts.slice(2) : parts;
  const isNamespace = !inside && plural === 'namespaces' && group === '';
  return {
    type: 'resource',
    group,
    version,
    plural,
    namespace: isNamespace ? name : namespace,
    name,
    subresource,
    rest: behind(path, subresource, deeper.length),
    watch,
  };
}

/** The raw text behind a subresource: a proxied path must arrive as it was sent, slashes and escapes included. */
function behind(path: string, subresource: string, segments: number): string {
  if (subresource === '' || segments === 0) return '';
  return path.split('/').slice(-segments).join('/');
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(segment)}`);
  }
}
