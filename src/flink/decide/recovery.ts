import { highAvailability } from '../config/high-availability.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { terminal } from '../rest.ts';
import { errorText } from './error-text.ts';
import type { JobCase } from './job-case.ts';
import { told, warned } from './reasons.ts';
import { jobNotFound } from './seen.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';

/** The job should run, and what ran it is gone. It goes on from what is known for certain, or waits for a person. */
export function recovery(c: JobCase): Step<Status> | undefined {
  if (c.recorded?.spec.job.state === 'suspended' || terminal(c.status.jobStatus?.state)) return undefined;
  return c.is === 'application' ? missingJobManager(c) : missingJob(c);
}

function missingJobManager(c: JobCase): Step<Status> | undefined {
  const { status, stranger } = c.jobManager;
  if (stranger) {
    const because = `Deployment ${stranger.ref.name} belongs to somebody else: delete or rename it. Until then the job is not deployed.`;
    return stalled(c, because, 'NameTaken', 'deployment');
  }
  if (status !== 'MISSING') return undefined;
  if (!read(c.config, operatorOptions.recoveryEnabled)) {
    const because =
      'Missing JobManager deployment: recovery is switched off (kubernetes.operator.jm-deployment-recovery.enabled).';
    return stalled(c, because, 'Missing', 'deployment');
  }
  const ha = highAvailability(c.config);
  const stateless = (c.spec.job.upgradeMode ?? 'stateless') === 'stateless';
  if (ha === 'kubernetes' && c.cluster.ha.available) return recover(c, 'last-state');
  if (ha === 'none' && stateless) return recover(c, 'stateless');
  return stalled(c, `Missing JobManager deployment: ${whyNot(ha)} ${wayOut}`, 'UpgradeFailed', 'upgrade');
}

const wayOut =
  'Manual restore required: set savepointRedeployNonce and initialSavepointPath, or statelessRedeployNonce to start without state.';

function whyNot(ha: string): string {
  if (ha === 'none') return 'without high availability its last state is not known.';
  if (ha !== 'kubernetes') return `HA metadata is not available: it is kept in ${ha}, where Cutover does not look.`;
  return 'HA metadata is not available. It is possible that the job has finished or terminally failed, or the configmaps have been deleted.';
}

function recover(c: JobCase, mode: 'last-state' | 'stateless'): Step<Status> {
  return begin(c, {
    cause: 'recovery',
    because: 'The JobManager deployment is missing.',
    stop: 'none',
    restore: { mode },
    events: [told(c.resource, 'RecoverDeployment', 'Recovering lost deployment')],
  });
}

/** A session that restarted without high availability has forgotten its jobs. */
function missingJob(c: JobCase): Step<Status> | undefined {
  if (c.status.error !== jobNotFound || c.jobManager.status !== 'READY') return undefined;
  if ((c.spec.job.upgradeMode ?? 'stateless') !== 'stateless') {
    const because = `${jobNotFound}: the session does not know the job any more, and its last state is not known. ${wayOut}`;
    return { status: c.status, effects: [], because, stands: { is: 'stalled', reason: 'Missing' } };
  }
  return begin(c, {
    cause: 'recovery',
    because: 'The session does not know the job any more; it is stateless and submitted again.',
    stop: 'none',
    restore: { mode: 'stateless' },
    events: [],
  });
}

function stalled(
  c: JobCase,
  because: string,
  reason: 'NameTaken' | 'Missing' | 'UpgradeFailed',
  type: 'deployment' | 'upgrade',
): Step<Status> {
  const error = errorText(c.config, type, because);
  const said = c.resource.status?.error === error;
  return {
    status: { ...c.status, error },
    effects: said ? [] : [warned(c.resource, reason, because)],
    because,
    stands: { is: 'stalled', reason },
  };
}
