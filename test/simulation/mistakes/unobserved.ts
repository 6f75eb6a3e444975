import type { AppWorkloadView } from '../../../src/cloudfoundry/observe/app-workload-view.ts';
import type { View } from '../../../src/control/controller.ts';
import { type Ref, refTo } from '../../../src/control/decision.ts';
import type { DeploymentView } from '../../../src/flink/view.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { acting, deaf, deciding, holding, type Mistake, type Spoil, seeing } from './mistake.ts';

const root = 'unobserved state';
const crash = ['crash-after', 'crash-before'] as const;
const leaderChange = 'Reloader #1089: every workload restarts when the leader changes';
const downtime = 'Reloader: what changes while no leader runs is missed, says its chart’s README';

/** Believing that whatever happened was seen happening. */
export const unobservedMistakes: readonly Mistake[] = [
  {
    name: 'toy: restarts when the leader changes',
    bug: 'A process restarts what it sees for the first time.',
    seenIn: leaderChange,
    root,
    subject: 'toy',
    workload: 'redeploy',
    faults: crash,
    by: 'operation counts',
    spoil: () => perProcess('lamp', (object, process) => withSpec(object, { restartNonce: process })),
  },
  {
    name: 'flink: restarts when the leader changes',
    bug: 'A process restarts what it sees for the first time.',
    seenIn: leaderChange,
    root,
    subject: 'flink',
    workload: 'last-state',
    faults: crash,
    at: /^PUT .*\/status/,
    by: 'operation counts',
    spoil: () => restarting('flinkdeployment', jobManagerOf),
  },
  {
    name: 'cloudfoundry: restarts when the leader changes',
    bug: 'A process restarts the instances of every app that it sees for the first time.',
    seenIn: leaderChange,
    root,
    subject: 'cloudfoundry',
    workload: 'push',
    faults: crash,
    at: /appworkloads|statefulsets/,
    by: 'family invariant',
    spoil: () => restarting('appworkload', instancesOf),
  },
  {
    name: 'kudo: restarts twice',
    bug: 'The process that goes on with a plan demands the restart once more.',
    seenIn: 'KUDO before KEP-27: an annotation with a fresh value at every apply',
    root,
    subject: 'kudo',
    workload: 'change',
    faults: crash,
    at: /statefulsets/,
    by: 'family invariant',
    spoil: () => perProcess('instance', withOwnDemand),
  },
  ...(
    [
      ['toy', 'lamp', 'redeploy', 'A lamp'],
      ['flink', 'flinkdeployment', 'savepoint', 'A FlinkDeployment'],
      ['kudo', 'instance', 'change', 'An Instance'],
      ['cloudfoundry', 'cfprocess', 'push', 'A process'],
    ] as const
  ).map(
    ([subject, controller, workload, what]): Mistake => ({
      name: `${subject}: edits during downtime are missed`,
      bug: `${what} that was changed while no process ran is taken as it is.`,
      seenIn: downtime,
      root,
      subject,
      workload,
      faults: crash,
      at: /^PUT .*\/status/,
      by: 'convergence',
      spoil: () => holding(controller, missed),
    }),
  ),
  ...(
    [
      ['flink', 'flinkdeployment', 'deletion'],
      ['kudo', 'instance', 'removal'],
    ] as const
  ).map(
    ([subject, controller, workload]): Mistake => ({
      name: `${subject}: deletions must be seen to happen`,
      bug: 'What was being deleted already when the process first saw it is not cleaned up.',
      seenIn: 'Sieve: edge-triggered logic (“saw deletionTimestamp”) is a root cause of its own',
      root,
      subject,
      workload,
      faults: crash,
      at: /^PUT .*\/status/,
      by: 'convergence',
      spoil: () => holding(controller, deletedUnseen),
    }),
  ),
  {
    name: 'cloudfoundry: hears of its own kind only',
    bug: 'What becomes of its StatefulSet does not bring an AppWorkload back.',
    seenIn: 'Sieve’s unobserved-state bugs; Acto: 32 of 56 bugs leave an undesired state in silence',
    root,
    subject: 'cloudfoundry',
    workload: 'push',
    faults: [],
    spoil: () => deaf('appworkload'),
  },
];

/** The first process sees things as they are. */
function perProcess(name: string, change: (object: AnyObject, process: number) => AnyObject): Spoil {
  let started = 0;
  return seeing(name, () => {
    started += 1;
    const process = started;
    return (object) => (process === 1 ? object : change(object, process));
  });
}

function withSpec(object: AnyObject, more: object): AnyObject {
  return { ...object, spec: { ...(object.spec as object), ...more } };
}

/** Every process but the first takes away what it sees for the first time, so that it is made anew. */
function restarting(name: string, what: (view: View) => readonly Ref[]): Spoil {
  let started = 0;
  return deciding(name, () => {
    started += 1;
    const isFirst = started === 1;
    const known = new Set<string>();
    return (decision, view) => {
      const fresh = isFirst || known.size > 0 ? [] : what(view);
      for (const { uid } of fresh) known.add(uid);
      return acting(decision, (actions) => [...actions, ...fresh.map((of) => ({ do: 'delete', of }) as const)]);
    };
  });
}

function instancesOf(view: View): readonly Ref[] {
  return (view as AppWorkloadView).pods.map(refTo);
}

function jobManagerOf(view: View): readonly Ref[] {
  const { jobManager } = (view as DeploymentView).cluster;
  return jobManager ? [jobManager.ref] : [];
}

function withOwnDemand(object: AnyObject, process: number): AnyObject {
  const status = (object.status ?? {}) as { readonly execution?: { readonly restartUID?: string } };
  const { execution } = status;
  if (execution?.restartUID === undefined) return object;
  const restartUID = `${execution.restartUID.slice(0, -1)}${process}`;
  return { ...object, status: { ...status, execution: { ...execution, restartUID } } };
}

/** What was changed before the process first saw it, and after another had dealt with it. */
function missed(): (object: AnyObject) => boolean {
  const first = new Map<string, number>();
  return ({ metadata, status }) => {
    const { uid = '', generation = 0 } = metadata;
    if (!first.has(uid)) first.set(uid, generation);
    const { observedGeneration = generation } = (status ?? {}) as { readonly observedGeneration?: number };
    return first.get(uid) === generation && observedGeneration < generation;
  };
}

function deletedUnseen(): (object: AnyObject) => boolean {
  const known = new Map<string, boolean>();
  return ({ metadata }) => {
    const { uid = '', deletionTimestamp } = metadata;
    if (!known.has(uid)) known.set(uid, deletionTimestamp !== undefined);
    return known.get(uid) ?? false;
  };
}
