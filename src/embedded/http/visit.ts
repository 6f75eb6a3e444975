import type { Call } from '../registry/ground.ts';
import type { ServedResource } from '../resource.ts';
import type { Content } from './body.ts';
import type { Visit } from './serving.ts';
import type { ResourceTarget } from './target.ts';

export function splitPath(path: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = path.indexOf('?');
  if (mark === -1) return { path, query: new URLSearchParams() };
  return { path: path.slice(0, mark), query: new URLSearchParams(path.slice(mark + 1)) };
}

export function callOf(visit: Visit, resource: ServedResource, target: ResourceTarget): Call {
  return {
    user: visit.user,
    resource,
    subresource: target.subresource,
    namespace: resource.namespaced ? target.namespace : '',
    name: target.name,
    warn: (text) => void visit.warnings.push(text),
  };
}

export function contentOf({ request }: Visit): Content {
  const { body = '' } = request;
  return {
    type: request.headers?.['content-type'] ?? '',
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

export const agentOf = ({ request }: Visit): string => request.headers?.['user-agent'] ?? '';
