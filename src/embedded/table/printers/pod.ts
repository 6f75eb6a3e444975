import type { AnyObject } from '../../../kube/object.ts';
import { age } from '../age.ts';
import { printer } from '../columns.ts';
import { at, count, isTrue, list, text } from '../fields.ts';

const line = 'Name | Ready | Status | Restarts | Age | IP+ | Node+ | Nominated Node+ | Readiness Gates+';

export const podPrinter = printer(line, (pod, now) => {
  const { status, ready, total, restarts, lastRestart } = summary(pod);
  return [
    pod.metadata.name ?? '',
    `${ready}/${total}`,
    status,
    restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : String(restarts),
    age(pod.metadata.creationTimestamp, now),
    text(list(pod, 'status.podIPs')[0], 'ip') || '<none>',
    text(pod, 'spec.nodeName') || '<none>',
    text(pod, 'status.nominatedNodeName') || '<none>',
    readinessGates(pod),
  ];
});

interface Summary {
  readonly status: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

/** What a person wants to know of a pod in one word: the phase, unless a container has something worse to tell. */
function summary(pod: AnyObject): Summary {
  const sidecars = new Set(
    list(pod, 'spec.initContainers')
      .filter((each) => text(each, 'restartPolicy') === 'Always')
      .map((each) => text(each, 'name')),
  );
  const total = list(pod, 'spec.containers').length + sidecars.size;
  const init = initSummary(pod, sidecars);
  const gated = list(pod, 'status.conditions').some(
    (each) => text(each, 'type') === 'PodScheduled' && text(each, 'reason') === 'SchedulingGated',
  );
  const phase = gated ? 'SchedulingGated' : text(pod, 'status.reason') || text(pod, 'status.phase');

  const main = init.status === undefined || isTrue(pod, 'Initialized') ? mainSummary(pod) : undefined;
  const status = (main && mainStatus(pod, main)) ?? init.status ?? phase;
  return {
    status: deletionStatus(pod) ?? status,
    ready: init.ready + (main?.ready ?? 0),
    total,
    restarts: main ? init.sidecarRestarts + main.restarts : init.restarts,
    lastRestart: main ? latest(init.lastSidecarRestart, main.lastRestart) : init.lastRestart,
  };
}

/** Init containers in order, up to the first that is not through yet; sidecars that have started count as through. */
function initSummary(pod: AnyObject, sidecars: ReadonlySet<string>) {
  const all = list(pod, 'spec.initContainers').length;
  let status: string | undefined;
  let ready = 0;
  let restarts = 0;
  let sidecarRestarts = 0;
  let lastRestart = '';
  let lastSidecarRestart = '';
  for (const [index, container] of list(pod, 'status.initContainerStatuses').entries()) {
    const sidecar = sidecars.has(text(container, 'name'));
    const finished = text(container, 'lastState.terminated.finishedAt');
    restarts += count(container, 'restartCount');
    lastRestart = latest(lastRestart, finished);
    if (sidecar) {
      sidecarRestarts += count(container, 'restartCount');
      lastSidecarRestart = latest(lastSidecarRestart, finished);
    }
    const terminated = at(container, 'state.terminated');
    if (terminated && count(terminated, 'exitCode') === 0) continue;
    if (sidecar && at(container, 'started') === true) {
      if (at(container, 'ready') === true) ready++;
      continue;
    }
    const waiting = text(container, 'state.waiting.reason');
    if (terminated) status = `Init:${exit(terminated)}`;
    else if (waiting && waiting !== 'PodInitializing') status = `Init:${waiting}`;
    else status = `Init:${index}/${all}`;
    break;
  }
  return { status, ready, restarts, sidecarRestarts, lastRestart, lastSidecarRestart };
}

interface MainSummary {
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
  /** What the first container that waits or has ended says. */
  readonly reason: string | undefined;
  /** What the first container that ended badly says. */
  readonly failure: string | undefined;
}

function mainSummary(pod: AnyObject): MainSummary {
  let ready = 0;
  let restarts = 0;
  let lastRestart = '';
  let reason: string | undefined;
  let failure: string | undefined;
  for (const container of [...list(pod, 'status.containerStatuses')].reverse()) {
    restarts += count(container, 'restartCount');
    lastRestart = latest(lastRestart, text(container, 'lastState.terminated.finishedAt'));
    const terminated = at(container, 'state.terminated');
    const waiting = text(container, 'state.waiting.reason');
    if (waiting) reason = waiting;
    else if (terminated) {
      reason = exit(terminated);
      if (count(terminated, 'exitCode') !== 0) failure = reason;
    } else if (at(container, 'ready') === true && at(container, 'state.running')) ready++;
  }
  return { ready, restarts, lastRestart, reason, failure };
}

/** "Completed" is the last word only when no container is left that runs or failed. */
function mainStatus(pod: AnyObject, { reason, failure, ready }: MainSummary): string | undefined {
  if (reason !== 'Completed') return reason;
  if (ready > 0 && isTrue(pod, 'Ready')) return 'Running';
  return failure ?? (ready > 0 ? 'NotReady' : reason);
}

function deletionStatus(pod: AnyObject): string | undefined {
  if (!pod.metadata.deletionTimestamp) return undefined;
  if (text(pod, 'status.reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(text(pod, 'status.phase')) ? undefined : 'Terminating';
}

function exit(terminated: unknown): string {
  const signal = count(terminated, 'signal');
  return text(terminated, 'reason') || (signal ? `Signal:${signal}` : `ExitCode:${count(terminated, 'exitCode')}`);
}

/** The later of two RFC 3339 instants in UTC; '' is before all. */
const latest = (a: string, b: string): string => (b > a ? b : a);

function readinessGates(pod: AnyObject): string {
  const gates = list(pod, 'spec.readinessGates').map((gate) => text(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  return `${gates.filter((gate) => isTrue(pod, gate)).length}/${gates.length}`;
}
