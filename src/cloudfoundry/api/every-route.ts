import { appActions } from './app-actions.ts';
import { appDroplet } from './app-droplet.ts';
import { appEnvironment } from './app-environment.ts';
import { appFeatures } from './app-features.ts';
import { apps } from './apps.ts';
import { buildRoutes } from './builds.ts';
import { deploymentActions } from './deployment-actions.ts';
import { deployments } from './deployments.ts';
import { destinations } from './destinations.ts';
import { domains } from './domains.ts';
import { dropletRoutes } from './droplets.ts';
import { info } from './info.ts';
import { jobs } from './jobs.ts';
import { organizations } from './organizations.ts';
import { packageRoutes } from './packages.ts';
import type { CfRoutes } from './platform.ts';
import { processInstances } from './process-instances.ts';
import { processStats } from './process-stats.ts';
import { processes } from './processes.ts';
import { routes } from './routes.ts';
import { spaces } from './spaces.ts';
import { taskRoutes } from './tasks.ts';

/** Everything that the CF API answers. */
export const everyRoute: readonly CfRoutes[] = [
  info,
  organizations,
  spaces,
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
  jobs,
];
