import { finalizers } from './keys.ts';
import { appWorkload } from './resources/app-workload.ts';
import { cfApp } from './resources/cf-app.ts';
import { cfDomain } from './resources/cf-domain.ts';
import { cfOrg } from './resources/cf-org.ts';
import { cfPackage } from './resources/cf-package.ts';
import { cfRoute } from './resources/cf-route.ts';
import { cfSpace } from './resources/cf-space.ts';

/** Every finalizer of the family, and the kind it is put on: an uninstall takes them off, from what is held to what holds it. */
export const cloudFoundryFinalizers = [
  { type: appWorkload.type, finalizer: finalizers.workload },
  { type: cfPackage.type, finalizer: finalizers.package },
  { type: cfRoute.type, finalizer: finalizers.route },
  { type: cfApp.type, finalizer: finalizers.app },
  { type: cfDomain.type, finalizer: finalizers.domain },
  { type: cfSpace.type, finalizer: finalizers.space },
  { type: cfOrg.type, finalizer: finalizers.org },
] as const;
