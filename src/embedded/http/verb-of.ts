import type { Request } from '../../kube/transport.ts';
import type { ResourceTarget } from './target.ts';

/** What a method does to a target, in RBAC's words. */
export function verbOf(method: Request['method'], target: ResourceTarget, query: URLSearchParams): string {
  switch (method) {
    case 'GET': {
      if (target.watch) return 'watch';
      if (target.name) return 'get';
      const watch = query.get('watch');
      return watch !== null && watch !== '0' && watch !== 'false' ? 'watch' : 'list';
    }
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return target.name ? 'delete' : 'deletecollection';
  }
}
