import { atLeast } from '../config/flink-version.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import { validateDeployment } from '../validate/deployment.ts';
import { validateSessionJob } from '../validate/session-job.ts';
import { errorText } from './error-text.ts';
import type { JobCase } from './job-case.ts';
import { withActedNonces } from './nonces.ts';
import { isRealised } from './realised.ts';
import { warned } from './reasons.ts';
import { recordedJobState } from './recorded.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';

/** Why the spec as it is written is not acted upon; `undefined` when it is. */
export function refusalOf(c: JobCase): string | undefined {
  const { view } = c;
  if (isRealised(c)) return undefined;
  const problems =
    'session' in view
      ? validateSessionJob(c.resource as FlinkSessionJob, { operator: view.operator, session: view.session })
      : validateDeployment(c.resource as FlinkDeployment, { operator: view.operator });
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' ');
}

/**
 * The case without the spec that was refused: what is deployed goes on as it is. Something that was being changed is
 * brought back to it; nonces that were acted upon stay so.
 */
export function asDeployed(c: JobCase): JobCase | undefined {
  if (!c.recorded) return undefined;
  const spec = withActedNonces(c.recorded.spec, c.status.nonces);
  const generation = c.status.observedGeneration ?? c.generation;
  const state = c.status.transition && !wasSuspended(c.status) ? 'running' : spec.job.state;
  return { ...c, generation, spec: { ...spec, job: { ...spec.job, ...(state !== undefined && { state }) } } };
}

/** A spec that is taken up is recorded as suspended until its job is there; one whose job was suspended is stable as such. */
function wasSuspended({ transition, reconciliationStatus }: Status): boolean {
  const { lastReconciledSpec, lastStableSpec } = reconciliationStatus ?? {};
  if (transition?.jobId !== undefined || lastReconciledSpec !== lastStableSpec) return false;
  return recordedJobState(lastReconciledSpec) === 'suspended';
}

/** A step, with the refusal of the written spec on top. */
export function refused(c: JobCase, refusal: string, step: Step<Status>): Step<Status> {
  const error = errorText(c.config, 'validation', refusal);
  const said = c.resource.status?.error === error;
  const reason = isUnsupported(c) ? 'UnsupportedFlinkVersion' : 'ValidationError';
  return {
    ...step,
    status: { ...step.status, error },
    effects: [...step.effects, ...(said ? [] : [warned(c.resource, reason, refusal)])],
    because: refusal,
    stands: { is: 'stalled', reason },
  };
}

/** The oldest version of Flink that is deployed. */
const oldest = 'v1_15';

function isUnsupported({ resource }: JobCase): boolean {
  const version = 'flinkVersion' in resource.spec ? resource.spec.flinkVersion : undefined;
  return version !== undefined && !atLeast(version, oldest);
}
