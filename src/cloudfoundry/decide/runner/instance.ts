import { labels } from '../../keys.ts';
import type { Pod, StatefulSet } from '../../observe/kube-shapes.ts';
import { troubleOf } from './trouble.ts';

/** One pod of a StatefulSet. */
export interface Instance {
  readonly ordinal: number;
  /** The app revision that it runs. */
  readonly version: string;
  /** It answers requests, and nobody has asked it to end. */
  readonly ready: boolean;
  readonly ending: boolean;
  /** Since when it is ready. */
  readonly since?: string;
  /** How it stands, as Cloud Foundry has it. */
  readonly state: 'DOWN' | 'CRASHED' | 'STARTING' | 'RUNNING';
  /** Why it does not come up, as far as the cluster says. */
  readonly trouble?: string;
  readonly pod: Pod;
}

/** The pods of this very StatefulSet (not those of one before it that has the same labels), lowest number first. */
export function instancesOf(set: StatefulSet, pods: readonly Pod[]): readonly Instance[] {
  const { name, uid } = set.metadata;
  return pods
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true))
    .flatMap((pod) => {
      const ordinal = ordinalIn(name ?? '', pod.metadata.name ?? '');
      return ordinal === undefined ? [] : [instance(pod, ordinal)];
    })
    .sort((a, b) => a.ordinal - b.ordinal);
}

function ordinalIn(set: string, pod: string): number | undefined {
  const digits = pod.startsWith(`${set}-`) ? pod.slice(set.length + 1) : '';
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : undefined;
}

function instance(pod: Pod, ordinal: number): Instance {
  const { metadata, status = {} } = pod;
  const condition = (wanted: string) => status.conditions?.find(({ type }) => type === wanted);
  const ending = metadata.deletionTimestamp !== undefined;
  const readiness = condition('Ready');
  const ready = readiness?.status === 'True' && !ending;
  const trouble = ready || ending ? undefined : troubleOf(pod);
  return {
    ordinal,
    version: metadata.labels?.[labels.version] ?? '',
    ready,
    ending,
    ...(ready && readiness.lastTransitionTime && { since: readiness.lastTransitionTime }),
    state: ready ? 'RUNNING' : isUnscheduled(pod) ? 'DOWN' : isCrashing(pod) ? 'CRASHED' : 'STARTING',
    ...(trouble !== undefined && { trouble }),
    pod,
  };
}

function isUnscheduled({ spec, status }: Pod): boolean {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.status;
  return spec?.nodeName === undefined && scheduled !== 'True';
}

/** Only the back-off counts. What passes by itself (an exit that is followed by a start) is no crash that lasts. */
function isCrashing({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
}

/** Whether every wanted instance runs this revision, ready. */
export function allRun(instances: readonly Instance[], wanted: number, version: string): boolean {
  return countRunning(instances, wanted, version) === wanted;
}

/** How many of the wanted instances run this revision, ready. */
export function countRunning(instances: readonly Instance[], wanted: number, version: string): number {
  return instances.filter((one) => one.ordinal < wanted && one.ready && one.version === version).length;
}

/** How many instances below this number are ready, whatever they run. */
export function countReady(instances: readonly Instance[], below = Number.POSITIVE_INFINITY): number {
  return instances.filter((one) => one.ready && one.ordinal < below).length;
}
