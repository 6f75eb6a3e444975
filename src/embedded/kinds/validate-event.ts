import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { invalidValue, requiredValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { immutable, invalidFor, same } from './checks.ts';
import { eventToCore } from './event-versions.ts';
import { labelKey } from './syntax.ts';

interface CoreEvent {
  readonly metadata: { readonly namespace?: string };
  readonly involvedObject: { readonly namespace?: string };
  readonly source: { readonly component?: string; readonly host?: string };
  readonly eventTime: string | null;
  readonly firstTimestamp: string | null;
  readonly lastTimestamp: string | null;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly message?: string;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
}

/**
 * What is wrong with an event. Errors name the fields of the core group, whichever group was asked. The core group is
 * lenient unless an event has an `eventTime`; `events.k8s.io` is strict, and lets nothing be changed but the series.
 */
export function validateEvent(
  group: 'core' | 'events',
  object: AnyObject,
  before: AnyObject | undefined,
): readonly FieldError[] {
  const event = coreOf(object);
  const lenient = event.eventTime ? validateReport(group, event) : validateNamespace(event);
  if (group === 'core') return lenient;
  return [...lenient, ...(before ? validateKept(event, coreOf(before)) : validateNew(event))];
}

const coreOf = (object: AnyObject): CoreEvent => eventToCore({ ...object } as Draft) as unknown as CoreEvent;

const mismatch = (namespace: string): FieldError =>
  invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');

function validateNamespace({ metadata, involvedObject }: CoreEvent): readonly FieldError[] {
  const { namespace = '' } = involvedObject;
  return metadata.namespace === (namespace || 'default') ? [] : [mismatch(namespace)];
}

/** What whoever reports an event with a precise time must say about themselves. */
function validateReport(group: 'core' | 'events', event: CoreEvent): readonly FieldError[] {
  const reporter = group === 'core' ? 'reportingComponent' : 'reportingController';
  const { metadata, involvedObject, reportingComponent, message = '' } = event;
  const homeless = !involvedObject.namespace && !['default', 'kube-system'].includes(metadata.namespace ?? '');
  return [
    ...(homeless ? [mismatch('')] : []),
    ...(reportingComponent ? [] : [requiredValue(reporter)]),
    ...invalidFor(reporter, reportingComponent, labelKey(reportingComponent)),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) => shortText(field, event[field] ?? '')),
    ...(Buffer.byteLength(message) > 1024 ? [invalidValue('message', '', 'can have at most 1024 characters')] : []),
  ];
}

function shortText(field: string, value: string): readonly FieldError[] {
  if (value === '') return [requiredValue(field)];
  return Buffer.byteLength(value) > 128 ? [invalidValue(field, '', 'can have at most 128 characters')] : [];
}

function validateNew(event: CoreEvent): readonly FieldError[] {
  const { eventTime, type = '', firstTimestamp, lastTimestamp, count, source } = event;
  const unset = (field: string, isSet: unknown): readonly FieldError[] =>
    isSet ? [invalidValue(field, '', 'needs to be unset')] : [];
  return [
    ...validateSeries(event),
    ...(eventTime ? [] : [requiredValue('eventTime')]),
    ...(['Normal', 'Warning'].includes(type) ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', firstTimestamp),
    ...unset('lastTimestamp', lastTimestamp),
    ...unset('count', count),
    ...unset('source', source.component || source.host),
  ];
}

const keptFields = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingComponent'],
  ['reportingInstance', 'reportingInstance'],
] as const;

function validateKept(event: CoreEvent, before: CoreEvent): readonly FieldError[] {
  const [now, then] = [event, before] as unknown as readonly [AnyObject, AnyObject];
  return [
    ...(same(event.series, before.series) ? [] : validateSeries(event)),
    ...keptFields.flatMap(([name, field]) => immutable(name, now[field] ?? null, then[field] ?? null)),
  ];
}

function validateSeries({ series }: CoreEvent): readonly FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [requiredValue('series.lastObservedTime')]),
  ];
}
