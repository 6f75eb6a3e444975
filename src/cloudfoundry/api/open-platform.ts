import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Caches } from '../../control/caches.ts';
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
  const directory = createDirectory({
    client,
    rootNamespace: settings.rootNamespace,
    orgs,
    spaces,
    inSpaces: [apps, processes, packages, builds, routes, tasks, deployments],
    bindings: caches.open<RoleBinding, 'subject'>({ type: kinds.roleBindings, indexes }),
    clusterBindings: caches.open<RoleBinding, 'subject'>({ type: kinds.clusterRoleBindings, indexes, optional: true }),
  });
  return { ...options, directory, wrote: (type, object) => caches.wrote(type, object) };
}
