import type { JsonObject } from '../../../kube/object.ts';
import { createdAt } from '../../decide/created-at.ts';
import { newProcess } from '../../manifests/cf-process.ts';
import { type CfApp, cfApp } from '../../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../../resources/cf-process.ts';
import { type CfRoute, cfRoute } from '../../resources/cf-route.ts';
import { setVariables } from '../app-environment.ts';
import { CfError } from '../cf-error.ts';
import { withDestinations, withoutApp } from '../change/destinations.ts';
import { createApp } from '../create-app.ts';
import { createRoute } from '../create-route.ts';
import { processOf } from '../find-process.ts';
import type { ManifestProcess } from '../payload/manifest.ts';
import type { Caller, Platform } from '../platform.ts';
import { createAs, patchAs } from '../read-as.ts';
import type { AppPlan, WantedRoute } from './app-plan.ts';
import { processPatch } from './process-patch.ts';
import { routeUrl } from './route-text.ts';
import { processesNamed, type SpaceState } from './space-state.ts';

/** Routes that were made for this manifest, by their address: several of its apps may want the same. */
export type MadeRoutes = Map<string, CfRoute>;

/** Does what a plan says. What is done already is not done again: whoever is cut off in between applies the manifest again. */
export async function applyPlan(
  platform: Platform,
  caller: Caller,
  state: SpaceState,
  plan: AppPlan,
  made: MadeRoutes,
): Promise<void> {
  const app = plan.app ?? (await madeApp(platform, caller, state, plan));
  if (plan.app && plan.patch) await patchAs(platform, caller, cfApp, app, () => plan.patch, 'App');
  if (plan.app && Object.keys(plan.env).length > 0) await setVariables(platform, caller, app, plan.env);
  const processes = plan.app ? processesNamed(state, app) : [];
  for (const wanted of plan.processes) await process(platform, caller, app, processes, wanted);
  for (const route of plan.map) await mapRoute(platform, caller, state.space, app, route, made);
  for (const route of plan.unmap) await unmapRoute(platform, caller, app, route);
}

function madeApp(platform: Platform, caller: Caller, { space }: SpaceState, plan: AppPlan): Promise<CfApp> {
  const { name, lifecycle, metadata } = plan;
  return createApp(platform, caller, {
    name,
    space,
    lifecycle,
    environment: present(plan.env),
    metadata: { labels: present(metadata?.labels ?? {}), annotations: present(metadata?.annotations ?? {}) },
  });
}

/** The process as wanted: changed if it is there, made if not. The app's controller may make it in the same moment. */
async function process(
  platform: Platform,
  caller: Caller,
  app: CfApp,
  processes: readonly CfProcess[],
  wanted: ManifestProcess,
): Promise<void> {
  const change = ({ spec }: CfProcess): JsonObject | undefined => processPatch(spec, wanted);
  const existing = processes.find(({ spec }) => spec.processType === wanted.type);
  if (existing) {
    await patchAs(platform, caller, cfProcess, existing, change, 'Process');
    return;
  }
  const creationTimestamp = new Date(platform.clock.now()).toISOString();
  const fresh = newProcess(app, wanted, platform.settings, createdAt({ metadata: { creationTimestamp } }) ?? '');
  try {
    await createAs(platform, caller, cfProcess, merged(fresh, processPatch(fresh.spec, wanted)), 'Process');
  } catch (error) {
    if (!(error instanceof CfError) || error.title !== 'CF-UniquenessError') throw error;
    await patchAs(platform, caller, cfProcess, await processOf(caller, app, wanted.type), change, 'Process');
  }
}

/** A patch of a process laid over it before it is made. */
function merged(process: CfProcess, patch: JsonObject | undefined): CfProcess {
  const { healthCheck, ...fields } = (patch?.spec ?? {}) as { readonly healthCheck?: CfProcess['spec']['healthCheck'] };
  const before = process.spec.healthCheck;
  const check = { ...before, ...healthCheck, data: { ...before?.data, ...healthCheck?.data } };
  return {
    ...process,
    spec: present({ ...process.spec, ...fields, healthCheck: { ...check, data: present(check.data) } }),
  };
}

async function mapRoute(
  platform: Platform,
  caller: Caller,
  space: string,
  app: CfApp,
  { domain, host, path, existing }: WantedRoute,
  made: MadeRoutes,
): Promise<void> {
  const url = routeUrl({ host, domain: domain.spec.name, path });
  const route = existing ?? made.get(url) ?? (await createRoute(platform, caller, { domain, space, host, path }));
  made.set(url, route);
  const wanted = [{ app: { guid: app.metadata.name ?? '' } }];
  const decide = (current: CfRoute) => withDestinations(current, wanted, platform.random);
  await patchAs(platform, caller, cfRoute, route, decide, 'Route');
}

async function unmapRoute(platform: Platform, caller: Caller, app: CfApp, route: CfRoute): Promise<void> {
  const decide = (current: CfRoute) => withoutApp(current, app.metadata.name ?? '');
  await patchAs(platform, caller, cfRoute, route, decide, 'Route');
}

/** Without the entries that are `null`. */
function present<T extends object>(entries: T): { readonly [K in keyof T]: NonNullable<T[K]> } {
  const there = Object.entries(entries).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(there) as { readonly [K in keyof T]: NonNullable<T[K]> };
}
