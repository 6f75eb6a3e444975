import { type Action, type Decision, idle, type Reason } from '../../control/decision.ts';
import type { Outcomes } from '../../control/outcome.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keptRevisions } from '../kept-revisions.ts';
import { finalizers, labels } from '../keys.ts';
import { bornOf, nameOfSet, statefulSet } from '../manifests/stateful-set.ts';
import type { AppWorkloadView } from '../observe/app-workload-view.ts';
import type { StatefulSet } from '../observe/kube-shapes.ts';
import type { AppWorkload, AppWorkloadStatus } from '../resources/app-workload.ts';
import type { RunnerSettings } from '../settings.ts';
import { conclude, type Readiness } from './conclude.ts';
import { furnished } from './furnished.ts';
import { budgetActions } from './runner/budget.ts';
import { canRoll } from './runner/can-roll.ts';
import { ending } from './runner/ending.ts';
import { allRun, countReady, countRunning, type Instance, instancesOf } from './runner/instance.ts';
import { instancesStatus } from './runner/instances-status.ts';
import { type LiveSet, liveSet } from './runner/live-set.ts';
import { rollPatch } from './runner/roll-patch.ts';
import { atOnce, shapeOf } from './runner/shape.ts';
import { stuckPods } from './runner/stuck-pods.ts';
import { weaned } from './runner/weaned.ts';

/**
 * What to do about an AppWorkload that is for our runner: it has a StatefulSet, and for several instances a disruption
 * budget. How a new revision takes the place of the old one is in `runner/shape.ts`.
 */
export function decideAppWorkload(view: AppWorkloadView): Decision {
  const { workload, settings, now } = view;
  if (workload.spec.runnerName !== settings.runnerName) return idle('it is for another runner');
  if (workload.metadata.deletionTimestamp) return ending(view);
  const lacking = furnished(workload, { finalizer: finalizers.workload });
  if (lacking) return { actions: [lacking], because: 'its StatefulSet must not outlive it' };

  const set = setOf(view);
  if (!set) {
    const object = firstSet(workload, settings.runner);
    const message = `StatefulSet ${object.metadata.name} is being made`;
    return conclude(workload, now, {
      status: statusOf(view, []),
      readiness: unless(refusal(view.outcomes), notReady('InstancesNotReady', message)),
      effects: [{ do: 'create', object, bornOf: bornOf(workload) }],
      because: message,
    });
  }
  if (set.metadata.deletionTimestamp) {
    const message = `StatefulSet ${set.metadata.name} is being deleted, and is made anew then`;
    const status = statusOf(view, instancesOf(set, view.pods));
    return conclude(workload, now, { status, readiness: notReady('StillRunning', message), because: message });
  }
  return run(view, set);
}

/** The StatefulSet of the workload: the one with its name, else whichever was made for it. */
function setOf({ workload, statefulSets }: AppWorkloadView): StatefulSet | undefined {
  const name = nameOfSet(workload);
  const alive = statefulSets.filter(({ metadata }) => !metadata.deletionTimestamp);
  return statefulSets.find(({ metadata }) => metadata.name === name) ?? alive[0] ?? statefulSets[0];
}

/**
 * The StatefulSet as it is made. Canaries are held beside the revision before them, so that is made first when somebody has
 * deleted it meanwhile: to make them all canaries would be to let the deployment on, which only people do.
 */
function firstSet(workload: AppWorkload, runner: RunnerSettings): KubeObject {
  const { instances, version, rollout } = workload.spec;
  const before = Object.values(keptRevisions(workload)).find((kept) => kept.version !== version);
  if (rollout?.canaries === undefined || !before) return statefulSet(workload, runner);
  const made = statefulSet({ ...workload, spec: { ...before, instances } }, runner);
  return { ...made, metadata: { ...made.metadata, name: nameOfSet(workload) } };
}

/** Whether Kubernetes has not yet seen the revision that canaries are to be held beside: it would take the second for the first. */
function isUnborn({ workload }: AppWorkloadView, { status }: StatefulSet, { version }: LiveSet): boolean {
  const { spec } = workload;
  return version !== spec.version && spec.rollout?.canaries !== undefined && status?.observedGeneration === undefined;
}

function run(view: AppWorkloadView, set: StatefulSet): Decision {
  const { workload, now } = view;
  const { spec } = workload;
  const live = liveSet(set);
  const instances = instancesOf(set, view.pods);
  const legacy = live.version !== spec.version && !canRoll(set);
  const shape = legacy ? { replicas: spec.instances } : shapeOf(spec, live, instances);
  const change = isUnborn(view, set, live) ? undefined : rollPatch(view, set, live, shape);
  const effects: readonly Action[] = change
    ? [change]
    : [...stuckPods(spec.version, live, instances), ...budgetActions(view, set), ...weaned(workload, set, live)];
  const rolling = shape.roll !== undefined && !shape.roll.over;
  const readiness = legacy ? legacyReadiness(set, live) : readinessOf(view, instances, rolling);
  return conclude(workload, now, {
    status: statusOf(view, instances, rolling ? live : undefined),
    readiness: readiness.ready ? readiness : unless(refusal(view.outcomes), readiness),
    effects,
    because: readiness.message ?? `all instances run revision ${spec.version}`,
  });
}

function readinessOf({ workload }: AppWorkloadView, instances: readonly Instance[], rolling: boolean): Readiness {
  const { instances: wanted, version, rollout } = workload.spec;
  if (!rolling && allRun(instances, wanted, version)) return { ready: true };
  const trouble = troubleIn(instances, version);
  const because = trouble === undefined ? '' : `; ${trouble}`;
  if (rolling && rollout?.canaries !== undefined) {
    const count = countReady(instances.filter((one) => one.version === version));
    const message = `${count} of ${rollout.canaries} canaries run revision ${version}, beside the revision before it`;
    return notReady('Canary', `${message}${because}`);
  }
  const count = countRunning(instances, wanted, version);
  const message = `${count} of ${wanted} instances run revision ${version}${because}`;
  return notReady(rolling ? 'RollingOut' : 'InstancesNotReady', message);
}

function legacyReadiness({ metadata }: StatefulSet, { version }: LiveSet): Readiness {
  const message =
    `StatefulSet ${metadata.name} selects its pods by ${labels.version}, so it cannot take another revision than ` +
    `${version}, which it still runs. Run "cf restart", "cf restage" or "cf push" without --strategy once: that makes it anew.`;
  return notReady('LegacySelector', message);
}

/** What is said of the workload. `rolling`: the StatefulSet while it changes from one revision to another. */
function statusOf(
  { workload, outcomes }: AppWorkloadView,
  instances: readonly Instance[],
  rolling?: LiveSet,
): AppWorkloadStatus {
  const { instances: wanted, version, rollout = {} } = workload.spec;
  const { conditions, observedAppRev } = workload.status ?? {};
  const held = rollout.canaries !== undefined && rolling !== undefined;
  const reached = !rolling && allRun(instances, wanted, version) ? version : observedAppRev;
  const error = refusal(outcomes) ?? troubleIn(instances, version);
  return {
    actualInstances: countReady(instances),
    instancesStatus: instancesStatus(instances, { wanted, version, held, error }),
    ...(reached !== undefined && { observedAppRev: reached }),
    ...(held && { canaries: countReady(instances.filter((one) => one.version === version)) }),
    ...(rolling && { rollout: granted(rolling, wanted, rollout.maxInFlight) }),
    ...(error !== undefined && { error }),
    ...(conditions && { conditions }),
  };
}

function granted(live: LiveSet, wanted: number, asked = 1): NonNullable<AppWorkloadStatus['rollout']> {
  const maxInFlight = atOnce(wanted, asked, live);
  if (live.grants || asked <= 1) return { maxInFlight };
  const note = `this Kubernetes replaces the pods of a StatefulSet one by one (it drops maxUnavailable), so max_in_flight is 1 instead of ${asked}`;
  return { maxInFlight, note };
}

/** The first instance of this revision that does not come up, extra ones included. */
function troubleIn(instances: readonly Instance[], version: string): string | undefined {
  const found = instances.find((one) => one.version === version && one.trouble !== undefined);
  return found && `instance ${found.ordinal}: ${found.trouble}`;
}

/** What the API server, or something in front of it, said no to. */
function refusal(outcomes: Outcomes): string | undefined {
  const found = Object.values(outcomes).find(({ result }) => result === 'refused');
  return found?.result === 'refused' ? found.message : undefined;
}

function unless(refused: string | undefined, otherwise: Readiness): Readiness {
  return refused === undefined ? otherwise : notReady('Refused', refused);
}

function notReady(reason: Reason, message: string): Readiness & { readonly ready: false } {
  return { ready: false, reason, message };
}
