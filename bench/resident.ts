import { readFileSync } from 'node:fs';

/** Resident memory of processes, added up, in MiB. Linux only: it reads `/proc`. */
export function residentMiB(pids: readonly number[]): number {
  const kib = pids.map((pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return kib.reduce((sum, one) => sum + Number(one), 0) / 1024;
}
