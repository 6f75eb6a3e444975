import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a client of the benchmark reports, and with which ruler. */
export interface Measurement {
  /** All pods are in the cache. */
  synced(objects: number): void;
  /** Has the server send the burst. */
  burst(): void;
  /** One event of the burst is in the cache. */
  event(): void;
  /** Resolves when the whole burst is in the cache. */
  readonly burstOver: Promise<void>;
  done(): void;
}

/** Where the server is. */
export const server = process.env.BENCH_SERVER ?? '';

const events = Number(process.env.BENCH_EVENTS);

/** Begins to measure: call it when everything is loaded, right before the first request. */
export function measure(name: string): Measurement {
  const print = (line: object): void => console.log(JSON.stringify(line));
  const over = Promise.withResolvers<void>();
  let burstStarted = 0;
  let taken = 0;

  print({ phase: 'started', name });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();

  return {
    synced: (objects) => print({ phase: 'synced', ms: performance.now() - started, objects }),
    burst() {
      burstStarted = performance.now();
      request(`${server}/bench/burst?events=${events}`, { method: 'POST' }, (response) => response.resume()).end();
    },
    event() {
      taken++;
      if (taken !== events) return;
      print({ phase: 'burst', ms: performance.now() - burstStarted });
      over.resolve();
    },
    burstOver: over.promise,
    done() {
      delay.disable();
      const peakMb = process.resourceUsage().maxRSS / 1024;
      print({ phase: 'done', peakMb, stallMs: delay.max / 1e6 });
    },
  };
}
