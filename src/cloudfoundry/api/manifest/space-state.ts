import type { KubeObject } from '../../../kube/object.ts';
import { type CfApp, cfApp } from '../../resources/cf-app.ts';
import { type CfDomain, cfDomain } from '../../resources/cf-domain.ts';
import { type CfProcess, cfProcess } from '../../resources/cf-process.ts';
import { type CfRoute, cfRoute } from '../../resources/cf-route.ts';
import { cfErrorOf } from '../kube-trouble.ts';
import type { ManifestApp } from '../payload/manifest.ts';
import type { Caller, Platform } from '../platform.ts';
import type { CfKind } from '../read-as.ts';
import { listRoot } from '../root-namespace.ts';

/** What a space has of what a manifest speaks of. */
export interface SpaceState {
  readonly space: string;
  /** Those that the manifest names, whatever the case of their names. */
  readonly apps: readonly CfApp[];
  readonly processes: readonly CfProcess[];
  /** All of the space. */
  readonly routes: readonly CfRoute[];
  readonly domains: readonly CfDomain[];
}

/** Reads a space as the caller: a fixed number of lists, however long the manifest is. */
export async function spaceState(
  platform: Platform,
  caller: Caller,
  space: string,
  wanted: readonly Pick<ManifestApp, 'name'>[],
): Promise<SpaceState> {
  const names = new Set(wanted.map(({ name }) => name.toLowerCase()));
  const list = async <T extends KubeObject>(kind: CfKind, label: string): Promise<readonly T[]> => {
    try {
      return (await caller.client.resource<T>(kind.type).list({ namespace: space })).items;
    } catch (error) {
      throw cfErrorOf(error, { verb: 'read', label });
    }
  };
  const [apps, processes, routes, domains] = await Promise.all([
    list<CfApp>(cfApp, 'Space'),
    list<CfProcess>(cfProcess, 'Space'),
    list<CfRoute>(cfRoute, 'Space'),
    listRoot<CfDomain>(platform, caller, cfDomain),
  ]);
  const named = apps.filter(({ spec }) => names.has(spec.displayName.toLowerCase()));
  const guids = new Set(named.map(({ metadata }) => metadata.name));
  const theirs = processes.filter(({ spec }) => guids.has(spec.appRef.name));
  return { space, apps: named, processes: theirs, routes, domains };
}

/** Whether an app has a name; the case does not count. */
export function isNamed(name: string): (app: CfApp) => boolean {
  return ({ spec }) => spec.displayName.toLowerCase() === name.toLowerCase();
}

export function processesNamed({ processes }: SpaceState, app: CfApp): readonly CfProcess[] {
  return processes.filter(({ spec }) => spec.appRef.name === app.metadata.name);
}

/** The routes that lead to an app. */
export function routesTo({ routes }: Pick<SpaceState, 'routes'>, app: CfApp): readonly CfRoute[] {
  return routes.filter(({ spec }) => (spec.destinations ?? []).some(({ appRef }) => appRef.name === app.metadata.name));
}
