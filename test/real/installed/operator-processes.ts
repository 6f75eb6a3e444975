import { readdirSync, readFileSync } from 'node:fs';

/** The processes of operators in containers of this machine: of all pods, or of one. */
export function operatorProcesses(pod?: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && read(pid, 'cmdline').includes('/app/cutover.js\0operator'))
    .filter((pid) => pod === undefined || read(pid, 'environ').includes(`POD_NAME=${pod}\0`));
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it ended
  }
}
