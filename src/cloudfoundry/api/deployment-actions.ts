import { type DeploymentStanding, deploymentStatus } from '../decide/deployment-status.ts';
import { deploymentMark } from '../deployment-mark.ts';
import { cfApp } from '../resources/cf-app.ts';
import { cfDeployment } from '../resources/cf-deployment.ts';
import { type CfError, unprocessable } from './cf-error.ts';
import { cancelDeployment } from './change/cancel-deployment.ts';
import { deploymentAs } from './deployments.ts';
import type { CfRoutes } from './platform.ts';
import { patchAs } from './read-as.ts';

/** Canceling a deployment, and continuing one that is paused. Both are done for good when they are answered. */
export const deploymentActions: CfRoutes = (api, platform) => {
  const { clock } = platform;

  api.post('/v3/deployments/:guid/actions/cancel', async (c) => {
    const { caller } = c.var;
    const { record, app } = await deploymentAs(platform, caller, c.req.param('guid'));
    const guid = record.metadata.name ?? '';
    await patchAs(
      platform,
      caller,
      cfApp,
      app,
      (current) => {
        const standing = deploymentStatus(record, current, clock.now());
        if (standing.value !== 'ACTIVE') throw cannot('cancel', standing);
        if (deploymentMark(current)?.guid !== guid) {
          throw unprocessable('This deployment is just being created. Try again in a moment.');
        }
        return cancelDeployment(current, guid);
      },
      'App',
    );
    return c.body(null, 200);
  });

  api.post('/v3/deployments/:guid/actions/continue', async (c) => {
    const { caller } = c.var;
    const { record, app } = await deploymentAs(platform, caller, c.req.param('guid'));
    await patchAs(
      platform,
      caller,
      cfDeployment,
      record,
      (current) => {
        const standing = deploymentStatus(current, app, clock.now());
        if (standing.reason !== 'PAUSED') throw cannot('continue', standing);
        return { spec: { step: current.spec.step + 1 } };
      },
      'Deployment',
    );
    return c.body(null, 200);
  });
};

function cannot(what: 'cancel' | 'continue', { value, reason }: DeploymentStanding): CfError {
  return unprocessable(`Cannot ${what} a deployment with status: ${value} and reason: ${reason}`);
}
