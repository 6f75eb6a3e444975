import { describe, expect, it } from 'vitest';
import { begunAnew } from './begun-anew.ts';
import { instantText } from './instant-text.ts';
import { happened, notAfter } from './set-back.ts';
import type { Status } from './status.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const hour = 3_600_000;
const before = instantText(now - hour);
const ahead = instantText(now + hour);

describe('a time after the clock was set back', () => {
  it('counts as long ago when it lies in the future, and as it is otherwise', () => {
    expect(happened(now - 1, now)).toBe(now - 1);
    expect(happened(now, now)).toBe(now);
    expect(happened(now + 1, now)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is moved in all its spellings', () => {
    const times = { text: ahead, number: now + hour, digits: String(now + hour), past: before, other: ahead };
    expect(notAfter(now, times, 'text', 'number', 'digits', 'past')).toEqual({
      text: instantText(now),
      number: now,
      digits: String(now),
      past: before,
      other: ahead,
    });
  });

  it('is left alone when it is none', () => {
    const times: Record<string, unknown> = { text: 'soon', none: null };
    expect(notAfter(now, times, 'text', 'none', 'missing')).toEqual(times);
  });
});

describe('a status after the clock was set back', () => {
  const status = (at: string, ms: number): Status => ({
    transition: {
      id: 'uid-1',
      cause: 'spec-change',
      because: 'The spec changed.',
      generation: 1,
      phase: 'suspending',
      startedAt: ahead,
      phaseStartedAt: at,
      stop: { mode: 'savepoint', askedAt: at, failures: 2, retryAt: at },
      restore: { mode: 'savepoint' },
    },
    reconciliationStatus: { reconciliationTimestamp: ms },
    jobStatus: {
      updateTime: String(ms),
      savepointInfo: { triggerId: 'a', triggerTimestamp: ms, lastPeriodicSavepointTimestamp: ms },
      checkpointInfo: { triggerTimestamp: now + hour, lastPeriodicCheckpointTimestamp: ms },
    },
  });

  it('waits no longer than from now on, and keeps the times that objects are named after', () => {
    const anew = begunAnew(status(ahead, now + hour), now);
    const expected = status(instantText(now), now);
    expect(anew).toEqual({
      ...expected,
      transition: {
        ...expected.transition,
        stop: { ...expected.transition?.stop, retryAt: instantText(now + 20_000) },
      },
    });
  });

  it('stays as it is when all of it has happened, or is to be tried again soon', () => {
    const past = status(before, now - hour);
    expect(begunAnew(past, now)).toEqual(past);
    expect(begunAnew({}, now)).toEqual({});
  });
});
