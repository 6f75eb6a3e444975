import { type Action, type Decision, idle, refTo } from '../../control/decision.ts';
import { removeFinalizer } from '../../control/finalizers.ts';
import { finalizers } from '../keys.ts';
import { unheardMs } from '../observe/asked.ts';
import type { CfDomainView } from '../observe/cf-domain-view.ts';
import { isDnsName } from '../route-address.ts';
import { conclude } from './conclude.ts';
import { furnished } from './furnished.ts';
import { domainFurnishing } from './furnishings.ts';

/** A domain: nothing is made for it, and its routes go with it. */
export function decideCfDomain(view: CfDomainView): Decision {
  const { domain, now } = view;
  if (domain.metadata.deletionTimestamp) return leaving(view);

  const furnish = furnished(domain, domainFurnishing(domain, view.version));
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every domain' };

  const status = domain.status ?? {};
  const name = domain.spec?.name ?? '';
  if (isDnsName(name)) {
    return conclude(domain, now, { status, readiness: { ready: true }, because: 'routes can use it' });
  }
  const message = `'${name}' is not a domain name: labels of a-z, 0-9 and '-', joined by dots, 253 characters at most. Routes cannot use it.`;
  return conclude(domain, now, {
    status,
    readiness: { ready: false, reason: 'InvalidDomainName', message },
    because: message,
  });
}

function leaving({ domain, routes, unheard, now }: CfDomainView): Decision {
  const release = removeFinalizer(domain, finalizers.domain);
  if (!release) return idle('others still hold it; its routes are gone');
  if (routes.length === 0) return { actions: [release], because: 'no route uses it any more' };
  const message = `Waiting until its routes are gone: ${routes.length}.`;
  return conclude(domain, now, {
    status: domain.status ?? {},
    readiness: { ready: false, reason: 'Deleting', message },
    effects: routes
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((route): Action => ({ do: 'delete', of: refTo(route) })),
    because: message,
    ...(unheard && { wakeAt: now + unheardMs }),
  });
}
