import type { JobSpec } from '../resources/job-spec.ts';
import type { Nonces } from '../resources/progress.ts';
import type { JobCase, JobHolder } from './job-case.ts';
import type { Status } from './status.ts';

/** Where the last value of each nonce that was acted upon is remembered. */
export const jobNonces = {
  savepointTrigger: 'savepointTriggerNonce',
  checkpointTrigger: 'checkpointTriggerNonce',
  savepointRedeploy: 'savepointRedeployNonce',
  statelessRedeploy: 'statelessRedeployNonce',
  autoscalerReset: 'autoscalerResetNonce',
} as const satisfies Partial<Record<keyof Nonces, keyof JobSpec>>;

/** Nonces that are acted upon by deploying. Those that trigger snapshots are acted upon by triggering. */
const deployed = ['savepointRedeploy', 'statelessRedeploy', 'autoscalerReset'] as const;

/** All nonces that a spec has. Of what the Java operator deployed, these were acted upon. */
export function noncesIn({ job, restartNonce }: JobHolder): Nonces {
  const found = Object.entries(jobNonces).flatMap(([name, field]) =>
    job[field] === undefined ? [] : [[name, job[field]]],
  );
  return { ...Object.fromEntries(found), ...(restartNonce !== undefined && { restart: restartNonce }) };
}

/** What is remembered once this spec is deployed. What it does not have is remembered as it was: null never triggers. */
export function remembered(before: Nonces | undefined, spec: JobHolder): Nonces {
  const all = noncesIn(spec);
  const taken = Object.entries(all).filter(([name]) => name === 'restart' || deployed.some((one) => one === name));
  return { ...before, ...Object.fromEntries(taken) };
}

/**
 * The recorded spec with each nonce as it was last acted upon. Comparing with it finds exactly the nonces that are to be
 * acted upon, whatever the spec had or did not have in between.
 */
export function withActedNonces(recorded: JobHolder, nonces: Nonces | undefined): JobHolder {
  if (!nonces) return recorded;
  const job = Object.entries(jobNonces).flatMap(([name, field]) => {
    const value = nonces[name as keyof Nonces];
    return value === undefined ? [] : [[field, value]];
  });
  return {
    ...recorded,
    job: { ...recorded.job, ...Object.fromEntries(job) },
    ...(nonces.restart !== undefined && { restartNonce: nonces.restart }),
  };
}

/** The redeploy that a nonce asks for and that was not begun yet. Should both, the one without state wins. */
export function redeployAsked({ spec, status }: JobCase): 'stateless-redeploy' | 'savepoint-redeploy' | undefined {
  const { savepointRedeployNonce, statelessRedeployNonce } = spec.job;
  const { savepointRedeploy, statelessRedeploy } = status.nonces ?? {};
  if (statelessRedeployNonce !== undefined && statelessRedeployNonce !== statelessRedeploy) return 'stateless-redeploy';
  if (savepointRedeployNonce !== undefined && savepointRedeployNonce !== savepointRedeploy) return 'savepoint-redeploy';
  return undefined;
}

/** There is no autoscaler yet that could be reset: that it was asked for is recorded, and that is all. */
export function withAutoscalerReset(
  status: Status,
  { job: { autoscalerResetNonce: autoscalerReset } }: JobHolder,
): Status {
  if (autoscalerReset === undefined || status.nonces?.autoscalerReset === autoscalerReset) return status;
  return { ...status, nonces: { ...status.nonces, autoscalerReset } };
}
