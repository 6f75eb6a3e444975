import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Summary } from '../../portrait/summary.ts';
import { cloudEvent } from './cloud-event.ts';
import { deletedNotice, noticesOf, noticesOfEvent } from './notice.ts';

const summary = (more: Partial<Summary> = {}, uid = 'u1'): Summary => ({
  subject: { family: 'toy', apiVersion: 'toy/v1', kind: 'Boat', namespace: 'north', name: 'erik', uid },
  phase: 'healthy',
  headline: 'sails',
  serving: 'all',
  inTransition: false,
  ...more,
});
const classes = (before: Summary | undefined, after: Summary) => noticesOf(before, after).map((one) => one.class);

describe('noticesOf', () => {
  const moving = summary({ phase: 'progressing', inTransition: true, since: '2030-01-01T00:00:00Z' });

  it.each<[string, Summary | undefined, Summary, readonly string[]]>([
    ['nothing changed', summary(), summary(), []],
    ['a headline changed', summary(), summary({ headline: 'sails on' }), []],
    ['it begins', summary(), moving, ['transition-started']],
    ['it goes on', moving, { ...moving, headline: 'half way' }, []],
    ['it ends', moving, summary(), ['transition-ended']],
    [
      'it fails on the way',
      moving,
      summary({ phase: 'failed', needsYou: 'look' }),
      ['transition-ended', 'needs-you', 'failed'],
    ],
    ['it needs somebody for another reason', summary({ needsYou: 'a' }), summary({ needsYou: 'b' }), ['needs-you']],
    ['nobody is needed any more', summary({ needsYou: 'a' }), summary(), []],
    ['it gets worse', summary({ phase: 'degraded' }), summary({ phase: 'failed' }), ['failed']],
    ['it recovers', summary({ phase: 'failed' }), summary(), ['recovered']],
    ['it is made anew under the same name', summary({ phase: 'failed' }, 'u0'), summary(), []],
    ['it is first seen', undefined, summary({ phase: 'failed', inTransition: true }), ['transition-started', 'failed']],
  ])('%s', (_, before, after, expected) => {
    expect(classes(before, after)).toEqual(expected);
  });

  it('gives the same news the same id, and other news another', () => {
    const id = (after: Summary, before?: Summary) => noticesOf(before, after)[0]?.id;
    const later = { ...moving, since: '2030-01-01T01:00:00Z' };
    expect(id(moving, summary())).toBe(id({ ...moving, headline: 'other words' }));
    expect(new Set([id(moving), id(later), id({ ...moving, subject: { ...moving.subject, uid: 'u2' } })]).size).toBe(3);
    expect(id(summary({ needsYou: 'a' }))).not.toBe(id(summary({ needsYou: 'b' })));
    expect(deletedNotice(moving).id).toBe(deletedNotice(summary()).id);
  });
});

describe('noticesOfEvent', () => {
  const event = (more: object): AnyObject => ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace: 'north', name: 'e1', uid: 'e1' },
    regarding: { apiVersion: 'toy/v1', kind: 'Boat', namespace: 'elsewhere', name: 'erik', uid: 'u1' },
    eventTime: '2030-01-01T00:00:00.000000Z',
    ...more,
  });

  it('tells warnings and restarts, about what the event is about, in the namespace that it is in', () => {
    const notices = noticesOfEvent(event({ type: 'Warning', reason: 'RestartUnhealthyJob', note: 'it hangs' }));
    expect(notices.map((one) => one.class)).toEqual(['restarted', 'warning']);
    expect(notices[0]).toMatchObject({
      about: { kind: 'Boat', namespace: 'north', name: 'erik' },
      data: { event: { note: 'it hangs' } },
    });
    expect(new Set(notices.map(({ id }) => id)).size).toBe(2);
    expect(noticesOfEvent(event({ type: 'Normal', reason: 'Deployed' }))).toEqual([]);
  });

  it('takes any JSON', () => {
    for (const more of [{ regarding: null }, { regarding: 'x', type: 'Warning' }, { reason: 7 }, { metadata: {} }]) {
      expect(Array.isArray(noticesOfEvent(event(more)))).toBe(true);
    }
  });
});

describe('cloudEvent', () => {
  it('is CloudEvents 1.0 in structured JSON', () => {
    const [notice] = noticesOf(summary(), summary({ phase: 'failed', headline: 'sank' }));
    expect(JSON.parse(cloudEvent(notice ?? expect.fail('no news'), Date.UTC(2030, 0, 1)))).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      source: '/cutover/toy%2Fv1/Boat/north',
      type: 'dev.cutover.failed',
      subject: 'Boat/north/erik',
      time: '2030-01-01T00:00:00.000Z',
      datacontenttype: 'application/json',
      data: {
        about: { apiVersion: 'toy/v1', kind: 'Boat', namespace: 'north', name: 'erik', uid: 'u1' },
        summary: expect.objectContaining({ phase: 'failed', headline: 'sank' }),
        before: { phase: 'healthy', headline: 'sails' },
      },
    });
  });
});
