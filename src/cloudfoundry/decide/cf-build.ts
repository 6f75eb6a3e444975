import { type Decision, idle, refTo } from '../../control/decision.ts';
import { annotations, labels } from '../keys.ts';
import { type CfBuildView, hasEnded } from '../observe/cf-build-view.ts';
import { buildpackStaging } from './build/buildpack-staging.ts';
import { dockerStaging } from './build/docker-staging.ts';
import { ended, type Staging, statusOf, waiting } from './build/staging.ts';
import { conclude } from './conclude.ts';
import { createdAt } from './created-at.ts';
import { furnished } from './furnished.ts';
import { isSurplus } from './surplus.ts';
import { unresolved } from './unresolved.ts';

/**
 * A build makes a droplet of a package, once.
 *
 * | lifecycle | what happens                                                            |
 * | --------- | ----------------------------------------------------------------------- |
 * | docker    | the image is the droplet; how it wants to be run is read where it is kept |
 * | buildpack | a BuildWorkload is handed to a builder, and what it says is taken over    |
 *
 * What is STAGED or FAILED stays so. Old builds go, except those that an app runs or may return to.
 */
export function decideCfBuild(view: CfBuildView): Decision {
  const { resource, app, now, settings } = view;
  const { metadata, spec, status } = resource;
  if (metadata.deletionTimestamp) return idle('it is being deleted');
  const furnish = furnished(resource, {
    labels: {
      [labels.guid]: metadata.name,
      [labels.spaceGuid]: metadata.namespace,
      [labels.appGuid]: spec?.appRef?.name,
      [labels.packageGuid]: spec?.packageRef?.name,
      [labels.createdAt]: createdAt(resource),
      [labels.buildState]: status?.state ?? 'STAGING',
      ...(status?.state === 'STAGED' && { [labels.dropletGuid]: metadata.name }),
    },
    annotations: { [annotations.creationVersion]: settings.version },
    ...(app && { owner: { object: app } }),
  });
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every build' };
  if (app && isSurplus(metadata.name ?? '', view.builds, settings.retainedBuilds)) {
    const because = `its app has ${settings.retainedBuilds} newer builds, and nothing needs this one`;
    return { actions: [{ do: 'delete', of: refTo(resource) }], because };
  }
  const staging = hasEnded(resource) ? ended(resource) : stage(view);
  return conclude(resource, now, { ...staging, status: statusOf(resource, staging, now) });
}

function stage(view: CfBuildView): Staging {
  const { spec } = view.resource;
  if (!view.app) return waiting('AppNotFound', unresolved('CFApp', 'spec.appRef.name', spec?.appRef?.name));
  if (!view.source) {
    return waiting('PackageNotFound', unresolved('CFPackage', 'spec.packageRef.name', spec?.packageRef?.name));
  }
  const source = view.source.spec?.source?.registry;
  if (!source?.image) return waiting('PackageNotReady', 'The files of its package have not been uploaded yet.');
  return spec?.lifecycle?.type === 'docker' ? dockerStaging(view, source) : buildpackStaging(view, view.app, source);
}
