import { isReady } from '../decide/conclude.ts';
import { type DeploymentStanding, deploymentStatus } from '../decide/deployment-status.ts';
import { type DeploymentMark, deploymentMark } from '../deployment-mark.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import { revisionsOf } from '../revision.ts';
import { CfError } from './cf-error.ts';
import type { Caller, Platform } from './platform.ts';
import { readIn } from './read-as.ts';

/**
 * The deployment that the app's present revision belongs to, while it is ACTIVE. Without a mark it costs no request, nor when
 * the app says that it runs the revision on all instances: that is the end, which the record is told of only afterwards.
 */
export async function deploymentInFlight(
  platform: Pick<Platform, 'clock'>,
  caller: Caller,
  app: CfApp,
): Promise<DeploymentStanding | undefined> {
  const mark = deploymentMark(app);
  if (!mark || app.spec.desiredState === 'STOPPED' || isThrough(app, mark)) return undefined;
  const { namespace = '' } = app.metadata;
  try {
    const record = await readIn<CfDeployment>(caller, cfDeployment, { namespace, name: mark.guid }, 'Deployment');
    const standing = deploymentStatus(record, app, platform.clock.now());
    return standing.value === 'ACTIVE' ? standing : undefined;
  } catch (error) {
    if (error instanceof CfError && error.status === 404) return undefined;
    throw error;
  }
}

function isThrough(app: CfApp, { appRev, canceled }: DeploymentMark): boolean {
  const wanted = !canceled && revisionsOf(app).appRev === appRev;
  return wanted && app.status?.observedAppRev === String(appRev) && isReady(app);
}
