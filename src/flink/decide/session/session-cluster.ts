import { type Decision, idle } from '../../../control/decision.ts';
import { addFinalizer } from '../../../control/finalizers.ts';
import { isCanary } from '../../validate/canary.ts';
import { validateDeployment } from '../../validate/deployment.ts';
import type { DeploymentView } from '../../view.ts';
import { conclude } from '../conclude.ts';
import { errorText } from '../error-text.ts';
import { finalizers } from '../job-case.ts';
import { warned } from '../reasons.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { isUnheard } from '../unheard.ts';
import { changed, firstDeployment, recovered } from './changed.ts';
import { deletion } from './deletion.ts';
import { observed } from './observed.ts';
import { type SessionCase, sessionCase } from './session-case.ts';
import { advance } from './transition.ts';
import { upkeep } from './upkeep.ts';

/** Asked in this order; the first that has something to say decides. */
const rules: readonly ((c: SessionCase) => Step<Status> | undefined)[] = [
  (c) => (c.status.transition ? advance(c) : undefined),
  firstDeployment,
  changed,
  recovered,
  upkeep,
];

/** What happens next to a FlinkDeployment without a job. */
export function sessionCluster(view: DeploymentView): Decision {
  const { resource } = view;
  if (isCanary(resource)) return idle('a canary is looked at, and never deployed');
  if (isUnheard(view.rest, resource.status ?? {})) return idle('Flink is being asked how the cluster is.');
  const { c, events } = observed(sessionCase(view));
  if (resource.metadata.deletionTimestamp) return deletion(c);
  const claim = addFinalizer(resource, finalizers.application);
  if (claim) return { actions: [claim], because: 'The resource is kept until its cluster is gone.' };
  const problems = validateDeployment(resource, { operator: view.operator });
  const refusal = problems.map(({ message }) => message).join(' ');
  const step = refusal === '' ? ruled(c) : refusing(c, refusal);
  return conclude(view, { ...step, effects: [...events, ...step.effects] });
}

function ruled(c: SessionCase): Step<Status> {
  for (const rule of rules) {
    const step = rule(c);
    if (step) return step;
  }
  return atRest(c);
}

/** A refused spec is not acted upon: what is deployed goes on as it is. */
function refusing(c: SessionCase, refusal: string): Step<Status> {
  const { recorded, resource, status } = c;
  const generation = status.observedGeneration ?? c.generation;
  const step = recorded ? ruled({ ...c, spec: recorded.spec, generation }) : { status, effects: [], because: refusal };
  const error = errorText(c.config, 'validation', refusal);
  const said = resource.status?.error === error;
  return {
    ...step,
    status: { ...step.status, error },
    effects: [...step.effects, ...(said ? [] : [warned(resource, 'ValidationError', refusal)])],
    because: refusal,
    stands: { is: 'stalled', reason: 'ValidationError' },
  };
}

/** What a JobManager that is not ready is called in conditions, as the upstream calls it. */
const notReady = {
  DEPLOYING: 'JobManagerIsDeploying',
  DEPLOYED_NOT_READY: 'DeployedNotReady',
  MISSING: 'JobManagerDeploymentMissing',
  ERROR: 'Error',
} as const;

/** Nothing is to be done. A cluster whose JobManager is not ready does not count as ready, however stable its spec is. */
function atRest(c: SessionCase): Step<Status> {
  const { lookAgainAt, status: jobManager, stranger, failure } = c.jobManager;
  const step = {
    status: { ...c.status, observedGeneration: c.generation },
    effects: [],
    ...(lookAgainAt !== undefined && { wakeAt: lookAgainAt }),
  };
  if (jobManager === 'READY') return { ...step, because: 'The session cluster runs as specified.' };
  const because = stranger
    ? `Deployment ${stranger.ref.name} belongs to somebody else: delete or rename it.`
    : (failure?.message ?? `The JobManager is ${jobManager}.`);
  return { ...step, because, stands: { is: 'waiting', reason: notReady[jobManager] } };
}
