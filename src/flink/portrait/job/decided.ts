import type { Decision } from '../../../control/decision.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { decideDeployment } from '../../decide/deployment.ts';
import { decideSessionJob } from '../../decide/session-job.ts';
import type { Status } from '../../decide/status.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import type { Transition } from '../../resources/transition.ts';
import type { JobLook } from './job-look.ts';
import { deploymentViewAround, sessionJobViewAround } from './view-around.ts';

/** What the first decision about an edited job would be. */
export interface Decided {
  readonly decision: Decision;
  /** The change under way after it. */
  readonly transition: Transition | undefined;
  /** It was begun by this decision, for this edit. */
  readonly begun: boolean;
  /** What it warns of. */
  readonly warnings: readonly string[];
  /** It scales the TaskManagers of a session cluster where they are. */
  readonly scales: boolean;
}

/** Hands the edited job to the functions that decide for real. */
export function decided(
  before: JobLook | undefined,
  after: JobLook,
  around: Around,
  operator: OperatorConfig,
): Decided {
  const status: Status = before?.status ?? {};
  const generation = Math.max(before?.resource.metadata.generation ?? 0, status.observedGeneration ?? 0) + 1;
  const { uid = 'new', resourceVersion = '0' } = before?.resource.metadata ?? {};
  const metadata = { ...after.resource.metadata, uid, resourceVersion, generation };
  const resource = { ...after.resource, metadata, status };
  const decision =
    after.is === 'session job'
      ? decideSessionJob(sessionJobViewAround(resource as FlinkSessionJob, around, operator))
      : decideDeployment(deploymentViewAround(resource as FlinkDeployment, around, operator));
  const written = decision.actions.find((action) => action.do === 'status')?.status as Status | undefined;
  const transition = (written ?? status).transition;
  return {
    decision,
    transition,
    begun: transition !== undefined && transition.id !== status.transition?.id,
    warnings: decision.actions.flatMap((action) => (action.do === 'event' && action.warning ? [action.note] : [])),
    scales: decision.actions.some((action) => action.do === 'patch' && action.of.kind === 'Deployment'),
  };
}
