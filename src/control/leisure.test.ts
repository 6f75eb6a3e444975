import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import { Leisure } from './leisure.ts';

/** A process whose work takes time: what it does between two timers is said by `work`. */
function busyProcess() {
  const clock = new VirtualClock();
  let busy = 0;
  const pace = new Leisure({
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) => clock.after(ms, callback),
    busy: () => busy,
  });
  return {
    pace,
    idle: (ms: number) => clock.advance(ms),
    work: async (ms: number) => {
      busy += ms;
      await clock.advance(ms);
    },
  };
}

describe('the pace of work that nobody waits for', () => {
  it('begins at once', () => {
    expect(busyProcess().pace.begin()).toBe(true);
  });

  it('leaves as much time free as the process took since the piece before, for whatever it did', async () => {
    const { pace, work, idle } = busyProcess();
    pace.begin();
    await work(3);
    expect(pace.begin()).toBe(false);
    await idle(2);
    await work(1);
    expect(pace.begin()).toBe(false);
    await idle(1);
    expect(pace.begin()).toBe(false);
    await idle(1);
    expect(pace.begin()).toBe(true);
  });

  it('goes on after a while in a process that is never free', async () => {
    const { pace, work } = busyProcess();
    pace.begin();
    await work(49);
    expect(pace.begin()).toBe(false);
    await work(1);
    expect(pace.begin()).toBe(true);
  });

  it('lets several begin in the order in which they asked, never two at once, and none twice before the others', async () => {
    const { pace, work, idle } = busyProcess();
    const begun: string[] = [];
    const queue = (name: string): void => {
      pace.wait(() => {
        begun.push(name);
        queue(name);
      });
    };
    pace.begin();
    await work(5);
    for (const name of ['a', 'b', 'c']) queue(name);
    expect(pace.begin()).toBe(false);
    for (let round = 1; round <= 6; round++) {
      await idle(5);
      expect(begun).toHaveLength(round);
      await work(5);
    }
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('is not kept up by one who no longer waits', async () => {
    const { pace, work, idle } = busyProcess();
    pace.begin();
    await work(5);
    const begun: string[] = [];
    const leave = pace.wait(() => begun.push('a'));
    pace.wait(() => begun.push('b'));
    leave();
    await idle(5);
    expect(begun).toEqual(['b']);
  });

  it('waits for nothing where work takes no time', () => {
    const pace = new Leisure(new VirtualClock());
    expect([pace.begin(), pace.begin(), pace.begin()]).toEqual([true, true, true]);
  });
});
