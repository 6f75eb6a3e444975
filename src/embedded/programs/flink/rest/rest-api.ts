import type { JobManager } from '../job-manager.ts';
import type { Call, Reply, Route } from './call.ts';
import { checkpointRoutes } from './checkpoint-routes.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { jarRoutes } from './jar-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { JobViews } from './job-view.ts';
import { metricRoutes } from './metric-routes.ts';
import { RestError } from './rest-error.ts';
import { savepointRoutes } from './savepoint-routes.ts';

/** Everything that a leading JobManager answers. */
export interface RestApi {
  /** @throws RestError */
  answer(method: string, path: string, headers: Call['headers'], body: Uint8Array): Promise<Reply>;
}

interface Compiled {
  readonly route: Route;
  readonly expression: RegExp;
}

/** The REST surface of one JobManager. What it remembers between requests is gone with the JobManager. */
export function restApi(manager: JobManager): RestApi {
  const { configuration } = manager;
  const graph = configuration.duration('web.refresh-interval', 3000);
  const checkpoints = configuration.duration('rest.cache.checkpoint-statistics.timeout', graph);
  const views = new JobViews(manager.here.clock, { graph, checkpoints });
  const compiled = [
    ...clusterRoutes(),
    ...jobRoutes(),
    ...checkpointRoutes(manager.here.clock),
    ...savepointRoutes(manager.here.clock),
    ...(manager.entry.mode === 'session' ? jarRoutes() : []),
    ...metricRoutes(),
  ].map((route): Compiled => ({ route, expression: compile(route.pattern) }));

  return {
    async answer(method, path, headers, body) {
      const { pathname, searchParams: query } = new URL(path, 'http://jobmanager');
      const bare = pathname.replace(/^\/v1(?=\/|$)/, '').replace(/(.)\/$/, '$1');
      for (const { route, expression } of compiled) {
        const match = route.method === method ? expression.exec(bare) : null;
        if (!match) continue;
        const parameters = Object.fromEntries(
          Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        );
        return await route.handle({ manager, views, parameters, query, headers, body });
      }
      throw new RestError(404, `Not found: ${bare}`);
    },
  };
}

const compile = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
