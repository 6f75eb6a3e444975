import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all it started have cost. Linux only: it reads `/proc`. */
export interface Cost {
  /** CPU seconds, user and system, of processes that live. */
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** Clock ticks per second in `/proc`: the kernel's ABI fixes it. */
const ticksPerSecond = 100;

export function costOf(root: number): Cost {
  let [ticks, kib] = [0, 0];
  for (const pid of treeOf(root)) {
    const stat = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /, '')
      .split(' ');
    ticks += Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
    kib += Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  return { cpuSeconds: ticks / ticksPerSecond, residentMiB: kib / 1024 };
}

/** A process and its descendants. */
function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(
      read(`/proc/${entry}/stat`)
        .replace(/^.*\) /, '')
        .split(' ')[1],
    );
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Empty when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
