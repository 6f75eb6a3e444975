import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  identify,
  isAlive,
  type ProcessIdentity,
  parseStat,
  residentBytes,
  sendSignal,
} from './process.ts';

describe.runIf(process.platform === 'linux')('a process is known by pid and start time', () => {
  it('reads the start time behind a name that holds spaces and parentheses', () => {
    const line = `42 (a) b (c) S 7 ${Array.from({ length: 17 }, (_, n) => n).join(' ')} 991 5 6`;
    expect(parseStat(line)).toEqual({ state: 'S', parent: 7, startTicks: '991' });
  });

  it('finds a process that runs, and its memory', () => {
    const self = identify(process.pid) as ProcessIdentity;
    expect(isAlive(self)).toBe(true);
    expect(residentBytes(self)).toBeGreaterThan(1e6);
  });

  it('does not take another process with the same pid for the one it knew', async () => {
    const child = spawn('sleep', ['60']);
    const identity = identify(child.pid ?? 0) as ProcessIdentity;
    const stranger = { ...identity, started: `${identity.started}0` };
    expect(isAlive(stranger)).toBe(false);
    expect(sendSignal(stranger, 'SIGKILL')).toBe(false);
    expect(residentBytes(stranger)).toBe(0);
    expect(isAlive(identity)).toBe(true);
    expect(childrenOf(process.pid)).toContain(child.pid);
    expect(sendSignal(identity, 'SIGKILL')).toBe(true);
    await once(child, 'close');
    expect(isAlive(identity)).toBe(false);
    expect(sendSignal(identity, 'SIGKILL')).toBe(false);
  });
});
