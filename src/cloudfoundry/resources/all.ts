import type { Kind } from '../../schema/kind.ts';
import { appWorkload } from './app-workload.ts';
import { buildWorkload } from './build-workload.ts';
import { builderInfo } from './builder-info.ts';
import { cfApp } from './cf-app.ts';
import { cfBuild } from './cf-build.ts';
import { cfDeployment } from './cf-deployment.ts';
import { cfDomain } from './cf-domain.ts';
import { cfOrg } from './cf-org.ts';
import { cfPackage } from './cf-package.ts';
import { cfProcess } from './cf-process.ts';
import { cfRoute } from './cf-route.ts';
import { cfSpace } from './cf-space.ts';
import { cfTask } from './cf-task.ts';
import { runnerInfo } from './runner-info.ts';
import { taskWorkload } from './task-workload.ts';

/** Every kind of the family, as they are installed. */
export const cloudFoundryKinds: readonly Kind[] = [
  cfOrg,
  cfSpace,
  cfDomain,
  cfRoute,
  cfApp,
  cfProcess,
  cfPackage,
  cfBuild,
  buildWorkload,
  builderInfo,
  appWorkload,
  runnerInfo,
  cfTask,
  taskWorkload,
  cfDeployment,
];
