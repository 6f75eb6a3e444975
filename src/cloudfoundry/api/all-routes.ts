import { absent } from './absent.ts';
import { appActions } from './app-actions.ts';
import { appDroplet } from './app-droplet.ts';
import { appEnvironment } from './app-environment.ts';
import { appFeatures } from './app-features.ts';
import { apps } from './apps.ts';
import { auditEvents } from './audit-events.ts';
import { buildRoutes } from './builds.ts';
import { deploymentActions } from './deployment-actions.ts';
import { deployments } from './deployments.ts';
import { destinations } from './destinations.ts';
import { domains } from './domains.ts';
import { dropletRoutes } from './droplets.ts';
import { info } from './info.ts';
import { jobs } from './jobs.ts';
import { logRoutes } from './logs.ts';
import { manifestRoutes } from './manifests.ts';
import { offerRoutes } from './offers.ts';
import { organizations } from './organizations.ts';
import { packageRoutes } from './packages.ts';
import type { CfRoutes } from './platform.ts';
import { processInstances } from './process-instances.ts';
import { processStats } from './process-stats.ts';
import { processes } from './processes.ts';
import { roles } from './roles.ts';
import { routes } from './routes.ts';
import { spaces } from './spaces.ts';
import { taskRoutes } from './tasks.ts';
import { users } from './users.ts';

/** Every resource of the API. What there is none of comes last: anything above may answer instead. */
export const allRoutes: readonly CfRoutes[] = [
  info,
  organizations,
  spaces,
  roles,
  users,
  domains,
  routes,
  destinations,
  apps,
  appActions,
  appDroplet,
  appEnvironment,
  appFeatures,
  processes,
  processStats,
  processInstances,
  packageRoutes,
  buildRoutes,
  dropletRoutes,
  deployments,
  deploymentActions,
  taskRoutes,
  logRoutes,
  manifestRoutes,
  offerRoutes,
  auditEvents,
  jobs,
  absent,
];
