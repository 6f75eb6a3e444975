import type { JsonObject } from '../../../kube/object.ts';
import { deploymentMark, markText } from '../../deployment-mark.ts';
import { annotations } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { bumpedAtStop, returnedTo } from '../../revision.ts';

/**
 * The one write that cancels a deployment: revision and droplet are the previous ones again, so that instances which were
 * not replaced yet are left alone. The deployment of an app that did not run returns to that: the app is stopped, with the
 * droplet that it had.
 *
 * `undefined` when there is nothing to do: it was canceled already, or the app is no longer this deployment's.
 */
export function cancelDeployment(app: CfApp, guid: string): JsonObject | undefined {
  const mark = deploymentMark(app);
  if (mark?.guid !== guid || mark.canceled) return undefined;
  const canceled = { [annotations.deployment]: markText({ ...mark, canceled: true }) };
  const { previous, stopped } = mark;
  if (!previous) {
    if (app.spec.desiredState === 'STOPPED') return undefined;
    return {
      metadata: { annotations: { ...bumpedAtStop(app), ...canceled } },
      spec: { desiredState: 'STOPPED', ...(stopped && current(stopped)) },
    };
  }
  return {
    metadata: { annotations: { ...returnedTo(app, previous.appRev), ...canceled } },
    spec: current(previous),
  };
}

/** The droplet of then; an app that had none has none again. */
function current({ droplet }: { readonly droplet?: string }): JsonObject {
  return { currentDropletRef: droplet ? { name: droplet } : null };
}
