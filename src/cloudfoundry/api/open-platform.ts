import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Cached, Caches } from '../../control/caches.ts';
import type { Log } from '../../control/log.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import { openCloudFoundryCaches } from '../observe/caches.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { createDirectory, type RoleBinding, subjectsOf } from './directory.ts';
import type { Platform } from './platform.ts';

export interface PlatformOptions {
  /** The operator's own. */
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** What the API knows of the cluster. Before the caches start: what it looks into is shared with the controllers. */
export function openPlatform(caches: Caches, options: PlatformOptions): Platform {
  const { client, settings } = options;
  const { orgs, spaces, apps, processes, packages, builds, routes, tasks, deployments } = openCloudFoundryCaches(
    caches,
    settings,
  );
  const indexes = { subject: subjectsOf };
  const bindings = caches.open<RoleBinding, 'subject'>({ type: kinds.roleBindings, indexes });
  const clusterBindings = caches.open<RoleBinding, 'subject'>({
    type: kinds.clusterRoleBindings,
    indexes,
    optional: true,
  });
  const inSpaces = [apps, processes, packages, builds, routes, tasks, deployments];
  const { rootNamespace } = settings;
  const directory = createDirectory({ client, rootNamespace, orgs, spaces, inSpaces, bindings, clusterBindings });
  const isReady = whenSynced([orgs, spaces, bindings, clusterBindings, ...inSpaces]);
  return { ...options, directory, isReady, wrote: (type, object) => caches.wrote(type, object) };
}

/** Tells whether all of them have been seen once. */
function whenSynced(all: readonly Pick<Cached, 'synced'>[]): () => boolean {
  const { signal } = new AbortController();
  let seen = false;
  void Promise.all(all.map((cached) => cached.synced(signal))).then(() => {
    seen = true;
  });
  return () => seen;
}
