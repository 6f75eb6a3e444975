import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Which process, not merely which number: pids are reused, also across a restart of the machine.
 *
 * Everything the rig ends, it ends by this identity, so that a stale file never kills a stranger.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot id and start time in clock ticks since that boot. */
  readonly started: string;
}

/** The identity of a running process; undefined when there is none with this pid, or only a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return stat.state === 'Z' || stat.state === 'X' ? undefined : { pid, started: `${bootId()}/${stat.startTicks}` };
  } catch {
    return undefined;
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Sends the signal if the process is still the same one. Says whether it was sent. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false; // it ended in between, or it is not ours to signal
  }
}

/** Resident memory in bytes, 0 when the process has ended. */
export function residentBytes(identity: ProcessIdentity): number {
  if (!isAlive(identity)) return 0;
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${identity.pid}/status`, 'utf8'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The file of the program that a process runs; undefined when it has ended. */
export function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

/** The short name that a process gave itself, or was given by the kernel. */
export function commandNameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function parentOf(pid: number): number | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).parent || undefined;
  } catch {
    return undefined;
  }
}

/** The pids whose parent is `pid`. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

/** The fields of `/proc/PID/stat` that matter here. The command's name, in parentheses, may itself hold spaces and parentheses. */
export function parseStat(text: string): {
  readonly state: string;
  readonly parent: number;
  readonly startTicks: string;
} {
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[17];
  if (state === undefined || parent === undefined || startTicks === undefined)
    throw new Error(`not a stat line: ${text}`);
  return { state, parent: Number(parent), startTicks };
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
