import { isKubeError } from '../../kube/error.ts';
import { nameOf } from '../../kube/resource.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { type CfError, unprocessable } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller } from './platform.ts';

/**
 * Whether a caller may have this host of a domain at all. Domains are shared by all spaces: nobody gets one as a whole, and all
 * hosts that nobody has (`*`) only who may change the domain itself.
 * @throws CfError 422
 */
export async function assertHostIsFor(caller: Caller, domain: CfDomain, host: string): Promise<void> {
  if (host === '') throw unprocessable('Missing host. Routes in shared domains must have a host defined.');
  if (host !== '*' || (await mayChange(caller, domain))) return;
  const { name } = domain.spec;
  throw unprocessable(
    `Host '*' stands for all hosts of domain '${name}': only an admin may have it. Use another host.`,
  );
}

/** For a host of which another space has a route. */
export function reserved(): CfError {
  return unprocessable('Routes for this host and domain have been reserved for another space.');
}

async function mayChange(caller: Caller, domain: CfDomain): Promise<boolean> {
  const nothing = { type: 'merge', body: {} } as const;
  try {
    await caller.client.resource(cfDomain.type).patch(nameOf(domain), nothing, { dryRun: true });
    return true;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return false;
    throw cfErrorOf(error, { verb: 'write', label: 'Domain' });
  }
}
