import type { CfRoute } from '../../resources/cf-route.ts';
import { CfError, unprocessable } from '../cf-error.ts';
import { deploymentInFlight } from '../deployment-in-flight.ts';
import { cfErrorOf } from '../kube-trouble.ts';
import { bounded } from '../list-as.ts';
import type { Caller, Platform } from '../platform.ts';
import { assertHostIsFor, reserved } from '../route-claim.ts';
import { routesOfDomain, sameAddress } from '../routes-like.ts';
import type { AppPlan, WantedRoute } from './app-plan.ts';
import { processPatch } from './process-patch.ts';
import { routeUrl } from './route-text.ts';
import { processesNamed, type SpaceState } from './space-state.ts';

/**
 * What stands in the way of plans and is not in the space itself, asked before anything is written: addresses of others, and
 * deployments that are under way. @throws CfError 422
 */
export async function checkPlans(
  platform: Platform,
  caller: Caller,
  state: SpaceState,
  plans: readonly AppPlan[],
): Promise<void> {
  const fresh = plans.flatMap(({ name, map }) => map.flatMap((route) => (route.existing ? [] : [{ name, route }])));
  const theirs = await routesOfOthers(platform, state, [...new Set(fresh.map(({ route }) => guidOf(route)))]);
  const allowed = new Set<string>();
  for (const { name, route } of fresh) {
    const { domain, host, path } = route;
    const key = hostKey(guidOf(route), host);
    if (!allowed.has(key)) await assertHostIsFor(caller, domain, host).catch(ofApp(name));
    allowed.add(key);
    const inTheWay = theirs.get(key) ?? [];
    if (inTheWay.some(({ spec }) => sameAddress(spec, { domain: guidOf(route), host, path }))) {
      const url = routeUrl({ host, domain: domain.spec.name, path });
      throw unprocessable(`For application '${name}': The route '${url}' is taken by another space.`);
    }
    if (inTheWay.length > 0) ofApp(name)(reserved());
  }
  await bounded(plans, 4, (plan) => assertNotDeploying(platform, caller, state, plan));
}

/** The routes of other spaces on these domains, by host: one list per domain, however many routes a manifest wants. */
async function routesOfOthers(
  platform: Platform,
  { space }: SpaceState,
  domains: readonly string[],
): Promise<ReadonlyMap<string, readonly CfRoute[]>> {
  try {
    const found = (await bounded(domains, 4, (domain) => routesOfDomain(platform, domain))).flat();
    const others = found.filter(({ metadata }) => metadata.namespace !== space);
    return Map.groupBy(others, ({ spec }) => hostKey(spec.domainRef.name ?? '', spec.host ?? ''));
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label: 'The list of routes' });
  }
}

function hostKey(domain: string, host: string): string {
  return `${domain}/${host.toLowerCase()}`;
}

/** While it deploys, the web process is the deployment's. */
async function assertNotDeploying(platform: Platform, caller: Caller, state: SpaceState, plan: AppPlan): Promise<void> {
  const { app, name } = plan;
  const web = app && processesNamed(state, app).find(({ spec }) => spec.processType === 'web');
  const wanted = plan.processes.find(({ type }) => type === 'web');
  const patch = web && wanted && processPatch(web.spec, wanted);
  if (!app || !patch || !(await deploymentInFlight(platform, caller, app))) return;
  const scales = Object.keys(patch.spec ?? {}).every((field) => scaling.has(field));
  const doing = scales ? 'scale' : 'update';
  throw unprocessable(`For application '${name}': Cannot ${doing} this process while a deployment is in flight.`);
}

const scaling = new Set(['desiredInstances', 'memoryMB', 'diskQuotaMB']);

function guidOf({ domain }: WantedRoute): string {
  return domain.metadata.name ?? '';
}

/** Says which app of the manifest is refused. */
function ofApp(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CfError) || error.status !== 422) throw error;
    throw unprocessable(`For application '${name}': ${error.detail}`);
  };
}
