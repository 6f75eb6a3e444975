import { ok, type Route } from './call.ts';
import { notFound } from './rest-error.ts';
import { taskManagerView } from './task-manager-view.ts';

/** The commit and time that a release shows; invented for releases that were never asked. */
const revisions: Readonly<Record<string, string>> = {
  '1.20.5': '0980485 @ 2026-06-08T09:21:06+02:00',
  '2.3.0': 'c0f8d1a @ 2026-06-14T16:29:03+02:00',
};

const revisionOf = (version: string): string => revisions[version] ?? 'unknown @ 1970-01-01T00:00:00+00:00';

/** About the cluster as a whole. */
export function clusterRoutes(): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: '/config',
      handle: ({ manager: { version, configuration, entry } }) =>
        ok({
          'refresh-interval': 3000,
          'timezone-name': 'Coordinated Universal Time',
          'timezone-offset': 0,
          'flink-version': version,
          'flink-revision': revisionOf(version),
          features: {
            'web-submit': entry.mode === 'session' && configuration.boolean('web.submit.enable', true),
            'web-cancel': configuration.boolean('web.cancel.enable', true),
            'web-rescale': false,
            'web-history': false,
          },
        }),
    },
    {
      method: 'GET',
      pattern: '/overview',
      handle: ({ manager: { version, slots, jobs } }) => {
        const inState = (...states: readonly string[]): number =>
          [...jobs.values()].filter(({ status }) => states.includes(status)).length;
        return ok({
          taskmanagers: slots.workers.length,
          'slots-total': slots.total,
          'slots-available': slots.free,
          'jobs-running': jobs.size - inState('FINISHED', 'CANCELED', 'FAILED'),
          'jobs-finished': inState('FINISHED'),
          'jobs-cancelled': inState('CANCELED'),
          'jobs-failed': inState('FAILED'),
          'flink-version': version,
          'flink-commit': revisionOf(version).split(' ')[0],
        });
      },
    },
    {
      method: 'GET',
      pattern: '/taskmanagers',
      handle: ({ manager }) => ok({ taskmanagers: manager.slots.workers.map((one) => taskManagerView(manager, one)) }),
    },
    {
      method: 'GET',
      pattern: '/jobmanager/config',
      handle: ({ manager }) =>
        ok(manager.configuration.entries().map(([key, value]) => ({ key, value: hidden(key, value) }))),
    },
    {
      method: 'DELETE',
      pattern: '/cluster',
      handle: ({ manager }) => {
        void manager.shutDown();
        return ok({});
      },
    },
    {
      method: 'GET',
      pattern: '/applications/overview',
      handle: ({ manager: { version, jobs } }) => {
        if (version.startsWith('1.'))
          throw notFound('Not found: /applications/overview', 'router.Router.route(Router.java:1)');
        return ok({
          applications: [...jobs.values()].map(
            ({ id, graph, status, statuses: { startedAt, endedAt, modifiedAt } }) => ({
              id,
              name: graph.name,
              'start-time': startedAt,
              'end-time': endedAt ?? -1,
              duration: (endedAt ?? modifiedAt) - startedAt,
              status,
              jobs: { [status]: 1 },
            }),
          ),
        });
      },
    },
  ];
}

const hidden = (key: string, value: string): string => (/password|secret|token|apikey/i.test(key) ? '******' : value);
