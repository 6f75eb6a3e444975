import type { JsonObject } from '../../../kube/object.ts';
import type { CfApp } from '../../resources/cf-app.ts';

/** A start keeps the revision: the stop before it has made a new one. `undefined` when the app is started already. */
export function start(app: CfApp): JsonObject | undefined {
  return app.spec.desiredState === 'STARTED' ? undefined : { spec: { desiredState: 'STARTED' } };
}
