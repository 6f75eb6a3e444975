import { beforeEach, describe, expect, it } from 'vitest';
import { type Connection, connection, type Link } from './connection.ts';
import type { Heard } from './heard.ts';

class FakeSource {
  readonly url: string;
  closed = false;
  private readonly listeners = new Map<string, (event: { data?: unknown }) => void>();

  constructor(url: string) {
    this.url = url;
  }

  addEventListener(name: string, on: (event: { data?: unknown }) => void): void {
    this.listeners.set(name, on);
  }

  close(): void {
    this.closed = true;
  }

  say(name: string, data?: unknown): void {
    this.listeners.get(name)?.({ data });
  }
}

let sources: FakeSource[];
let links: Link[];
let events: Heard[];
let timers: { ms: number; then: () => void; cancelled: boolean }[];
let session: 'yes' | 'no' | 'unreachable';

beforeEach(() => {
  sources = [];
  links = [];
  events = [];
  timers = [];
  session = 'yes';
});

function connect(watch?: string): Connection {
  return connection(
    {
      open: (url) => {
        const source = new FakeSource(url);
        sources.push(source);
        return source;
      },
      after: (ms, then) => {
        const timer = { ms, then, cancelled: false };
        timers.push(timer);
        return () => {
          timer.cancelled = true;
        };
      },
      check: async () => session,
      onHeard: (event) => events.push(event),
      onLink: (link) => links.push(link),
    },
    watch,
  );
}

async function waitOut(): Promise<void> {
  timers.at(-1)?.then();
  await Promise.resolve();
  await Promise.resolve();
}

describe('a connection', () => {
  it('hears events and tells that it is live', () => {
    connect('Instance/a/b');
    expect(sources[0]?.url).toBe('/api/stream?watch=Instance%2Fa%2Fb');
    sources[0]?.say('open');
    sources[0]?.say('gone', '{"id":"x"}');
    sources[0]?.say('gone', 'no json');
    expect(events).toEqual([{ name: 'gone', data: { id: 'x' } }]);
    expect(links).toEqual(['connecting', 'live']);
  });

  it('opens anew for another workload and no longer listens to the old stream', () => {
    const open = connect();
    open.watch('Instance/a/b');
    expect(sources.map(({ url, closed }) => [url, closed])).toEqual([
      ['/api/stream', true],
      ['/api/stream?watch=Instance%2Fa%2Fb', false],
    ]);
    sources[0]?.say('gone', '{"id":"x"}');
    sources[0]?.say('error');
    expect(events).toEqual([]);
    expect(timers).toEqual([]);
  });

  it('comes back by itself after an operator restart, waiting longer each time', async () => {
    connect();
    sources[0]?.say('error');
    session = 'unreachable';
    for (let round = 0; round < 6; round += 1) await waitOut();
    expect(timers.map(({ ms }) => ms)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    session = 'yes';
    await waitOut();
    expect(sources).toHaveLength(2);
    sources[1]?.say('open');
    expect(links.at(-1)).toBe('live');
    sources[1]?.say('error');
    expect(timers.at(-1)?.ms).toBe(250);
  });

  it('stops when the session is over', async () => {
    connect();
    session = 'no';
    sources[0]?.say('error');
    await waitOut();
    expect(sources).toHaveLength(1);
    expect(timers).toHaveLength(1);
  });

  it('tries at once when it is told to hurry', async () => {
    const open = connect();
    sources[0]?.say('error');
    open.hurry();
    await Promise.resolve();
    await Promise.resolve();
    expect(timers[0]?.cancelled).toBe(true);
    expect(sources).toHaveLength(2);
    open.hurry();
    expect(sources).toHaveLength(2);
  });

  it('hangs up when nobody looks, and comes back when somebody does', async () => {
    const open = connect();
    open.rest();
    expect(sources[0]?.closed).toBe(true);
    sources[0]?.say('error');
    expect(timers).toEqual([]);
    open.hurry();
    await Promise.resolve();
    await Promise.resolve();
    expect(sources).toHaveLength(2);
  });

  it('is silent after it was closed', async () => {
    const open = connect();
    open.close();
    sources[0]?.say('error');
    expect(sources[0]?.closed).toBe(true);
    expect(timers).toEqual([]);
  });
});
