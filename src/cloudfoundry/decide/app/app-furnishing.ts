import { annotations, finalizers, labels } from '../../keys.ts';
import { labelHash } from '../../names.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { revisionsOf } from '../../revision.ts';
import { createdAt } from '../created-at.ts';
import type { Furnishing } from '../furnished.ts';

/** What an app carries besides its spec; webhooks and controller give the same. `version` is what `creation-version` says. */
export function appFurnishing(app: CfApp, version: string): Furnishing {
  const { metadata, spec } = app;
  return {
    labels: {
      [labels.guid]: metadata.name,
      [labels.spaceGuid]: metadata.namespace,
      [labels.displayName]: labelHash(spec.displayName),
      [labels.createdAt]: createdAt(app),
      // Until it is Ready for the first time; the controller says it from then on.
      [labels.deploymentStatus]: metadata.labels?.[labels.deploymentStatus] ?? 'ACTIVE',
    },
    annotations: {
      [annotations.creationVersion]: version,
      [annotations.appRev]: '0',
      [annotations.lastStopAppRev]: String(revisionsOf(app).appRev),
    },
    finalizer: finalizers.app,
  };
}
