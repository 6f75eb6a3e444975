import type { JsonObject } from '../../kube/object.ts';
import { createdAt } from '../decide/created-at.ts';
import { labels } from '../keys.ts';
import { newProcess } from '../manifests/cf-process.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfDeployment, type CfDeploymentSpec, cfDeployment } from '../resources/cf-deployment.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { dropletOf, notOfThisApp } from './app-droplet.ts';
import { assertCanRoll, assertRunnerRolls } from './can-roll.ts';
import { CfError, unprocessable } from './cf-error.ts';
import { beginDeployment, dropletBefore } from './change/begin-deployment.ts';
import { scaled } from './change/process.ts';
import { deploymentInFlight } from './deployment-in-flight.ts';
import { processOf } from './find-process.ts';
import { newObject } from './new-object.ts';
import type { DeploymentOptions, NewDeployment } from './payload/deployment.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import type { Caller, Platform } from './platform.ts';
import { createAs, deleteAs, patchAs, readAs } from './read-as.ts';

/**
 * Begins a deployment: the record first, which does nothing by itself, then one guarded write of the app that decides all.
 * Whatever is wrong with the request is found before either; a request that is cut off in between leaves a record that never
 * begins.
 */
export async function createDeployment(
  platform: Platform,
  caller: Caller,
  wanted: NewDeployment,
): Promise<{ readonly record: CfDeployment; readonly app: CfApp }> {
  metadataPatch(wanted.metadata);
  if (wanted.revision) {
    throw unprocessable('Cannot create deployment from a revision for an app without revisions enabled');
  }
  const [app] = await Promise.all([
    appFor(platform, caller, wanted.relationships.app.data.guid),
    assertRunnerRolls(platform),
  ]);
  const [before] = await Promise.all([planned(platform, caller, app, wanted), assertCanRoll(platform, app)]);
  const object = newRecord(platform, app, before, wanted);
  let record = await createAs<CfDeployment>(platform, caller, cfDeployment, object, 'Deployment');
  try {
    await scaleWeb(platform, caller, app, wanted.options);
    const guid = record.metadata.name ?? '';
    const begin = async (current: CfApp): Promise<JsonObject> => {
      if (current.metadata.deletionTimestamp) throw unusable();
      // A deployment that has ended stays ended, so it need not be asked for again; one under way may have ended since.
      const settled = current === app && !before.underWay;
      const plan = settled ? before : await planned(platform, caller, current, wanted, before);
      record = await recorded(platform, caller, record, plan);
      return beginDeployment(current, { guid, ...plan });
    };
    return { app: await patchAs(platform, caller, cfApp, app, begin, 'App'), record };
  } catch (error) {
    // Without an answer the app may have been written: its mark must name a record that is there.
    const refused = error instanceof CfError && error.status < 500;
    if (refused) await deleteAs(caller, cfDeployment, record, 'Deployment').catch(() => undefined);
    throw error;
  }
}

/** What is decided on one version of the app. */
interface Plan {
  readonly droplet: string;
  /** The droplet that a cancel returns to. */
  readonly previous: string | undefined;
  /** Whether another deployment is under way, whose place is taken. */
  readonly underWay: boolean;
}

/** @param checked what was found before: its droplet is known to be one of the app */
async function planned(
  platform: Platform,
  caller: Caller,
  app: CfApp,
  wanted: NewDeployment,
  checked?: Plan,
): Promise<Plan> {
  const droplet = wanted.droplet?.guid ?? app.spec.currentDropletRef?.name;
  if (!droplet) {
    throw unprocessable(
      'Invalid droplet. Please specify a droplet in the request or set a current droplet for the app.',
    );
  }
  const [usable, inFlight] = await Promise.all([
    droplet === checked?.droplet || dropletOf(caller, app, droplet),
    deploymentInFlight(platform, caller, app),
  ]);
  if (!usable) throw notOfThisApp();
  const underWay = inFlight !== undefined;
  return { droplet, previous: dropletBefore(app, underWay), underWay };
}

/** The record as the plan has it: before the app names it, for what it says is deployed. */
function recorded(
  platform: Platform,
  caller: Caller,
  record: CfDeployment,
  plan: Plan,
): Promise<CfDeployment> | CfDeployment {
  const { dropletRef, previousDropletRef } = record.spec;
  if (dropletRef.name === plan.droplet && previousDropletRef?.name === plan.previous) return record;
  const patch = {
    metadata: { labels: { [labels.dropletGuid]: plan.droplet } },
    spec: {
      dropletRef: { name: plan.droplet },
      previousDropletRef: plan.previous === undefined ? null : { name: plan.previous },
    },
  };
  return patchAs(platform, caller, cfDeployment, record, () => patch, 'Deployment');
}

async function appFor(platform: Platform, caller: Caller, guid: string): Promise<CfApp> {
  try {
    const app = await readAs<CfApp>(platform, caller, cfApp, guid, 'App');
    if (app.metadata.deletionTimestamp) throw unusable();
    return app;
  } catch (error) {
    if (error instanceof CfError && error.status === 404) throw unusable();
    throw error;
  }
}

function unusable(): CfError {
  return unprocessable('Unable to use app. Ensure that the app exists and you have access to it.');
}

function newRecord(platform: Platform, app: CfApp, { droplet, previous }: Plan, wanted: NewDeployment): CfDeployment {
  const { name: appGuid = '', namespace = '', uid = '' } = app.metadata;
  const { strategy, options, metadata } = wanted;
  const object = newObject<CfDeploymentSpec>(platform, cfDeployment, {
    namespace,
    metadata,
    labels: { [labels.appGuid]: appGuid, [labels.spaceGuid]: namespace, [labels.dropletGuid]: droplet },
    spec: {
      appRef: { name: appGuid },
      strategy,
      dropletRef: { name: droplet },
      ...(previous && { previousDropletRef: { name: previous } }),
      maxInFlight: options.max_in_flight ?? 1,
      ...(options.canary?.steps && {
        steps: options.canary.steps.map(({ instance_weight }) => ({ instanceWeight: instance_weight })),
      }),
      step: 1,
    },
  });
  const owner = { apiVersion: cfApp.apiVersion, kind: cfApp.type.kind, name: appGuid, uid };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

/**
 * What the deployment wants of the web process. Memory and disk are taken into the revision that it makes, so they are
 * written before it begins; by themselves they restart nothing.
 */
async function scaleWeb(platform: Platform, caller: Caller, app: CfApp, options: DeploymentOptions): Promise<void> {
  const { web_instances, memory_in_mb, disk_in_mb } = options;
  const patch = scaled({ instances: web_instances, memory_in_mb, disk_in_mb });
  if (!patch) return;
  const process = await webOf(platform, caller, app);
  await patchAs(platform, caller, cfProcess, process, () => patch, 'Process');
}

/** The web process; an app that was never run may not have it yet. */
async function webOf(platform: Platform, caller: Caller, app: CfApp): Promise<CfProcess> {
  try {
    return await processOf(caller, app, 'web');
  } catch (error) {
    if (!(error instanceof CfError) || error.status !== 404) throw error;
    const creationTimestamp = new Date(platform.clock.now()).toISOString();
    const made = createdAt({ metadata: { creationTimestamp } }) ?? '';
    const process = newProcess(app, { type: 'web' }, platform.settings, made);
    return await createAs(platform, caller, cfProcess, process, 'Process');
  }
}
