import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Client } from '../../kube/client.ts';
import type { Access } from '../access/access.ts';
import { Sessions } from './sessions.ts';

const hour = 3_600_000;

function setUp(limit?: number) {
  const clock = new VirtualClock();
  let count = 0;
  const sessions = new Sessions({ clock, secret: () => `secret-${count++}`, ...(limit !== undefined && { limit }) });
  const closed: string[] = [];
  const begin = (name = 'ann', end?: number) =>
    sessions.begin({
      who: { name, groups: [] },
      connect: () => ({ close: async () => void closed.push(name) }) as unknown as Client,
      access: () => ({}) as Access,
      ...(end !== undefined && { end }),
    });
  return { clock, sessions, begin, closed };
}

describe('Sessions', () => {
  it('are found by their secret only', () => {
    const { sessions, begin } = setUp();
    const { secret, session } = begin();
    expect(sessions.find(secret)).toBe(session);
    for (const wrong of [undefined, '', 'secret-99', session.csrf]) expect(sessions.find(wrong)).toBeUndefined();
  });

  it('end after an hour without use, but not while something is open', async () => {
    const { clock, sessions, begin } = setUp();
    const [used, idle, open] = [begin(), begin(), begin()];
    open.session.open = 1;
    for (let at = 0; at < 3; at++) {
      await clock.advance(0.9 * hour);
      expect(sessions.find(used.secret)).toBe(used.session);
    }
    expect(idle.session.ended.aborted).toBe(true);
    expect(sessions.find(idle.secret)).toBeUndefined();
    expect(sessions.find(open.secret)).toBe(open.session);
  });

  it('end after twelve hours however much they are used, and earlier with the token', async () => {
    const { clock, sessions, begin } = setUp();
    const long = begin('ann', clock.now() + 100 * hour);
    const short = begin('bob', clock.now() + hour / 2);
    expect(long.session.expiresAt).toBe(clock.now() + 12 * hour);
    long.session.open = short.session.open = 1;
    await clock.advance(hour / 2 + 60_000);
    expect([short.session.ended.aborted, long.session.ended.aborted]).toEqual([true, false]);
    await clock.advance(11.6 * hour);
    expect([long.session.ended.aborted, sessions.size]).toEqual([true, 0]);
  });

  it('do not live longer when somebody sets the clock back', async () => {
    const { clock, sessions, begin } = setUp();
    const { secret, session } = begin('ann', clock.now() + hour);
    session.open = 1;
    clock.jump(-10 * hour);
    await clock.advance(hour);
    expect(sessions.find(secret)).toBeUndefined();
  });

  it('make room for new ones, the least used first, and close their connections', () => {
    const { sessions, begin, closed } = setUp(2);
    const [first, second] = [begin('ann'), begin('bob')];
    second.session.client();
    sessions.find(first.secret);
    begin('eve');
    expect([sessions.find(first.secret), sessions.find(second.secret)]).toEqual([first.session, undefined]);
    expect(closed).toEqual(['bob']);
    expect(() => second.session.client()).toThrow('not logged in');
  });

  it('leave no timer behind', async () => {
    const { clock, sessions, begin } = setUp();
    begin();
    sessions.close();
    expect(clock.untilNext).toBeUndefined();
    begin();
    await clock.advance(2 * hour);
    expect(clock.untilNext).toBeUndefined();
  });
});
