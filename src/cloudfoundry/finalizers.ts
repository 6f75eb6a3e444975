import { finalizers } from './keys.ts';
import { korifiManagers } from './korifi-managers.ts';
import { appWorkload } from './resources/app-workload.ts';
import { cfApp } from './resources/cf-app.ts';
import { cfDomain } from './resources/cf-domain.ts';
import { cfOrg } from './resources/cf-org.ts';
import { cfPackage } from './resources/cf-package.ts';
import { cfRoute } from './resources/cf-route.ts';
import { cfSpace } from './resources/cf-space.ts';

/**
 * Every finalizer of the family, the kind it is put on, and who else puts it there: an uninstall takes ours off, from what is held to
 * what holds it.
 */
export const cloudFoundryFinalizers = [
  { type: appWorkload.type, finalizer: finalizers.workload, others: korifiManagers },
  { type: cfPackage.type, finalizer: finalizers.package, others: korifiManagers },
  { type: cfRoute.type, finalizer: finalizers.route, others: korifiManagers },
  { type: cfApp.type, finalizer: finalizers.app, others: korifiManagers },
  { type: cfDomain.type, finalizer: finalizers.domain, others: korifiManagers },
  { type: cfSpace.type, finalizer: finalizers.space, others: korifiManagers },
  { type: cfOrg.type, finalizer: finalizers.org, others: korifiManagers },
] as const;
