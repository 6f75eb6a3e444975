import { CfError, unprocessable } from '../cf-error.ts';
import { deploymentInFlight } from '../deployment-in-flight.ts';
import { cfErrorOf } from '../kube-trouble.ts';
import { bounded } from '../list-as.ts';
import type { Caller, Platform } from '../platform.ts';
import { assertHostIsFor, reserved } from '../route-claim.ts';
import { routesOfDomain, sameAddress, sameHost } from '../routes-like.ts';
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
  const domains = [...new Set(fresh.map(({ route }) => guidOf(route)))];
  const known = new Map(
    await bounded(domains, 4, async (domain) => [domain, await routesOfDomain(platform, domain)] as const).catch(
      (error) => {
        throw cfErrorOf(error, { verb: 'read', label: 'The list of routes' });
      },
    ),
  );
  for (const { name, route } of fresh) {
    const { domain, host, path } = route;
    await assertHostIsFor(caller, domain, host).catch(ofApp(name));
    const address = { domain: guidOf(route), host, path };
    const theirs = (known.get(address.domain) ?? []).filter(
      ({ metadata, spec }) => metadata.namespace !== state.space && sameHost(spec, address),
    );
    if (theirs.some(({ spec }) => sameAddress(spec, address))) {
      const url = routeUrl({ host, domain: domain.spec.name, path });
      throw unprocessable(`For application '${name}': The route '${url}' is taken by another space.`);
    }
    if (theirs.length > 0) ofApp(name)(reserved());
  }
  await bounded(plans, 4, (plan) => assertNotDeploying(platform, caller, state, plan));
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
