import type { Heard } from './heard.ts';

/** How the page hears from the server. */
export type Link = 'connecting' | 'live' | 'reconnecting';

/** The part of an `EventSource` that is used. */
export interface Source {
  addEventListener(name: string, on: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

export interface Line {
  readonly open: (url: string) => Source;
  readonly after: (ms: number, then: () => void) => () => void;
  /** Whether there still is a session. `no` ends the connection; `unreachable` leads to another try. */
  readonly check: () => Promise<'yes' | 'no' | 'unreachable'>;
  readonly onHeard: (event: Heard) => void;
  readonly onLink: (link: Link) => void;
}

export interface Connection {
  /** Hears of this workload from now on, too. */
  watch(id: string | undefined): void;
  /** Hangs up until `hurry`: nobody looks at the page, and browsers have but six connections to a server for all tabs. */
  rest(): void;
  /** Tries at once, if it rests or is waiting to: the network is back, or somebody looks at the page again. */
  hurry(): void;
  close(): void;
}

const names = ['fleet', 'changed', 'gone', 'page', 'missing'] as const;

/**
 * One stream for the fleet and the page that is watched. It never gives up: whatever breaks it, the session is asked for first (a stream
 * cannot tell "not logged in" from "not there"), and then it is opened anew, at most five seconds apart. That the browser would try
 * again by itself is of no use: it stops for good after any answer but 200.
 */
export function connection(line: Line, first: string | undefined): Connection {
  let watched = first;
  let source: Source | undefined;
  let tries = 0;
  let cancel: (() => void) | undefined;
  let closed = false;
  let resting = false;

  const open = (): void => {
    source?.close();
    const mine = line.open(watched === undefined ? '/api/stream' : `/api/stream?watch=${encodeURIComponent(watched)}`);
    source = mine;
    for (const name of names) {
      mine.addEventListener(name, ({ data }) => {
        const event = mine === source ? parsed(name, data) : undefined;
        if (event) line.onHeard(event);
      });
    }
    mine.addEventListener('open', () => {
      if (mine !== source) return;
      tries = 0;
      line.onLink('live');
    });
    mine.addEventListener('error', () => {
      if (mine === source) broken();
    });
  };

  const broken = (): void => {
    source?.close();
    source = undefined;
    if (closed) return;
    line.onLink('reconnecting');
    const wait = Math.min(5000, 250 * 2 ** tries);
    tries += 1;
    cancel = line.after(wait, again);
  };

  const again = (): void => {
    cancel = undefined;
    line.check().then((there) => {
      if (closed || resting || source) return;
      if (there === 'yes') open();
      else if (there === 'unreachable') broken();
    });
  };

  line.onLink('connecting');
  open();
  return {
    watch(id) {
      if (id === watched) return;
      watched = id;
      if (source) open();
    },
    rest() {
      cancel?.();
      cancel = undefined;
      source?.close();
      source = undefined;
      resting = true;
      line.onLink('reconnecting');
    },
    hurry() {
      if (!cancel && !resting) return;
      cancel?.();
      resting = false;
      tries = 0;
      again();
    },
    close() {
      closed = true;
      cancel?.();
      source?.close();
      source = undefined;
    },
  };
}

/** What is no JSON is left out: the next event says the same anew. */
function parsed(name: (typeof names)[number], data: unknown): Heard | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return { name, data: JSON.parse(data) } as Heard;
  } catch {
    return undefined;
  }
}
