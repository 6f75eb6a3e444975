/** Where a person is: the address bar says the same, so that links, back and forward work. */
export type Route =
  /** All workloads. `query` holds search and filters: see `filter.ts`. */
  | { readonly at: 'fleet'; readonly query: string }
  /** One workload; `id` is that of `subjectId`. */
  | { readonly at: 'workload'; readonly id: string }
  /** What depends on what in it. */
  | { readonly at: 'graph'; readonly id: string }
  | { readonly at: 'login' }
  | { readonly at: 'nowhere'; readonly path: string };

/** Total: a path that means nothing leads nowhere, and is shown as that. */
export function routeOf(path: string, query = ''): Route {
  if (path === '/' || path === '') return { at: 'fleet', query: query.replace(/^\?/, '') };
  if (path === '/login') return { at: 'login' };
  const [, w, kind, namespace, name, sub, ...rest] = path.split('/').map(decoded);
  if (w !== 'w' || !kind || !namespace || !name || rest.length > 0) return { at: 'nowhere', path };
  const id = `${kind}/${namespace}/${name}`;
  if (sub === undefined || sub === '') return { at: 'workload', id };
  return sub === 'graph' ? { at: 'graph', id } : { at: 'nowhere', path };
}

export function pathOf(route: Route): string {
  switch (route.at) {
    case 'fleet':
      return route.query === '' ? '/' : `/?${route.query}`;
    case 'login':
      return '/login';
    case 'workload':
      return workloadPath(route.id);
    case 'graph':
      return `${workloadPath(route.id)}/graph`;
    case 'nowhere':
      return route.path;
  }
}

/** The workload that a place is about, whose page the server is asked to watch. */
export function watchedIn(route: Route): string | undefined {
  return route.at === 'workload' || route.at === 'graph' ? route.id : undefined;
}

/** Dots are written as escapes: servers and proxies take what has one for a file. */
function workloadPath(id: string): string {
  return `/w/${id.split('/').map(encodeURIComponent).join('/').replaceAll('.', '%2E')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
