import { type Action, type Decision, idle, refTo } from '../../control/decision.ts';
import { annotations, labels } from '../keys.ts';
import { unheardMs } from '../observe/asked.ts';
import type { CfProcessView } from '../observe/cf-process-view.ts';
import type { CfProcessStatus } from '../resources/cf-process.ts';
import { conclude, isReady, type Readiness } from './conclude.ts';
import { createdAt } from './created-at.ts';
import { furnished } from './furnished.ts';
import { instancesOf } from './process/instances.ts';
import { type Next, nextWorkload } from './process/next-workload.ts';
import { type Situation, situation } from './process/situation.ts';
import { unresolved } from './unresolved.ts';

/**
 * Seed 002, the process controller: one workload since the last stop, on the revision that the app wants; everything of an
 * earlier stop goes, and everything goes of an app that is stopped or of a process without instances.
 */
export function decideCfProcess(view: CfProcessView): Decision {
  const { process, app, now } = view;
  if (process.metadata.deletionTimestamp) return idle('it is being deleted, and its workloads go with it');
  const furnish = furnished(process, {
    labels: {
      [labels.guid]: process.metadata.name,
      [labels.spaceGuid]: process.metadata.namespace,
      [labels.appGuid]: process.spec.appRef.name,
      [labels.processType]: process.spec.processType,
      [labels.createdAt]: createdAt(process),
    },
    annotations: { [annotations.creationVersion]: view.settings.version },
    ...(app && { owner: { object: app } }),
  });
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every process' };
  if (!app) return conclude(process, now, withoutApp(view));

  const found = situation(view, app);
  const next = nextWorkload(found);
  const stale = found.instances === 0 ? view.workloads : found.others;
  const removals: Action[] = stale
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((workload) => ({ do: 'delete', of: refTo(workload) }));
  const readiness = readinessOf(found, next);
  return conclude(process, now, {
    status: statusOf(found),
    readiness,
    effects: [...(next.is === 'act' ? next.actions : []), ...removals],
    because: because(next, removals, readiness),
  });
}

function statusOf(found: Situation): CfProcessStatus {
  const { process, workloads, revisions, instances } = found;
  const actualInstances = workloads.reduce((sum, { status }) => sum + (status?.actualInstances ?? 0), 0);
  const { instancesStatus: _before, ...kept } = process.status ?? {};
  return {
    ...kept,
    actualInstances,
    observedAppRev: String(revisions.appRev),
    ...(instances > 0 && { instancesStatus: instancesOf(found) }),
  };
}

/** Ready means: the wanted revision runs on all wanted instances, and nothing else is left. */
function readinessOf({ workload, others, instances, revisions }: Situation, next: Next): Readiness {
  const ending = instances === 0 && workload ? [...others, workload] : others;
  if (instances === 0 && ending.length === 0) return { ready: true };
  if (next.is === 'wait') return { ready: false, reason: next.reason, message: next.message };
  const notReady = (message: string): Readiness => ({ ready: false, reason: 'AppWorkloadsNotReady', message });
  if (ending.length > 0) return notReady('Instances of before are still ending.');
  if (!workload || (next.is === 'act' && !next.inWordsOnly))
    return notReady(`Revision ${revisions.appRev} is being started.`);
  const runs = workload.spec.version === String(revisions.appRev);
  if (runs && isReady(workload) && workload.status?.observedAppRev === workload.spec.version) return { ready: true };
  const told = workload.status?.conditions?.find(({ type }) => type === 'Ready');
  if (runs && told?.status === 'False') return notReady(told.message);
  return notReady(`Revision ${revisions.appRev} does not run on all instances yet.`);
}

function withoutApp({ process, unheard, now }: CfProcessView): Parameters<typeof conclude>[2] {
  const message = `${unresolved('CFApp', 'spec.appRef.name', process.spec.appRef.name)} Create it, or delete this process.`;
  return {
    status: process.status ?? {},
    readiness: { ready: false, reason: 'AppNotFound', message },
    because: 'its app is not there',
    ...(unheard && { wakeAt: now + unheardMs }),
  };
}

function because(next: Next, removals: readonly Action[], readiness: Readiness): string {
  if (next.is === 'act') return next.because;
  if (removals.length > 0) return 'what ran before is no longer wanted';
  if (next.is === 'wait') return next.message;
  return readiness.ready ? 'all instances run the wanted revision' : readiness.message;
}
