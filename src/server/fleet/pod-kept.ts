import type { AnyObject } from '../../kube/object.ts';

/**
 * What of a pod is worth keeping: how it is, and which containers it has. Not their environment, commands and volumes: those
 * are most of its weight, and may hold what nobody should see. Total: a pod may lack all of it.
 */
export function podKept({ spec, status }: AnyObject): object {
  const { nodeName, containers } = members(spec);
  const { phase, reason, message, startTime, conditions, containerStatuses, initContainerStatuses } = members(status);
  return {
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      containers: list(containers).map((container) => {
        const { name, image } = members(container);
        return { name, image };
      }),
    },
    status: {
      ...defined({ phase, reason, message, startTime, conditions }),
      ...(containerStatuses !== undefined && { containerStatuses: list(containerStatuses).map(statusKept) }),
      ...(initContainerStatuses !== undefined && {
        initContainerStatuses: list(initContainerStatuses).map(statusKept),
      }),
    },
  };
}

function statusKept(value: unknown): object {
  const { name, ready, started, restartCount, state, lastState, image } = members(value);
  return defined({ name, ready, started, restartCount, state, lastState, image });
}

function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
