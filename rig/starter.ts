import { commandNameOf, identify, isAlive, type ProcessIdentity, parentOf } from './process.ts';

const LOOK_EVERY_MS = 500;
/** Between npm and its script there is at most a shell. */
const FARTHEST_NPM = 3;

/**
 * Calls back once when whoever started this process is gone: its parent; started through npm, which passes neither
 * signals nor its own death on to its scripts, also npm and npm's caller. Returns the way to stop looking.
 */
export function onStarterGone(callback: () => void): () => void {
  const starters = startersOf(process.pid, process.env.npm_lifecycle_event !== undefined);
  const timer = setInterval(() => {
    if (starters.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** The processes that a process belongs to. */
function startersOf(pid: number, throughNpm: boolean): readonly ProcessIdentity[] {
  const line: number[] = [];
  for (let next = parentOf(pid); next !== undefined && line.length <= FARTHEST_NPM; next = parentOf(next)) {
    line.push(next);
  }
  const npm = throughNpm ? line.slice(0, FARTHEST_NPM).findIndex((each) => commandNameOf(each)?.startsWith('npm')) : -1;
  return line.slice(0, npm === -1 ? 1 : npm + 2).flatMap((each) => identify(each) ?? []);
}
