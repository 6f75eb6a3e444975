import { equal } from '../../change/equal.ts';
import type { Instant } from '../../clock/clock.ts';
import type { Glance, View } from '../../control/controller.ts';
import { refTo, type VersionedRef } from '../../control/decision.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { deploymentStatus, hasEnded } from '../decide/deployment-status.ts';
import { isCurrent } from '../decide/process/situation.ts';
import { deploymentMark } from '../deployment-mark.ts';
import { revisionSecretName } from '../names.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import { revisionsOf } from '../revision.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor, isNewer } from './asked.ts';
import type { CloudFoundryCaches } from './caches.ts';
import { wellFormedApp } from './well-formed-app.ts';

/** The values of a Secret, by key. */
export type SealedValues = Readonly<Record<string, Sealed>>;

/** The environments that a canceled deployment is about; read only while it goes back. */
export interface Environments {
  /** What users have set now, and where. */
  readonly present: { readonly of: VersionedRef; readonly values: SealedValues };
  /** What the canceled revision was started with; absent if it never was. */
  readonly canceled?: SealedValues;
  /** What the revision before was started with. */
  readonly previous?: SealedValues;
}

/** What is known when a deployment is decided on. */
export interface CfDeploymentView extends View {
  readonly deployment: CfDeployment;
  readonly app?: CfApp;
  /** The web process of the app, and its workload since the last stop. */
  readonly web?: { readonly process: CfProcess; readonly workload?: AppWorkload };
  readonly environments?: Environments;
  /** How many deployments of the app ended after this one. */
  readonly newerEnded: number;
  readonly settings: Pick<CloudFoundrySettings, 'version'>;
}

export interface CfDeploymentSources {
  readonly caches: Pick<CloudFoundryCaches, 'apps' | 'processes' | 'workloads' | 'deployments'>;
  readonly client: Client;
  readonly seal: (value: string) => Sealed;
  readonly settings: CloudFoundrySettings;
}

/** Looks at a deployment. The server is asked for its app only when what the cache shows of it would end the deployment for good. */
export async function cfDeploymentView(
  glance: Glance<CfDeployment>,
  sources: CfDeploymentSources,
): Promise<CfDeploymentView> {
  const { object: deployment, now, outcomes, signal } = glance;
  const { caches, settings } = sources;
  const appKey = `${deployment.metadata.namespace}/${deployment.spec.appRef.name}`;
  // The server first: whoever waits after a look into the caches decides on what has been.
  const cached = caches.apps.get(appKey);
  const asked =
    cached && endsFor(deployment, cached, now) ? { app: await askedForApp(deployment, sources, signal) } : {};
  const before = 'app' in asked ? asked.app : cached;
  const read = before && goesBack(deployment, before) ? await environmentsOf(before, sources, signal) : undefined;
  const seen = 'app' in asked ? newest(asked.app, caches.apps.get(appKey)) : caches.apps.get(appKey);
  const app = seen && wellFormedApp(seen);
  const web = app && webOf(app, caches);
  const same = app && before && equal(deploymentMark(app), deploymentMark(before));
  const environments = same ? read : undefined;
  return {
    now,
    outcomes,
    deployment,
    ...(app && { app }),
    ...(web && { web }),
    ...(environments && { environments }),
    newerEnded: caches.deployments.by('app', appKey).filter((other) => endedAfter(other, deployment)).length,
    settings: { version: settings.version },
  };
}

function webOf(app: CfApp, caches: CfDeploymentSources['caches']): CfDeploymentView['web'] {
  // By its type: one that was made by hand may have any name.
  const process = caches.processes.by('app', keyOf(app)).find(({ spec }) => spec?.processType === 'web');
  if (!process) return undefined;
  const revisions = revisionsOf(app);
  const workload = caches.workloads.by('process', keyOf(process)).find((one) => isCurrent(one, revisions));
  return { process, ...(workload && { workload }) };
}

/**
 * Whether the app, as it is seen, ends the deployment for good: it names another, or none though the deployment was made long ago
 * by the clock. A cache that has not shown yet that it names this one says the same, and nobody would look again.
 */
function endsFor(deployment: CfDeployment, seen: CfApp, now: Instant): boolean {
  const app = wellFormedApp(seen);
  return !hasEnded(deployment, app) && deploymentStatus(deployment, app, now).value === 'FINALIZED';
}

function askedForApp(
  { metadata, spec }: CfDeployment,
  { client }: CfDeploymentSources,
  signal: AbortSignal,
): Promise<CfApp | undefined> {
  const { namespace = '' } = metadata;
  return askedFor<CfApp>(cfApp.type, { namespace, name: spec.appRef.name }, { client, signal });
}

/** The app that the server has, as the cache shows it by now if that is newer. */
function newest(asked: CfApp | undefined, cached: CfApp | undefined): CfApp | undefined {
  return asked && cached && isNewer(cached, asked) ? cached : asked;
}

function goesBack(deployment: CfDeployment, app: CfApp): boolean {
  const mark = deploymentMark(app);
  return mark?.guid === deployment.metadata.name && mark?.canceled === true && !hasEnded(deployment, app);
}

function endedAfter(other: CfDeployment, { metadata, status }: CfDeployment): boolean {
  const [theirs, ours] = [other.status?.finalizedAt, status?.finalizedAt];
  if (theirs === undefined || ours === undefined || other.metadata.uid === metadata.uid) return false;
  return theirs === ours ? (other.metadata.name ?? '') > (metadata.name ?? '') : theirs > ours;
}

/** Read from the server: values of Secrets are not kept in memory. */
async function environmentsOf(
  app: CfApp,
  { client, seal }: CfDeploymentSources,
  signal: AbortSignal,
): Promise<Environments | undefined> {
  const { namespace = '', name = '' } = app.metadata;
  const mark = deploymentMark(app);
  const read = async (secret: string | undefined): Promise<Secret | undefined> => {
    if (!secret) return undefined;
    const got = client.resource<Secret>(kinds.secrets).get({ namespace, name: secret }, { signal });
    return got.catch((error: unknown) => {
      if (isKubeError(error, 'not-found')) return undefined;
      throw error;
    });
  };
  const revision = (appRev: number | undefined): string | undefined =>
    appRev === undefined ? undefined : revisionSecretName(name, String(appRev));
  const [present, canceled, previous] = await Promise.all([
    read(app.spec.envSecretName),
    read(revision(mark?.appRev)),
    read(revision(mark?.previous?.appRev)),
  ]);
  if (!present) return undefined;
  const sealed = ({ data = {} }: Secret): SealedValues =>
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, seal(value)]));
  return {
    present: { of: refTo({ ...present, apiVersion: 'v1', kind: 'Secret' }), values: sealed(present) },
    ...(canceled && { canceled: sealed(canceled) }),
    ...(previous && { previous: sealed(previous) }),
  };
}

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };
