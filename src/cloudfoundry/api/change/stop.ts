import type { JsonObject } from '../../../kube/object.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { bumpedAtStop } from '../../revision.ts';

/**
 * A stop: the state and the bump in one write, so that nobody ever sees one without the other. `undefined` when the app is
 * stopped already: of many stops at once one writes, the others find it done.
 */
export function stop(app: CfApp): JsonObject | undefined {
  if (app.spec.desiredState === 'STOPPED') return undefined;
  return { metadata: { annotations: bumpedAtStop(app) }, spec: { desiredState: 'STOPPED' } };
}
