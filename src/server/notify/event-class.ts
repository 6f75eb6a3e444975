/**
 * What can be heard of. The first seven come of how workloads are, the last two of what the operator says in Kubernetes
 * events.
 */
export const eventClasses = {
  'transition-started': 'something is being redone',
  'transition-ended': 'it is done, or was given up: the summary says which',
  'needs-you': 'a person is needed; the summary says why and what they can do',
  failed: 'it does not serve, or will not get on without a person',
  degraded: 'it serves, but not what or not as well as it should',
  recovered: 'it was failed or degraded, and is not any more',
  deleted: 'it is gone',
  restarted: 'the operator restarted or redeployed something',
  warning: 'the operator warned of something',
} as const;

export type EventClass = keyof typeof eventClasses;

export const eventClassNames = Object.keys(eventClasses) as readonly EventClass[];

/** Those that tell how it stands: after a start they are told again, so that nothing that happened meanwhile is lost. */
export const standing: ReadonlySet<EventClass> = new Set(['transition-started', 'needs-you', 'failed', 'degraded']);
