import { createdAt } from '../decide/created-at.ts';
import { deploymentMark } from '../deployment-mark.ts';
import { labels } from '../keys.ts';
import { newProcess } from '../manifests/cf-process.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfDeployment, type CfDeploymentSpec, cfDeployment } from '../resources/cf-deployment.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { dropletOf, notOfThisApp } from './app-droplet.ts';
import { assertCanRoll, assertRunnerRolls } from './can-roll.ts';
import { CfError, unprocessable } from './cf-error.ts';
import { beginDeployment, previousOf } from './change/begin-deployment.ts';
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
  const droplet = wanted.droplet?.guid ?? app.spec.currentDropletRef?.name;
  if (!droplet) {
    throw unprocessable(
      'Invalid droplet. Please specify a droplet in the request or set a current droplet for the app.',
    );
  }
  const [build, inFlight] = await Promise.all([
    dropletOf(caller, app, droplet),
    deploymentInFlight(platform, caller, app),
    assertCanRoll(platform, app),
  ]);
  if (!build) throw notOfThisApp();

  const previous = previousOf(app, inFlight && deploymentMark(app))?.droplet ?? app.spec.currentDropletRef?.name;
  const object = newRecord(platform, app, { droplet, previous }, wanted);
  const record = await createAs(platform, caller, cfDeployment, object, 'Deployment');
  try {
    await scaleWeb(platform, caller, app, wanted.options);
    const guid = record.metadata.name ?? '';
    const begun = await patchAs(
      platform,
      caller,
      cfApp,
      app,
      async (current) => {
        if (current.metadata.deletionTimestamp) throw unusable();
        const other = current === app ? inFlight : await deploymentInFlight(platform, caller, current);
        return beginDeployment(current, { guid, droplet, underWay: other !== undefined });
      },
      'App',
    );
    return { record, app: begun };
  } catch (error) {
    // Without an answer the app may have been written: its mark must name a record that is there.
    const refused = error instanceof CfError && error.status < 500;
    if (refused) await deleteAs(caller, cfDeployment, record, 'Deployment').catch(() => undefined);
    throw error;
  }
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

function newRecord(
  platform: Platform,
  app: CfApp,
  { droplet, previous }: { readonly droplet: string; readonly previous: string | undefined },
  wanted: NewDeployment,
): CfDeployment {
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
