import type { AnyObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { type CfAppStatus, cfApp } from './resources/cf-app.ts';
import { type CfDeploymentStatus, cfDeployment } from './resources/cf-deployment.ts';

/** Events that say what is told of the followed objects anyway. */
export const toldAnyway: readonly string[] = ['Deployed', 'DeploymentCanceled', 'DeploymentSuperseded'];

/** How apps and deployments fare, in a few words. Apps are known by the names that people gave them. */
export const followed: readonly {
  type: ResourceType;
  state: (object: AnyObject) => string | undefined;
  called: (object: AnyObject) => string | undefined;
}[] = [
  { type: cfApp.type, state: appState, called: ({ spec }) => named(spec, 'displayName') },
  { type: cfDeployment.type, state: deploymentState, called: ({ metadata }) => metadata.name?.slice(0, 8) },
];

function appState({ spec, status }: AnyObject): string | undefined {
  const { conditions } = (status ?? {}) as CfAppStatus;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  if (!ready) return undefined;
  const wanted = named(spec, 'desiredState') === 'STARTED' ? 'started' : 'stopped';
  return ready.status === 'True' ? wanted : `${wanted}, but not ready (${ready.reason})`;
}

function deploymentState({ spec, status }: AnyObject): string | undefined {
  const { value, reason, step } = (status ?? {}) as CfDeploymentStatus;
  if (!value) return undefined;
  const canary = named(spec, 'strategy') === 'canary' && step !== undefined ? ` at step ${step}` : '';
  return `${value} (${reason}${canary})`;
}

function named(spec: unknown, field: string): string | undefined {
  const value = typeof spec === 'object' && spec !== null ? Reflect.get(spec, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
