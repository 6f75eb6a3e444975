import { deploymentMark } from '../deployment-mark.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';

/**
 * The builds of an app that must stay, however old they are: the droplet that it is to run, the one that it runs, and those that a deployment is
 * bringing or may return to.
 */
export function keptDroplets(app: CfApp, deployments: readonly CfDeployment[]): ReadonlySet<string> {
  const mark = deploymentMark(app);
  const kept = [
    app.spec?.currentDropletRef?.name,
    app.status?.revision?.droplet,
    (mark?.previous ?? mark?.stopped)?.droplet,
  ];
  for (const { metadata, spec, status } of deployments) {
    if (status?.value === 'FINALIZED' && metadata.name !== mark?.guid) continue;
    kept.push(spec?.dropletRef?.name, spec?.previousDropletRef?.name);
  }
  return new Set(kept.filter((name) => name !== undefined));
}
