import { describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { conformance } from './server.ts';

const server = conformance();
const core = (...rest: string[]): string => server().core('events', ...rest);
const modern = (...rest: string[]): string => server().group('events.k8s.io/v1', 'events', ...rest);

const event = (name: string, fields: object = {}): Any => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name },
  regarding: { kind: 'Pod', name: 'web', namespace: server().namespace },
  reason: 'Promoted',
  note: 'green serves',
  type: 'Normal',
  action: 'Promote',
  eventTime: '2026-01-01T00:00:00.123456Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'controller-0',
  ...fields,
});

describe('an event', () => {
  it('is one thing in two groups', async () => {
    const { api } = server();
    await api.must('POST', modern(), event('two-groups'));
    const old = (await api.get(core('two-groups'))).body;
    expect(old).toMatchObject({
      apiVersion: 'v1',
      message: 'green serves',
      involvedObject: { name: 'web' },
      reportingComponent: 'example.com/controller',
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
    });
    const { metadata, ...shown } = (await api.get(modern('two-groups'))).body;
    const { metadata: _, ...sent } = event('two-groups');
    expect(shown).toEqual({
      ...sent,
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    });
    expect(Object.keys(metadata.managedFields[0].fieldsV1).sort()).toEqual([
      'f:action',
      'f:eventTime',
      'f:note',
      'f:reason',
      'f:regarding',
      'f:reportingController',
      'f:reportingInstance',
      'f:type',
    ]);
  });

  it('of the core group needs next to nothing, and nobody manages what was not said', async () => {
    const { api, namespace } = server();
    const made = await api.must('POST', core(), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'bare' },
      involvedObject: { namespace },
      message: 'm',
    });
    expect(made).toMatchObject({ eventTime: null, firstTimestamp: null, source: {}, reportingComponent: '' });
    expect(made.metadata.managedFields[0].fieldsV1).toEqual({ 'f:involvedObject': {}, 'f:message': {} });
  });

  it.each([
    [{ eventTime: undefined }, 'eventTime: Required value'],
    [{ type: 'Urgent' }, 'type: Invalid value: "": has invalid value: Urgent'],
    [{ action: undefined }, 'action: Required value'],
    [{ reason: 'x'.repeat(129) }, 'reason: Invalid value: "": can have at most 128 characters'],
    [{ note: 'é'.repeat(513) }, 'message: Invalid value: "": can have at most 1024 characters'],
    [{ deprecatedCount: 3 }, 'count: Invalid value: "": needs to be unset'],
    [{ series: { count: 2 } }, 'series.lastObservedTime: Required value'],
    [
      { regarding: { kind: 'Node', name: 'n' } },
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ],
  ])('is refused with %j', async (fields, why) => {
    const answer = await server().api.post(modern(), event('refused', fields));
    expect(answer.body).toMatchObject({ code: 422, message: `Event "refused" is invalid: ${why}` });
    expect(answer.body.details).toMatchObject({ kind: 'Event', name: 'refused' });
    expect(answer.body.details.group).toBeUndefined();
  });

  it('may become a series, and nothing else of it may change', async () => {
    const { api } = server();
    await api.must('POST', modern(), event('series'));
    const series = { count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z' };
    expect((await api.merge(modern('series'), { series })).body.series).toEqual(series);
    expect((await api.merge(modern('series'), { note: 'blue serves' })).body.message).toBe(
      'Event "series" is invalid: message: Invalid value: "blue serves": field is immutable',
    );
    expect((await api.merge(core('series'), { message: 'blue serves' })).status).toBe(200);
  });
});
