import { errorText, isError } from '../error-text.ts';
import { told, warned } from '../reasons.ts';
import { type Status, without } from '../status.ts';
import type { Effect } from '../step.ts';
import type { SessionCase } from './session-case.ts';

/** The case with all that the view shows folded into its status, and what there is to say about it. */
export interface Observed {
  readonly c: SessionCase;
  readonly events: readonly Effect[];
}

const missing = 'Missing JobManager deployment';

/** Folds in what is seen. It decides nothing. */
export function observed(found: SessionCase): Observed {
  const { recorded, jobManager, view, resource } = found;
  // A session has no job; the Java operator writes the end of one all the same.
  const bare: Status = without(found.status, 'jobStatus');
  // Whether a spec is refused is found out anew at every look.
  const status: Status = isError(bare.error, 'validation') ? without(bare, 'error') : bare;
  if (!recorded) return { c: { ...found, status }, events: [] };
  const before = status.jobManagerDeploymentStatus ?? 'MISSING';
  const seen = { ...remembering(found, status), jobManagerDeploymentStatus: jobManager.status };
  const events = found.status.nonces
    ? []
    : [told(resource, 'TakenOver', 'What another operator deployed is taken over as it is.')];
  const as = (next: Status, ...more: readonly Effect[]): Observed => ({
    c: { ...found, status: next },
    events: [...events, ...more],
  });
  if (status.transition || view.resource.metadata.deletionTimestamp) return as(seen);
  switch (jobManager.status) {
    case 'READY':
      return as(stable(without(informed(found, seen), 'error')));
    case 'ERROR': {
      const { reason = 'Error', message = 'JobManager deployment failed' } = jobManager.failure ?? {};
      const error = errorText(found.config, 'deployment', message, { reason });
      return status.error === error ? as(seen) : as({ ...seen, error }, warned(resource, reason, message));
    }
    case 'MISSING':
      if (before === 'MISSING' || before === 'ERROR' || jobManager.stranger) return as(seen);
      return as(
        { ...seen, error: errorText(found.config, 'deployment', missing) },
        warned(resource, 'Missing', missing),
      );
    case 'DEPLOYING':
    case 'DEPLOYED_NOT_READY':
      return as(seen);
  }
}

/** Of what the Java operator deployed, the nonce that is recorded was acted upon. */
function remembering({ recorded }: SessionCase, status: Status): Status {
  if (status.nonces) return status;
  const restart = recorded?.spec.restartNonce;
  return { ...status, nonces: restart === undefined ? {} : { restart } };
}

function informed({ view }: SessionCase, status: Status): Status {
  const { version } = view.rest;
  if (!version) return status;
  const { version: flinkVersion, revision } = version.value;
  const clusterInfo = { ...status.clusterInfo, 'flink-version': flinkVersion, 'flink-revision': revision };
  return { ...status, clusterInfo };
}

/** A spec whose cluster answers is stable. */
function stable(status: Status): Status {
  const { lastReconciledSpec, lastStableSpec, state } = status.reconciliationStatus ?? {};
  if (state !== 'DEPLOYED' || lastReconciledSpec === undefined || lastStableSpec === lastReconciledSpec) return status;
  return { ...status, reconciliationStatus: { ...status.reconciliationStatus, lastStableSpec: lastReconciledSpec } };
}
