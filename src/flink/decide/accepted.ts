import { atLeast } from '../config/flink-version.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import { validateDeployment } from '../validate/deployment.ts';
import { validateSessionJob } from '../validate/session-job.ts';
import { errorText } from './error-text.ts';
import type { JobCase } from './job-case.ts';
import { isRealised } from './realised.ts';
import { warned } from './reasons.ts';
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
 * brought back to it.
 */
export function asDeployed(c: JobCase): JobCase | undefined {
  if (!c.recorded) return undefined;
  const { spec } = c.recorded;
  const moving = c.status.transition !== undefined;
  const generation = c.status.observedGeneration ?? c.generation;
  return { ...c, generation, spec: moving ? { ...spec, job: { ...spec.job, state: 'running' } } : spec };
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
