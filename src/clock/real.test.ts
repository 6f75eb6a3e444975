import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realClock } from './real.ts';

describe('realClock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls back once, not before the delay has passed', () => {
    const callback = vi.fn();
    realClock.after(100, callback);
    vi.advanceTimersByTime(99);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call back when called off, twice if need be', () => {
    const callback = vi.fn();
    const cancel = realClock.after(100, callback);
    cancel();
    cancel();
    vi.advanceTimersByTime(1000);
    expect(callback).not.toHaveBeenCalled();
  });

  it('waits longer than Node’s timers can, and can be called off meanwhile', () => {
    const [callback, never] = [vi.fn(), vi.fn()];
    const days = 24 * 3_600_000;
    realClock.after(60 * days, callback);
    const cancel = realClock.after(60 * days, never);
    vi.advanceTimersByTime(59 * days);
    expect(callback).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(2 * days);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(never).not.toHaveBeenCalled();
  });

  it('knows the time', () => {
    vi.setSystemTime(12345);
    expect(realClock.now()).toBe(12345);
    const before = realClock.monotonic();
    vi.advanceTimersByTime(10);
    expect(realClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});
