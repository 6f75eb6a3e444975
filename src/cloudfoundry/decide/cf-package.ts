import { setCondition } from '../../control/conditions.ts';
import { type Decision, idle, refTo } from '../../control/decision.ts';
import { removeFinalizer } from '../../control/finalizers.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import type { CfPackageView } from '../observe/cf-package-view.ts';
import { conclude, type Readiness } from './conclude.ts';
import { createdAt } from './created-at.ts';
import { furnished } from './furnished.ts';
import { isSurplus } from './surplus.ts';

/**
 * A package is ready once it names an image. Nothing has to be done for that: images are pushed by users or by whoever takes
 * their files. Old ones go, except those that are still needed.
 */
export function decideCfPackage(view: CfPackageView): Decision {
  const { resource, app, now, settings } = view;
  const { metadata, status } = resource;
  if (metadata.deletionTimestamp) {
    const release = removeFinalizer(resource, finalizers.package);
    return release ? { actions: [release], because: 'nothing is left of it to clean up' } : idle('it is being deleted');
  }
  const image = resource.spec?.source?.registry?.image;
  const furnish = furnished(resource, {
    labels: {
      [labels.guid]: metadata.name,
      [labels.spaceGuid]: metadata.namespace,
      [labels.appGuid]: resource.spec?.appRef?.name,
      [labels.createdAt]: createdAt(resource),
      [labels.packageState]: image ? 'READY' : 'AWAITING_UPLOAD',
    },
    annotations: { [annotations.creationVersion]: settings.version },
    finalizer: finalizers.package,
    ...(app && { owner: { object: app } }),
  });
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every package' };
  if (app && isSurplus(metadata.name ?? '', view.packages, settings.retainedPackages)) {
    const because = `its app has ${settings.retainedPackages} newer packages, and nothing needs this one`;
    return { actions: [{ do: 'delete', of: refTo(resource) }], because };
  }
  const initialized = { type: 'Initialized', status: 'True', reason: 'Initialized', message: '' } as const;
  const conditions = setCondition(status?.conditions ?? [], initialized, metadata.generation ?? 0, now);
  const readiness: Readiness = image
    ? { ready: true }
    : {
        ready: false,
        reason: 'Initialized',
        message: 'Its files have not been uploaded yet: spec.source.registry.image names none.',
      };
  return conclude(resource, now, {
    status: { ...status, conditions },
    readiness,
    because: image ? 'it names an image' : 'its files have not been uploaded yet',
  });
}
