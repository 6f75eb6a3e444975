import type { Clock } from '../../clock/clock.ts';
import type { Caches } from '../../control/caches.ts';
import type { Hook } from '../../control/webhooks/admission.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cloudFoundryFamily } from '../family.ts';
import { openCloudFoundryCaches } from '../observe/caches.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { cloudFoundryHooks } from './hooks.ts';
import type { NamedKind } from './name-taken.ts';

/** The webhooks, and the way to let them look at others. */
export interface Admission {
  readonly hooks: Readonly<Record<string, Hook>>;
  /** Before the caches start. Until then, and until they are filled, no name is known to be taken. */
  onCaches(caches: Caches): void;
}

export function openAdmission(settings: CloudFoundrySettings, clock: Pick<Clock, 'now'>): Admission {
  let all: Readonly<Record<NamedKind, { all(): Iterable<KubeObject> }>> | undefined;
  return {
    hooks: cloudFoundryHooks({ family: cloudFoundryFamily, settings, clock, known: (kind) => all?.[kind].all() ?? [] }),
    onCaches(caches) {
      const { orgs, spaces, domains, routes, apps } = openCloudFoundryCaches(caches, settings);
      all = { CFOrg: orgs, CFSpace: spaces, CFDomain: domains, CFRoute: routes, CFApp: apps };
    },
  };
}
