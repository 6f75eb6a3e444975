import { cloudFoundryAccess, cloudFoundryApiAccess } from '../cloudfoundry/access.ts';
import type { Grant } from '../control/access.ts';
import { coreAccess } from '../control/core-access.ts';
import { webhookAccess } from '../control/webhooks/access.ts';
import { flinkAccess, flinkProxyAccess } from '../flink/access.ts';
import { kudoAccess, kudoPackagesAccess } from '../kudo/access.ts';
import { dashboardAccess, notifyAccess } from '../server/access/needed-access.ts';
import { uninstallAccess } from './uninstall-access.ts';

/**
 * What each part of the operator asks of the API server. An installation has a role for the parts that it runs; that of
 * `kudoPackages` is bound only by whoever wants the operator to make what packages bring.
 */
export const accessParts = {
  core: coreAccess,
  webhooks: webhookAccess,
  dashboard: dashboardAccess,
  notify: notifyAccess,
  uninstall: uninstallAccess,
  flink: flinkAccess,
  flinkProxy: flinkProxyAccess,
  cloudfoundry: cloudFoundryAccess,
  cloudfoundryApi: cloudFoundryApiAccess,
  kudo: kudoAccess,
  kudoPackages: kudoPackagesAccess,
} as const satisfies Readonly<Record<string, readonly Grant[]>>;

export type PartName = keyof typeof accessParts;
