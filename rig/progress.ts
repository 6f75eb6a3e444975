/** Says what is being done and how long it took. Everything goes to one line-wise sink, so that results can be piped. */
export interface Progress {
  /** A remark that belongs to no step. */
  note(text: string): void;
  /** Runs a step and reports its time; a step that takes long says every half minute that it is still running. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}

const HEARTBEAT_MS = 30_000;

/** Reports to `write`, with the time since its creation in front of every line. */
export function reportTo(write: (line: string) => void, now: () => number = () => performance.now()): Progress {
  const begin = now();
  const say = (text: string): void => write(`[${minutes(now() - begin)}] ${text}\n`);
  return {
    note: say,
    async step(title, work) {
      const started = now();
      say(`${title} …`);
      const heartbeat = setInterval(() => say(`${title}: still at it`), HEARTBEAT_MS);
      try {
        const result = await work();
        say(`${title}: done in ${minutes(now() - started)}`);
        return result;
      } catch (error) {
        say(`${title}: failed after ${minutes(now() - started)}`);
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}

/** For callers that have their own way to show what happens. */
export const silent: Progress = { note: () => {}, step: (_title, work) => work() };

/** `0:07`, `12:30`: minutes and seconds. */
export function minutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
