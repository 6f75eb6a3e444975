import { type Random, suffix } from '../../../clock/random.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { CfApp, CfAppSpec } from '../../resources/cf-app.ts';
import type { CfDomain } from '../../resources/cf-domain.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { unprocessable } from '../cf-error.ts';
import { defaultStack } from '../create-app.ts';
import { environment } from '../payload/app.ts';
import type { ManifestApp, ManifestProcess } from '../payload/manifest.ts';
import { metadataPatch } from '../payload/metadata-patch.ts';
import { sameAddress } from '../routes-like.ts';
import { hostOf, routeParts } from './route-text.ts';
import { isNamed, routesTo, type SpaceState } from './space-state.ts';

/** An address that the app should have, and the route of the space that has it already. */
export interface WantedRoute {
  readonly domain: CfDomain;
  readonly host: string;
  readonly path: string;
  readonly existing?: CfRoute;
}

/** All that has to be done for one app of a manifest. Nothing of it has been done yet, and all of it can be done again. */
export interface AppPlan {
  readonly name: string;
  /** Absent: it is made, with `lifecycle`. */
  readonly app?: CfApp;
  readonly lifecycle: CfAppSpec['lifecycle'];
  /** What changes on an app that is there. */
  readonly patch?: JsonObject;
  readonly metadata: ManifestApp['metadata'];
  readonly env: Readonly<Record<string, string | null>>;
  readonly processes: readonly ManifestProcess[];
  readonly map: readonly WantedRoute[];
  readonly unmap: readonly CfRoute[];
}

export interface PlanSettings {
  readonly defaultDomain: string;
  readonly random: Random;
}

/** @throws CfError 422 for what cannot be: another lifecycle, reserved variables, routes without a domain */
export function appPlan(wanted: ManifestApp, index: number, state: SpaceState, settings: PlanSettings): AppPlan {
  const app = state.apps.find(isNamed(wanted.name));
  if (app?.metadata.deletionTimestamp) {
    throw unprocessable(`For application '${wanted.name}': The app is being deleted. Try again when it is gone.`);
  }
  const env = wanted.env ?? {};
  const reserved = environment(`applications[${index}].env`).safeParse(env);
  if (!reserved.success) throw unprocessable(reserved.error.issues.map(({ message }) => message).join(', '));
  const metadata = metadataPatch(wanted.metadata);
  const lifecycle = lifecycleOf(wanted, app);
  const patch = app && appPatch(app, lifecycle, metadata);
  return {
    name: wanted.name,
    ...(app && { app }),
    lifecycle,
    ...(patch && { patch }),
    metadata: wanted.metadata,
    env,
    // Its web process is there from the start, so that it can be looked at and scaled before anything is staged.
    processes:
      wanted.processes.some(({ type }) => type === 'web') || app
        ? wanted.processes
        : [{ type: 'web' }, ...wanted.processes],
    ...routesOf(wanted, app, state, settings),
  };
}

function lifecycleOf({ name, docker, buildpacks, stack }: ManifestApp, app: CfApp | undefined): CfAppSpec['lifecycle'] {
  const before = app?.spec.lifecycle;
  if (before && ((docker && before.type !== 'docker') || (buildpacks && before.type !== 'buildpack'))) {
    const [from, to] = docker ? ['buildpack', 'docker'] : ['docker', 'buildpack'];
    throw unprocessable(
      `For application '${name}': Lifecycle type cannot be changed from ${from} to ${to}. Delete the app first.`,
    );
  }
  if ((before?.type ?? (docker ? 'docker' : 'buildpack')) === 'docker') return { type: 'docker', data: {} };
  return {
    type: 'buildpack',
    data: {
      buildpacks: buildpacks ?? before?.data?.buildpacks ?? [],
      stack: stack ?? before?.data?.stack ?? defaultStack,
    },
  };
}

/** What changes on the app itself; nothing when all is so already. */
function appPatch(
  app: CfApp,
  lifecycle: CfAppSpec['lifecycle'],
  metadata: JsonObject | undefined,
): JsonObject | undefined {
  const before = app.spec.lifecycle.data;
  const { data } = lifecycle;
  const staged =
    lifecycle.type === 'buildpack' &&
    (JSON.stringify(data?.buildpacks ?? []) !== JSON.stringify(before?.buildpacks ?? []) ||
      data?.stack !== before?.stack);
  const keys = newKeys(app, metadata);
  if (!staged && !keys) return undefined;
  return {
    ...(keys && { metadata: keys }),
    ...(staged && { spec: { lifecycle: { data: { ...data } } } }),
  };
}

function newKeys({ metadata }: CfApp, patch: JsonObject | undefined): JsonObject | undefined {
  const wanted = (patch?.metadata ?? {}) as Readonly<Record<'labels' | 'annotations', JsonObject | undefined>>;
  const fresh = (['labels', 'annotations'] as const).flatMap((field) => {
    const entries = Object.entries(wanted[field] ?? {}).filter(
      ([key, value]) => (metadata[field]?.[key] ?? null) !== value,
    );
    return entries.length === 0 ? [] : [[field, Object.fromEntries(entries)] as const];
  });
  return fresh.length === 0 ? undefined : Object.fromEntries(fresh);
}

function routesOf(
  { name, routes }: ManifestApp,
  app: CfApp | undefined,
  state: SpaceState,
  settings: PlanSettings,
): Pick<AppPlan, 'map' | 'unmap'> {
  const mapped = app ? routesTo(state, app) : [];
  switch (routes?.kind) {
    case undefined:
      return { map: [], unmap: [] };
    case 'none':
      return { map: [], unmap: mapped };
    case 'these':
      return { map: routes.routes.flatMap((text) => named(name, text, state, mapped)), unmap: [] };
    case 'default':
    case 'random':
      // Only an app without a route gets one made up.
      if (mapped.length > 0) return { map: [], unmap: [] };
      return { map: [madeUp(name, routes.kind, state, settings)], unmap: [] };
  }
}

function named(app: string, text: string, state: SpaceState, mapped: readonly CfRoute[]): readonly WantedRoute[] {
  const domains = state.domains.map((domain) => ({ guid: domain.metadata.name ?? '', name: domain.spec.name, domain }));
  const parts = routeParts(text, domains);
  const domain = domains.find(({ guid }) => guid === parts?.domain.guid)?.domain;
  if (!parts || !domain)
    throw unprocessable(`For application '${app}': The route '${text}' did not match any existing domains.`);
  const route = withExisting({ domain, host: parts.host, path: parts.path }, state);
  return route.existing && mapped.includes(route.existing) ? [] : [route];
}

function madeUp(app: string, kind: 'default' | 'random', state: SpaceState, settings: PlanSettings): WantedRoute {
  const domain = state.domains.find(({ spec }) => spec.name === settings.defaultDomain) ?? state.domains[0];
  if (!domain)
    throw unprocessable(`For application '${app}': There is no domain for a route. Create one, or use no-route.`);
  const host =
    kind === 'random' ? `${hostOf(app).slice(0, 57)}-${suffix(settings.random)}`.replace(/^-/, '') : hostOf(app);
  if (host === '')
    throw unprocessable(
      `For application '${app}': Its name gives no host for a route. List its routes, or use no-route.`,
    );
  return withExisting({ domain, host, path: '' }, state);
}

function withExisting(route: WantedRoute, { routes }: SpaceState): WantedRoute {
  const address = { domain: route.domain.metadata.name ?? '', host: route.host, path: route.path };
  const existing = routes.find(({ spec }) => sameAddress(spec, address));
  return existing ? { ...route, existing } : route;
}
