import { conditionOf, withCondition } from '../controllers/condition.ts';
import type { Condition } from '../kinds/objects/condition.ts';
import type { Pod, PodStatus } from '../kinds/objects/pod.ts';
import { timestamp } from '../timestamp.ts';
import type { ContainerRun } from './container-run.ts';

/** What the node knows of a pod. */
export interface PodFacts {
  readonly pod: Pod;
  readonly inits: readonly ContainerRun[];
  readonly containers: readonly ContainerRun[];
  readonly hostIP: string;
  readonly podIP: string | undefined;
  readonly startTime: string;
  /** Set when the node itself ended the pod: its deadline passed. */
  readonly verdict: { readonly reason: string; readonly message: string } | undefined;
  readonly now: number;
}

/** The pod's status as its kubelet reports it. Conditions of others (readiness gates) are left alone. */
export function podStatus(facts: PodFacts): PodStatus {
  const { pod, inits, containers, hostIP, podIP, startTime, verdict } = facts;
  const phase = phaseOf(facts);
  const { qosClass } = pod.status ?? {};
  return {
    observedGeneration: pod.metadata.generation ?? 0,
    phase,
    ...verdict,
    conditions: conditionsOf(facts, phase),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP && { podIP, podIPs: [{ ip: podIP }] }),
    startTime,
    ...(inits.length > 0 && { initContainerStatuses: inits.map((run) => run.status()) }),
    containerStatuses: containers.map((run) => run.status()),
    ...(qosClass && { qosClass }),
  };
}

function phaseOf({ inits, containers, pod, verdict }: PodFacts): NonNullable<PodStatus['phase']> {
  if (verdict) return 'Failed';
  const policy = pod.spec.restartPolicy ?? 'Always';
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  const forGood = (run: ContainerRun): boolean => run.isTerminated && (deleted || !restarts(run, policy));
  const failedInit = inits.some((run) => !run.isSidecar && forGood(run) && run.exitCode !== 0);
  if (failedInit) return 'Failed';
  if (containers.every(forGood)) return containers.every((run) => run.exitCode === 0) ? 'Succeeded' : 'Failed';
  const begun = containers.some((run) => run.isRunning || run.isTerminated || run.lastState.terminated);
  return begun ? 'Running' : 'Pending';
}

/** Whether a container that has ended will be started again. */
export function restarts(run: ContainerRun, policy: string): boolean {
  if (run.isSidecar) return true;
  if (run.isInit && run.exitCode === 0) return false;
  if (policy === 'Always') return true;
  return policy === 'OnFailure' && run.exitCode !== 0;
}

function conditionsOf(facts: PodFacts, phase: string): readonly Condition[] {
  const { pod, inits, containers, podIP } = facts;
  const ended = phase === 'Succeeded' || phase === 'Failed';
  const why = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : undefined;
  const todo = inits.filter((run) => (run.isSidecar ? !run.started : run.exitCode !== 0));
  const notReady = [...inits.filter((run) => run.isSidecar), ...containers].filter((run) => !run.ready);
  const initialized =
    todo.length === 0 || phase === 'Running' || phase === 'Succeeded'
      ? yes(why === 'PodCompleted' ? why : undefined)
      : no('ContainersNotInitialized', `containers with incomplete status: [${names(todo)}]`);
  const contained =
    ended || notReady.length > 0
      ? no(why ?? 'ContainersNotReady', why ? undefined : `containers with unready status: [${names(notReady)}]`)
      : yes();
  const gate = (pod.spec.readinessGates ?? []).find(
    ({ conditionType }) => conditionOf(pod.status?.conditions, conditionType)?.status !== 'True',
  );
  const ready =
    contained.status === 'True' && gate
      ? no(
          'ReadinessGatesNotReady',
          `the status of pod readiness gate "${gate.conditionType}" is not "True", but False`,
        )
      : contained;
  const sandboxed = podIP && !ended ? yes() : no(undefined, undefined);
  const own: readonly (readonly [string, Partial<Condition> & { readonly status: 'True' | 'False' }])[] = [
    ['PodReadyToStartContainers', sandboxed],
    ['Initialized', initialized],
    ['Ready', ready],
    ['ContainersReady', contained],
    ['PodScheduled', yes()],
  ];
  const kubelets = own.map(([type]) => type);
  const others = (pod.status?.conditions ?? []).filter((one) => !kubelets.includes(one.type));
  const mine = own.map(([type, part]) => {
    const [set] = withCondition(
      (pod.status?.conditions ?? []).filter((one) => one.type === type),
      {
        type,
        ...part,
        lastProbeTime: null,
        lastTransitionTime: timestamp(facts.now),
        observedGeneration: pod.metadata.generation ?? 0,
      },
    );
    return set as Condition;
  });
  return [...mine, ...others];
}

type Part = Partial<Condition> & { readonly status: 'True' | 'False' };

const yes = (reason?: string): Part => ({ status: 'True', ...(reason && { reason }) });
const no = (reason: string | undefined, message: string | undefined): Part => ({
  status: 'False',
  ...(reason && { reason }),
  ...(message && { message }),
});

const names = (runs: readonly ContainerRun[]): string => runs.map((run) => run.container.name).join(' ');
