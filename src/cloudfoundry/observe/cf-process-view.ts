import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { situation } from '../decide/process/situation.ts';
import { deploymentMark } from '../deployment-mark.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { revisionsOf } from '../revision.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor } from './asked.ts';
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
  /** The server has no such app, and a cache shows one: perhaps none will tell when that is otherwise. */
  readonly unheard?: boolean;
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
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
}

/** The view of the caches; with what the API server itself has, where they may not be relied upon or lack something. */
export function cfProcessView(
  key: string,
  glance: Glance<CfProcess>,
  sources: CfProcessSources,
): CfProcessView | Promise<CfProcessView> {
  const seen = viewOf(key, glance, sources);
  return hangsOnTheApp(seen) || unseenDeployment(seen) !== undefined ? askedView(key, glance, sources, seen) : seen;
}

/** What the API server was asked for. */
interface Asked {
  readonly app?: CfApp | undefined;
  readonly deployment?: CfDeployment | undefined;
}

function viewOf(
  key: string,
  glance: Glance<CfProcess>,
  { caches, settings }: CfProcessSources,
  asked: Asked = {},
): CfProcessView {
  const { object: process, now, outcomes } = glance;
  const beside = (name: string | undefined): string => `${process.metadata.namespace}/${name}`;
  const seen = 'app' in asked ? asked.app : caches.apps.get(beside(process.spec.appRef.name));
  const app = seen && wellFormedApp(seen);
  const mark = app && deploymentMark(app);
  const deployment = mark && (caches.deployments.get(beside(mark.guid)) ?? named(asked.deployment, mark.guid));
  const droplet = app && dropletOf(app, deployment, (name) => caches.builds.get(beside(name)));
  const workloads = caches.workloads.by('process', key);
  return {
    now,
    outcomes,
    process,
    ...(app && { app }),
    ...('app' in asked && !app && { unheard: true }),
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
 * Whether a workload is to be made or to go. Both end or begin instances, and both follow from what the app says of its last
 * stop: a cache that shows it from before a stop, or from before the start after it, would begin what was ended, or end what
 * runs. So the app is asked for before; it is stopped and started rarely.
 */
function hangsOnTheApp(view: CfProcessView): boolean {
  if (!view.app) return false;
  const { instances, workload, others } = situation(view, view.app);
  const stale = instances === 0 ? view.workloads : others;
  return (instances > 0 && !workload) || stale.some(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** The deployment that the app names and the view lacks: it was made before the mark, so it is there unless somebody deleted it. */
function unseenDeployment({ app, deployment }: CfProcessView): string | undefined {
  return deployment ? undefined : app && deploymentMark(app)?.guid;
}

async function askedView(
  key: string,
  glance: Glance<CfProcess>,
  sources: CfProcessSources,
  seen: CfProcessView,
): Promise<CfProcessView> {
  const { object: process, signal } = glance;
  const { namespace = '' } = process.metadata;
  const server = { client: sources.client, signal };
  const asked: Asked = hangsOnTheApp(seen)
    ? { app: await askedFor<CfApp>(cfApp.type, { namespace, name: process.spec.appRef.name ?? '' }, server) }
    : {};
  const view = viewOf(key, glance, sources, asked);
  const unseen = unseenDeployment(view);
  if (unseen === undefined) return view;
  return viewOf(key, glance, sources, {
    ...asked,
    deployment: await askedFor<CfDeployment>(cfDeployment.type, { namespace, name: unseen }, server),
  });
}
