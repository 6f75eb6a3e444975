import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';

/**
 * Events exist in two groups with two shapes; a name in either group is the same event. They are stored in the core
 * shape. This table pairs the names: core on the left, `events.k8s.io` on the right.
 */
const renamed: readonly (readonly [core: string, modern: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** Fields that a core event always shows, with the value of an event that does not say. */
const always: Readonly<Record<string, unknown>> = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

export function eventToCore(event: Draft): Draft {
  const { apiVersion: _, ...rest } = event;
  const core: Draft = { apiVersion: 'v1', ...rest, kind: 'Event', metadata: event.metadata };
  for (const [name, modern] of renamed) {
    if (event[modern] !== undefined) core[name] = event[modern];
    delete core[modern];
  }
  for (const [name, value] of Object.entries(always)) core[name] ??= value;
  return core;
}

export function eventFromCore(event: AnyObject): AnyObject {
  const modern: Record<string, unknown> = { ...event };
  for (const [name, newer] of renamed) {
    if (event[name] !== undefined && event[name] !== '') modern[newer] = event[name];
    delete modern[name];
  }
  if (modern.reportingInstance === '') delete modern.reportingInstance;
  return { ...modern, apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: event.metadata };
}
