import type { SpecChange } from '../resources/spec-change.ts';
import { terminal } from '../rest.ts';
import type { JobCase } from './job-case.ts';
import { leftState } from './left-state.ts';
import { remembered } from './nonces.ts';
import { specChangedEvents } from './spec-changed-events.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';
import { isBeingSubmitted } from './transition/submission.ts';

/**
 * A redeploy nonce changed: whatever the job is doing, it is replaced by one that starts from the user's savepoint or
 * empty. It supersedes any change under way. That it was acted upon is written together with the intent.
 */
export function redeploy(
  c: JobCase,
  cause: 'stateless-redeploy' | 'savepoint-redeploy',
  change: SpecChange,
): Step<Status> {
  const { initialSavepointPath: path, statelessRedeployNonce, savepointRedeployNonce } = c.spec.job;
  const from =
    cause === 'savepoint-redeploy' && path !== undefined ? ({ mode: 'savepoint', path } as const) : undefined;
  const restore = from ?? ({ mode: 'stateless' } as const);
  const nonce =
    cause === 'stateless-redeploy'
      ? `statelessRedeployNonce is ${statelessRedeployNonce}`
      : `savepointRedeployNonce is ${savepointRedeployNonce}`;
  const { jobId, state } = c.status.jobStatus ?? {};
  const gone = c.is === 'application' && c.jobManager.status === 'MISSING';
  const over = jobId === undefined || terminal(state) || gone || c.recorded?.spec.job.state === 'suspended';
  const ended = over && !isBeingSubmitted(c);
  const dropped = c.status.transition?.dropped ?? leftState(c);
  const acted = { ...c, status: { ...c.status, nonces: remembered(c.status.nonces, onlyRedeploys(c)) } };
  return begin(acted, {
    cause,
    because: `${nonce}: the job is redeployed ${from ? `from ${from.path}` : 'without state'}.`,
    stop: ended ? 'none' : 'stateless',
    restore,
    ...(ended && { dropped }),
    events: specChangedEvents(c, change),
  });
}

/** Other nonces are acted upon when the spec is taken up. */
function onlyRedeploys({ spec }: JobCase): JobCase['spec'] {
  const { savepointRedeployNonce, statelessRedeployNonce } = spec.job;
  return {
    job: {
      ...(savepointRedeployNonce !== undefined && { savepointRedeployNonce }),
      ...(statelessRedeployNonce !== undefined && { statelessRedeployNonce }),
    },
  };
}
