import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import { Leisure } from './leisure.ts';

/** A process that waited and worked for so long. */
function leisure() {
  const time = { now: 0, busy: 0 };
  const clock = { now: () => 0, monotonic: () => time.now, busy: () => time.busy, after: () => () => {} };
  const pace = new Leisure(clock);
  return {
    pace,
    work: (ms: number) => Object.assign(time, { now: time.now + ms, busy: time.busy + ms }),
    idle: (ms: number) => Object.assign(time, { now: time.now + ms }),
  };
}

describe('the pace of work that nobody waits for', () => {
  it('begins at once', () => {
    expect(leisure().pace.waitMs()).toBe(0);
  });

  it('leaves as much time free as the process took since the piece before, for whatever it did', () => {
    const { pace, work, idle } = leisure();
    pace.begin();
    work(3);
    expect(pace.waitMs()).toBe(3);
    idle(2);
    work(1);
    expect(pace.waitMs()).toBe(2);
    idle(2);
    expect(pace.waitMs()).toBe(0);
    pace.begin();
    work(1);
    expect(pace.waitMs()).toBe(1);
  });

  it('goes on after a while in a process that is never free', () => {
    const { pace, work } = leisure();
    pace.begin();
    work(49);
    expect(pace.waitMs()).toBe(1);
    work(2);
    expect(pace.waitMs()).toBe(0);
  });

  it('waits for nothing where work takes no time', () => {
    const pace = new Leisure(new VirtualClock());
    pace.begin();
    expect(pace.waitMs()).toBe(0);
  });
});
