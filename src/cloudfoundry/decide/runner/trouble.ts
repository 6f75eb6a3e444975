import type { ContainerStatus, Pod } from '../../observe/kube-shapes.ts';

/** What every container goes through on its way up. */
const usual = new Set(['ContainerCreating', 'PodInitializing', 'CrashLoopBackOff', undefined]);

/**
 * Why a pod that is not ready does not come up; `undefined` while nothing speaks against it. The text stays the same while
 * the cause does: an image that cannot be pulled and a program that always exits are tried again and again, and each try
 * looks different for a moment.
 */
export function troubleOf({ status = {} }: Pod): string | undefined {
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return sentence(scheduled.reason ?? 'Unschedulable', scheduled.message);
  for (const container of status.containerStatuses ?? []) {
    const found = container.ready === true ? undefined : containerTrouble(container);
    if (found !== undefined) return found;
  }
  return undefined;
}

function containerTrouble({ state, lastState }: ContainerStatus): string | undefined {
  const { reason, message } = state?.waiting ?? {};
  if (reason === 'ErrImagePull' || reason === 'ImagePullBackOff') return pullTrouble(reason, message);
  if (!usual.has(reason)) return sentence(reason ?? '', message);
  const ended = state?.terminated ?? lastState?.terminated;
  if (!ended) return undefined;
  const how = `exited with code ${ended.exitCode ?? 'unknown'}${ended.reason ? ` (${ended.reason})` : ''}`;
  return sentence(reason === 'CrashLoopBackOff' || lastState?.terminated ? 'CrashLoopBackOff' : 'Exited', how);
}

/** A back-off repeats the error that it waits after: `Back-off pulling image "x": ErrImagePull: not found`. */
function pullTrouble(reason: string, message = ''): string {
  const at = message.indexOf('ErrImagePull: ');
  return at >= 0 ? message.slice(at) : sentence(reason, message);
}

function sentence(reason: string, message: string | undefined): string {
  return message ? `${reason}: ${message}` : reason;
}
