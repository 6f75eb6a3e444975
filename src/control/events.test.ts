import { describe, expect, it } from 'vitest';
import { SmallApi, status } from '../../test/toy/small-api.ts';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import type { EventAction } from './decision.ts';
import { Events } from './events.ts';
import { type Log, silent } from './log.ts';
import { createMetrics } from './metrics.ts';

function world(log: Log = silent) {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const client = new Client(api.transport(), { clock });
  const metrics = createMetrics({ process: false });
  const options = { client, clock, random: seededRandom(1), log, metrics, controller: 'c', instance: 'i' };
  return { clock, api, metrics, events: new Events(options) };
}

const about = { apiVersion: 'toy.dev/v1', kind: 'Lamp', namespace: 'a', name: 'l', uid: 'u' };
const say = (note: string, more: Partial<EventAction> = {}): EventAction => ({
  do: 'event',
  about,
  reason: 'Shining',
  note,
  ...more,
});

describe('events', () => {
  it('are written in the words of events.k8s.io/v1', async () => {
    const { api, clock, events } = world();
    events.record(say('the lamp shines', { warning: true }));
    await clock.advance(10);
    expect(api.list('events')).toMatchObject([
      {
        metadata: { namespace: 'a' },
        regarding: about,
        reason: 'Shining',
        note: 'the lamp shines',
        type: 'Warning',
        action: 'Reconcile',
        reportingController: 'c',
        reportingInstance: 'i',
        eventTime: expect.stringMatching(/^2030-01-01T00:00:00\.\d{6}Z$/),
      },
    ]);
  });

  it('are in the log as well, warnings as warnings, each once', async () => {
    const lines: string[] = [];
    const note = (level: string) => (fields: object, message: string) => {
      lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
    };
    const { clock, events } = world({ ...silent, info: note('info'), warn: note('warn') });
    events.record(say('the lamp shines'));
    events.record(say('the lamp shines'));
    events.record(say('the lamp is out', { warning: true }));
    await clock.advance(10);
    expect(lines).toEqual([
      'info {"event":"Shining","about":"Lamp a/l"} the lamp shines',
      'warn {"event":"Shining","about":"Lamp a/l"} the lamp is out',
    ]);
  });

  it('that repeat become one event with a count, written at most once a minute', async () => {
    const { api, clock, events } = world();
    for (let i = 0; i < 50; i++) {
      events.record(say('again'));
      await clock.advance(1000);
    }
    await clock.advance(60_000);
    expect(api.list('events')).toHaveLength(1);
    expect(api.list('events')[0]?.series).toMatchObject({ count: 50 });
    expect(api.writes()).toHaveLength(2);
    events.record(say('something else'));
    await clock.advance(10);
    expect(api.list('events')).toHaveLength(2);
  });

  it('begin anew after six quiet minutes', async () => {
    const { api, clock, events } = world();
    events.record(say('x'));
    await clock.advance(6 * 60_000);
    events.record(say('x'));
    await clock.advance(10);
    expect(api.list('events')).toHaveLength(2);
  });

  it('of one reason about one object are not let through without limit', async () => {
    const { api, clock, events, metrics } = world();
    for (let i = 0; i < 100; i++) events.record(say(`note ${i}`));
    events.record(say('other', { about: { ...about, uid: 'v' } }));
    await clock.advance(10);
    expect(api.list('events')).toHaveLength(26);
    expect((await metrics.page()).text).toContain('cutover_events_dropped_total 75');
  });

  it('of a reason that never ends do not silence the others', async () => {
    const { api, clock, events } = world();
    for (let i = 0; i < 100; i++) events.record(say(`exception ${i}`));
    events.record(say('its state was left behind', { reason: 'StateDropped', warning: true }));
    await clock.advance(10);
    expect(api.list('events').filter(({ reason }) => reason === 'StateDropped')).toHaveLength(1);
  });

  it('have notes of at most a kilobyte, cut between characters', async () => {
    const { api, clock, events } = world();
    events.record(say('ü'.repeat(1000)));
    await clock.advance(10);
    const note = String(api.list('events')[0]?.note);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(note).toMatch(/^ü{510}…$/);
  });

  it('fail without anybody noticing but the metrics', async () => {
    const { api, clock, events, metrics } = world();
    api.fault = () => status(403, 'Forbidden', 'namespace is terminating');
    events.record(say('x'));
    await clock.advance(10);
    expect((await metrics.page()).text).toContain('cutover_events_dropped_total 1');
  });

  it('are written to the end before it closes, and not afterwards', async () => {
    const { api, events } = world();
    events.record(say('x'));
    events.record(say('x'));
    await events.close();
    events.record(say('y'));
    expect(api.list('events')).toMatchObject([{ note: 'x', series: { count: 2 } }]);
  });

  it('are dropped when too many wait to be written', async () => {
    const { api, clock, events, metrics } = world();
    api.fault = () => new Promise(() => {});
    for (let index = 0; index < 1_100; index++) events.record(say('x', { about: { ...about, uid: `u${index}` } }));
    await clock.advance(0);
    expect((await metrics.page()).text).toContain('cutover_events_dropped_total 100');
  });

  it('do not keep anybody from ending when the server does not answer', async () => {
    const { api, clock, events, metrics } = world();
    api.fault = () => new Promise(() => {});
    for (let index = 0; index < 20; index++) events.record(say(`note ${index}`));
    let closed = false;
    void events.close().then(() => {
      closed = true;
    });
    await clock.advance(2_900);
    expect(closed).toBe(false);
    await clock.advance(200);
    expect(closed).toBe(true);
    expect(api.requests).toHaveLength(1);
    expect((await metrics.page()).text).toContain('cutover_events_dropped_total 20');
    expect(clock.untilNext).toBeUndefined();
  });
});
