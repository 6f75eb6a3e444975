import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { type DeploymentMark, deploymentMark } from '../deployment-mark.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { revisionsOf } from '../revision.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { CloudFoundryCaches } from './caches.ts';
import { wellFormedApp } from './well-formed-app.ts';

/** An image that can be run. */
export interface Droplet {
  /** The build that made it. */
  readonly guid: string;
  readonly image: string;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly ports?: readonly number[];
  /** What staging found to run, by type of process; absent when it looks for nothing. */
  readonly commands?: Readonly<Record<string, string>>;
}

/** What is known when a process is decided on. */
export interface CfProcessView extends View {
  readonly process: CfProcess;
  readonly app?: CfApp;
  /** The droplet that the app's present revision is to run: its deployment's, else the one it was recorded with, else the current one. */
  readonly droplet?: Droplet;
  /** All workloads of the process, also those that are ending; by name. */
  readonly workloads: readonly AppWorkload[];
  /** The deployment that the app's mark names. */
  readonly deployment?: CfDeployment;
  readonly settings: Pick<CloudFoundrySettings, 'process' | 'runnerName' | 'version'>;
}

export interface CfProcessSources {
  readonly caches: Pick<CloudFoundryCaches, 'apps' | 'builds' | 'workloads' | 'deployments'>;
  readonly settings: CloudFoundrySettings;
}

export function cfProcessView(
  key: string,
  glance: Glance<CfProcess>,
  { caches, settings }: CfProcessSources,
  found?: CfDeployment,
): CfProcessView {
  const { object: process, now, outcomes } = glance;
  const beside = (name: string | undefined): string => `${process.metadata.namespace}/${name}`;
  const seen = caches.apps.get(beside(process.spec.appRef.name));
  const app = seen && wellFormedApp(seen);
  const mark = app && deploymentMark(app);
  const deployment = mark && (caches.deployments.get(beside(mark.guid)) ?? named(found, mark.guid));
  const droplet = app && dropletOf(app, deployment, (name) => caches.builds.get(beside(name)));
  const workloads = caches.workloads.by('process', key);
  return {
    now,
    outcomes,
    process,
    ...(app && { app }),
    ...(droplet && { droplet }),
    workloads: workloads.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)),
    ...(deployment && { deployment }),
    settings: { process: settings.process, runnerName: settings.runnerName, version: settings.version },
  };
}

/**
 * What a deployment deploys, it deploys also when the current droplet was changed since; and a revision that once had instances,
 * and has some again, has those that it had. Whoever deleted that droplet gets the current one.
 */
function dropletOf(
  app: CfApp,
  deployment: CfDeployment | undefined,
  build: (name: string) => CfBuild | undefined,
): Droplet | undefined {
  const mark = deploymentMark(app);
  const { appRev } = revisionsOf(app);
  const deployed = mark?.appRev === appRev ? deployment?.spec.dropletRef.name : undefined;
  const { revision } = app.status ?? {};
  const recorded = revision?.appRev === String(appRev) ? revision.droplet : undefined;
  const taken = recorded && build(recorded)?.status?.droplet ? recorded : undefined;
  const guid = deployed ?? taken ?? app.spec.currentDropletRef?.name;
  const droplet = guid ? build(guid)?.status?.droplet : undefined;
  const image = droplet?.registry?.image;
  if (!guid || !droplet || !image) return undefined;
  const { imagePullSecrets } = droplet.registry ?? {};
  return {
    guid,
    image,
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(droplet.ports && { ports: droplet.ports }),
    ...(droplet.processTypes?.length && { commands: commandsOf(droplet.processTypes) }),
  };
}

/** Of each type the first. */
function commandsOf(
  types: readonly { readonly type: string; readonly command?: string }[],
): Droplet['commands'] & object {
  return Object.fromEntries(types.toReversed().map(({ type, command = '' }) => [type, command]));
}

function named(deployment: CfDeployment | undefined, guid: string): CfDeployment | undefined {
  return deployment?.metadata.name === guid ? deployment : undefined;
}

/**
 * The deployment that the app's mark names, as long as the caches do not show it: it was made before the mark, so it is there
 * unless somebody deleted it. Without it nobody knows how its revision is to be taken up.
 */
export async function unseenDeployment(
  process: CfProcess,
  { apps, deployments }: Pick<CfProcessSources['caches'], 'apps' | 'deployments'>,
  client: Client,
  signal: AbortSignal,
): Promise<CfDeployment | undefined> {
  const { namespace = '' } = process.metadata;
  const name = markOf(process, apps)?.guid ?? '';
  if (name === '' || deployments.get(`${namespace}/${name}`)) return undefined;
  try {
    return await client.resource<CfDeployment>(cfDeployment.type).get({ namespace, name }, { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Whether the app's mark names a deployment that the caches do not show. */
export function isUnseen(
  process: CfProcess,
  caches: Pick<CfProcessSources['caches'], 'apps' | 'deployments'>,
): boolean {
  const mark = markOf(process, caches.apps);
  return mark !== undefined && !caches.deployments.get(`${process.metadata.namespace}/${mark.guid}`);
}

function markOf({ metadata, spec }: CfProcess, apps: CfProcessSources['caches']['apps']): DeploymentMark | undefined {
  const app = apps.get(`${metadata.namespace}/${spec.appRef.name}`);
  return app && deploymentMark(app);
}
