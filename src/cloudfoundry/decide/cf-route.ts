import { type Action, type Decision, idle, type Reason, refTo } from '../../control/decision.ts';
import { removeFinalizer } from '../../control/finalizers.ts';
import { annotations, finalizers } from '../keys.ts';
import type { CfRouteView } from '../observe/cf-route-view.ts';
import type { CfRouteStatus } from '../resources/cf-route.ts';
import { address } from '../route-address.ts';
import { attempts } from './attempts.ts';
import { conclude, type Readiness } from './conclude.ts';
import { furnished } from './furnished.ts';
import { appGuids, routeFurnishing } from './furnishings.ts';
import { destinations } from './route/destinations.ts';
import { leads } from './route/leads.ts';
import { services } from './route/services.ts';

/**
 * A route: a Service for each destination, and the way to them from outside.
 *
 * Mapping a route changes no process. What is wrong with a route stops it from being changed, not from being served: what
 * was made for it stays as it is.
 */
export function decideCfRoute(view: CfRouteView): Decision {
  const { route, now } = view;
  if (route.metadata.deletionTimestamp) {
    const release = removeFinalizer(route, finalizers.route);
    return release ? { actions: [release], because: 'what it owns goes by itself' } : idle('it is being deleted');
  }
  const furnish = furnished(route, routeFurnishing(route, view.settings.version)) ?? renamedApps(view);
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every route' };

  const found = situation(view);
  if ('problem' in found) return refused(view, found.reason, found.problem);

  const { effective, problem } = destinations(view);
  const made = services(view, effective);
  const ways = leads(view, found, effective);
  const pending = [...made.applies, ...ways.applies];
  // A Service goes when nothing leads to it any more: not while what leads there cannot be changed.
  const tries = attempts([...pending, ...ways.removals, ...made.removals], view.outcomes, now);
  if (pending.length > 0 && !tries.failure) return { actions: tries.actions, because: 'its destinations have changed' };

  const { fqdn, uri } = found;
  const { destinations: _before, ...kept } = (route.status ?? {}) as CfRouteStatus;
  const status: CfRouteStatus = { ...kept, fqdn, uri, ...(effective.length > 0 && { destinations: effective }) };
  const readiness = readinessOf(tries.failure, problem, ways.note);
  return conclude(route, now, {
    status,
    readiness,
    effects: tries.actions,
    because: readiness.ready ? 'its address leads to its destinations' : readiness.message,
    ...(tries.wakeAt !== undefined && { wakeAt: tries.wakeAt }),
  });
}

/** The address that a route has, or why it has none. */
function situation({ route, domain, rival }: CfRouteView) {
  const problem = (reason: Reason, text: string) => ({ reason, problem: text });
  const { protocol = 'http', domainRef } = (route.spec ?? {}) as Partial<typeof route.spec>;
  if (protocol !== 'http') {
    return problem(
      'UnsupportedProtocol',
      `Routes of protocol '${protocol}' are not served here, only http. Delete it.`,
    );
  }
  if (!domain) {
    const name = `${domainRef?.namespace ?? route.metadata.namespace}/${domainRef?.name ?? ''}`;
    return problem('InvalidDomainRef', `spec.domainRef: there is no CFDomain ${name}. Create it, or delete the route.`);
  }
  const found = address(route, domain);
  if ('problem' in found) return problem('InvalidAddress', found.problem);
  if (rival)
    return problem('DuplicateRoute', `${found.uri} belongs to the older CFRoute ${rival}. Delete one of them.`);
  return found;
}

function refused({ route, now }: CfRouteView, reason: Reason, message: string): Decision {
  const readiness = { ready: false, reason, message } as const;
  return conclude(route, now, { status: route.status ?? {}, readiness, because: message });
}

/** What does not work, in the words that operators know. */
function readinessOf(
  failure: { readonly of: Action; readonly message: string } | undefined,
  problem: string | undefined,
  note: string | undefined,
): Readiness {
  if (failure) {
    const kind = 'object' in failure.of ? failure.of.object.kind : 'of' in failure.of ? failure.of.of.kind : '';
    const reason =
      kind === 'Service' ? 'CreatePatchServices' : kind === 'Ingress' ? 'ReconcileIngress' : 'ReconcileHTTPRoute';
    return { ready: false, reason, message: failure.message };
  }
  if (problem !== undefined) return { ready: false, reason: 'BuildEffectiveDestinations', message: problem };
  return { ready: true, ...(note !== undefined && { message: note }) };
}

/** The annotation that names the apps follows the destinations, whoever changed them. */
function renamedApps({ route }: CfRouteView): Action | undefined {
  const value = appGuids(route);
  if (route.metadata.annotations?.[annotations.appGuids] === value) return undefined;
  const path = `/metadata/annotations/${annotations.appGuids.replaceAll('/', '~1')}`;
  return { do: 'patch', of: refTo(route), patch: [{ op: 'add', path, value }] };
}
