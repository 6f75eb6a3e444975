import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { sleep } from '../../clock/clock.ts';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { KubeError, type KubeErrorKind } from '../error.ts';
import type { AnyObject, ObjectList, Status } from '../object.ts';
import type { ListOptions, WatchOptions } from '../options.ts';
import { initialEventsEnd, type WatchEvent } from '../watch.ts';
import type { ListWatch } from './list-watch.ts';
import { type ReflectOptions, type ReflectorEvent, reflect } from './reflect.ts';

const thing = (name: string, resourceVersion: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion },
});
const added = (name: string, version: string): WatchEvent<AnyObject> => ({
  type: 'ADDED',
  object: thing(name, version),
});
const bookmark = (version: string, ends = false): WatchEvent<AnyObject> => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: version, ...(ends && { annotations: { [initialEventsEnd]: 'true' } }) } },
});
const fail = (kind: KubeErrorKind, retryAfterMs?: number): KubeError =>
  new KubeError(kind, `scripted ${kind}`, { retryAfterMs });

/** What one watch does: events in turn; then it throws, hangs, or ends. */
type WatchScript = { events?: readonly WatchEvent<AnyObject>[]; end?: KubeError | 'hang' | 'ends'; afterMs?: number };
type ListScript = Partial<ObjectList<AnyObject>> | KubeError;

/** A server that follows a script, and hangs when the script is over. */
class Script implements ListWatch<AnyObject> {
  readonly what = 'things';
  readonly watched: WatchOptions[] = [];
  readonly listed: ListOptions[] = [];
  readonly clock = new VirtualClock();
  open = 0;
  readonly #watches: WatchScript[];
  readonly #lists: ListScript[];

  constructor(script: { watches?: WatchScript[]; lists?: ListScript[] }) {
    this.#watches = script.watches ?? [];
    this.#lists = script.lists ?? [];
  }

  async list(options: ListOptions): Promise<ObjectList<AnyObject>> {
    this.listed.push(options);
    const next = this.#lists.shift() ?? fail('unreachable');
    if (next instanceof KubeError) throw next;
    return { apiVersion: 'v1', kind: 'ThingList', metadata: {}, items: [], ...next };
  }

  async *watch(options: WatchOptions): AsyncGenerator<WatchEvent<AnyObject>> {
    this.watched.push(options);
    this.open++;
    const { events = [], end = 'ends', afterMs = 0 } = this.#watches.shift() ?? { end: 'hang' };
    try {
      yield* events;
      if (afterMs > 0) await sleep(this.clock, afterMs, options.signal);
      if (end === 'hang') await aborted(options.signal);
      if (end instanceof KubeError) throw end;
    } finally {
      this.open--;
    }
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(fail('aborted'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });
}

/** Runs a reflector on a script for so many virtual milliseconds. */
async function run(
  script: Script,
  forMs: number,
  options: Partial<ReflectOptions<AnyObject>> = {},
): Promise<{ told: string[]; events: ReflectorEvent<AnyObject>[] }> {
  const controller = new AbortController();
  const events: ReflectorEvent<AnyObject>[] = [];
  const ended = (async () => {
    const stream = reflect(script, {
      clock: script.clock,
      random: seededRandom(1),
      signal: controller.signal,
      ...options,
    });
    for await (const event of stream) events.push(event);
  })();
  await script.clock.advance(forMs);
  controller.abort();
  await ended;
  expect(script.open).toBe(0);
  return { told: events.map(short), events };
}

function short(event: ReflectorEvent<AnyObject>): string {
  switch (event.type) {
    case 'init':
      return 'init';
    case 'init-apply':
    case 'apply':
    case 'delete':
      return `${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`;
    case 'synced':
    case 'bookmark':
      return `${event.type} ${event.resourceVersion}`;
    case 'trouble':
      return `trouble ${event.error.kind}`;
  }
}

const snapshot = [added('a', '1'), added('b', '2'), bookmark('10', true)];

describe('a reflector', () => {
  it('streams the snapshot and goes on in the same watch', async () => {
    const script = new Script({
      watches: [
        {
          events: [
            ...snapshot,
            { type: 'MODIFIED', object: thing('a', '11') },
            { type: 'DELETED', object: thing('b', '12') },
            bookmark('13'),
          ],
          end: 'hang',
        },
      ],
    });
    const { told } = await run(script, 0);
    expect(told).toEqual([
      'init',
      'init-apply a@1',
      'init-apply b@2',
      'synced 10',
      'apply a@11',
      'delete b@12',
      'bookmark 13',
    ]);
    expect(script.watched).toMatchObject([{ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }]);
    expect(script.watched[0]?.timeoutSeconds).toBeGreaterThanOrEqual(300);
    expect(script.watched[0]?.timeoutSeconds).toBeLessThan(600);
  });

  it('continues where a watch ended, without a pause and without a new snapshot', async () => {
    const script = new Script({
      watches: [
        { events: [...snapshot, added('c', '11')], afterMs: 300_000 },
        { events: [bookmark('20')], afterMs: 300_000 },
      ],
    });
    const { told } = await run(script, 600_000);
    expect(told).toEqual(['init', 'init-apply a@1', 'init-apply b@2', 'synced 10', 'apply c@11', 'bookmark 20']);
    expect(script.watched.map((watch) => watch.resourceVersion)).toEqual([undefined, '11', '20']);
  });

  it.each(['refused', 'server'] as const)('falls back to pages when streaming fails with %s', async (kind) => {
    const script = new Script({
      watches: [{ end: fail(kind) }, { end: 'hang' }],
      lists: [
        { metadata: { continue: 'more', resourceVersion: '5' }, items: [thing('a', '1')] },
        { metadata: { resourceVersion: '5' }, items: [thing('b', '2')] },
      ],
    });
    const { told } = await run(script, 0);
    expect(told.filter((line) => !line.startsWith('trouble'))).toEqual([
      'init',
      'init',
      'init-apply a@1',
      'init-apply b@2',
      'synced 5',
    ]);
    expect(script.listed).toMatchObject([{ limit: 500 }, { limit: 500, continue: 'more' }]);
    expect(script.watched[1]).toMatchObject({ resourceVersion: '5' });
  });

  it('remembers for good that a server refuses to stream, and tries again one that only failed', async () => {
    const lists = [{ metadata: { resourceVersion: '5' } }, { metadata: { resourceVersion: '6' } }];
    const refusing = new Script({ watches: [{ end: fail('refused') }, { end: fail('gone') }], lists: [...lists] });
    await run(refusing, 60_000);
    expect(refusing.watched.map((watch) => watch.sendInitialEvents)).toEqual([true, undefined, undefined]);

    const failing = new Script({ watches: [{ end: fail('server') }, { end: fail('gone') }], lists: [...lists] });
    await run(failing, 60_000);
    expect(failing.watched.map((watch) => watch.sendInitialEvents)).toEqual([true, undefined, true]);
  });

  it('falls back when the error comes in the middle of the stream', async () => {
    const script = new Script({
      watches: [{ events: [added('a', '1')], end: fail('server') }, { end: 'hang' }],
      lists: [{ metadata: { resourceVersion: '5' }, items: [thing('b', '2')] }],
    });
    const { told } = await run(script, 0);
    expect(told).toEqual(['init', 'init-apply a@1', 'trouble server', 'init', 'init-apply b@2', 'synced 5']);
  });

  it('takes a new snapshot when its version is gone', async () => {
    const script = new Script({
      watches: [
        { events: snapshot, end: fail('gone') },
        { events: snapshot, end: 'hang' },
      ],
    });
    const { told } = await run(script, 800);
    const whole = ['init', 'init-apply a@1', 'init-apply b@2', 'synced 10'];
    expect(told).toEqual([...whole, 'trouble gone', ...whole]);
  });

  it('takes a new snapshot when the server refuses to go on from its version', async () => {
    const script = new Script({
      watches: [
        { events: snapshot, end: fail('refused') },
        { events: snapshot, end: 'hang' },
      ],
    });
    const { told } = await run(script, 5_000);
    expect(told.filter((event) => !event.startsWith('init-apply'))).toEqual([
      'init',
      'synced 10',
      'trouble refused',
      'init',
      'synced 10',
    ]);
  });

  it('takes a new snapshot when the server has been set back behind our version', async () => {
    const status = { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } };
    const error = new KubeError('server', 'Too large resource version', { status: status as never });
    const script = new Script({
      watches: [
        { events: snapshot, end: error },
        { events: snapshot, end: 'hang' },
      ],
    });
    expect((await run(script, 800)).told.filter((line) => line === 'synced 10')).toHaveLength(2);
  });

  const older = [added('a', '1'), bookmark('9', true)];

  it('does not take back what it told when a server that lags lists what was before', async () => {
    const script = new Script({
      watches: [
        { events: [...snapshot, added('c', '11')], end: fail('gone') },
        { events: [added('a', '1'), bookmark('10', true), added('c', '11')], end: 'hang' },
        { events: [...older, added('b', '2')], end: 'hang' },
        { events: [added('c', '11'), bookmark('11', true)], end: 'hang' },
      ],
    });
    const { told } = await run(script, 10_000);
    const whole = told.filter((line) => !line.startsWith('init'));
    expect(whole).toEqual([
      'synced 10',
      'apply c@11',
      'trouble gone',
      'trouble unreachable',
      'trouble unreachable',
      'synced 11',
    ]);
    expect(script.listed).toEqual([]);
  });

  it('believes after a minute that a server has been set back, and goes on from there', async () => {
    const script = (): Script =>
      new Script({
        watches: [
          { events: snapshot, end: fail('gone') },
          ...Array.from({ length: 50 }, () => ({ events: [...older, bookmark('9')], end: fail('gone') })),
        ],
      });
    const early = await run(script(), 55_000);
    expect(early.told).not.toContain('synced 9');
    const { told, events } = await run(script(), 200_000);
    const since = told.slice(told.indexOf('synced 9'));
    expect(since.length).toBeGreaterThan(1);
    expect(since).not.toContain('trouble unreachable');
    // Once: from then on that is what was told.
    const whole = events.filter((event) => event.type === 'synced');
    expect(whole.slice(0, 3).map(({ setBack }) => setBack)).toEqual([undefined, true, undefined]);
  });

  it('lists again from the start when a page is gone', async () => {
    const script = new Script({
      lists: [
        { metadata: { continue: 'more' }, items: [thing('a', '1')] },
        fail('gone'),
        { metadata: { resourceVersion: '9' }, items: [thing('b', '2')] },
      ],
    });
    const { told } = await run(script, 800, { streaming: false });
    expect(told).toEqual(['init', 'init-apply a@1', 'trouble gone', 'init', 'init-apply b@2', 'synced 9']);
    expect(script.listed.map((list) => list.continue)).toEqual([undefined, 'more', undefined]);
  });

  it.each([
    ['closes every watch at once', {}],
    ['says gone for ever', { end: fail('gone') }],
    ['answers 500', { end: fail('server') }],
    ['resets connections', { end: fail('unreachable') }],
    ['throttles', { end: fail('throttled') }],
    ['sends nonsense', { end: fail('garbled') }],
    ['forbids it', { end: fail('forbidden') }],
    ['does not know the kind', { end: fail('not-found') }],
  ] as const)('asks rarely and never gives up when the server %s', async (_, behaviour) => {
    const watches = Array.from({ length: 10_000 }, () => behaviour);
    const lists = Array.from({ length: 10_000 }, () => ('end' in behaviour ? behaviour.end : {}));
    const script = new Script({ watches, lists });
    const { told } = await run(script, 600_000);
    const requests = script.watched.length + script.listed.length;
    // Pauses are 15 s on average once they have grown.
    expect(requests).toBeGreaterThan(15);
    expect(requests).toBeLessThan(100);
    expect(told.at(-1)).toMatch(/^(trouble|init)/);
  });

  it('does not count bookmarks that tell nothing new as signs of life', async () => {
    const watches = [{ events: snapshot }, ...Array.from({ length: 10_000 }, () => ({ events: [bookmark('10')] }))];
    const script = new Script({ watches });
    await run(script, 600_000);
    expect(script.watched.length).toBeLessThan(100);
  });

  it('waits as long as the server asks', async () => {
    const script = new Script({ watches: [{ end: fail('throttled', 45_000) }] });
    await run(script, 44_999);
    expect(script.watched).toHaveLength(1);
    const patient = new Script({ watches: [{ end: fail('throttled', 45_000) }] });
    await run(patient, 45_000);
    expect(patient.watched).toHaveLength(2);
  });

  it('forgets old trouble after two healthy minutes', async () => {
    const bad = Array.from({ length: 8 }, (): WatchScript => ({ end: fail('unreachable') }));
    const healthy: WatchScript = { events: snapshot, afterMs: 121_000, end: fail('unreachable') };
    const { events } = await run(new Script({ watches: [...bad, healthy] }), 600_000, {
      random: { next: () => 0.99, uuid: () => '' },
    });
    const waits = events.flatMap((event) => (event.type === 'trouble' ? [Math.round(event.retryInMs)] : []));
    expect(waits).toEqual([792, 1584, 3168, 6336, 12672, 25344, 29700, 29700, 792]);
  });

  it('gives up on a watch that is silent longer than the server should allow', async () => {
    const script = new Script({ watches: [{ events: snapshot, end: 'hang' }, { end: 'hang' }] });
    const { told, events } = await run(script, 616_000);
    expect(told.slice(4)).toEqual(['trouble unreachable']);
    expect(events[4]).toMatchObject({
      error: { message: expect.stringMatching(/^things: the watch was silent for \d+ s$/) },
    });
    expect(script.watched[1]).toMatchObject({ resourceVersion: '10' });
  });

  it('does not take a busy watch for a silent one', async () => {
    const script = new Script({});
    let version = 10;
    script.watch = async function* (options) {
      this.watched.push(options);
      yield* snapshot;
      for (;;) {
        await sleep(this.clock, 60_000, options.signal);
        yield bookmark(String(++version));
      }
    };
    const { told } = await run(script, 3_600_000);
    expect(told.filter((line) => line.startsWith('trouble'))).toEqual([]);
  });

  it('does not mistake a stream that ended early for a whole snapshot', async () => {
    const script = new Script({
      watches: [
        { events: [added('a', '1')], afterMs: 5000 },
        { events: snapshot, end: 'hang' },
      ],
    });
    expect((await run(script, 6000)).told).toEqual([
      'init',
      'init-apply a@1',
      'trouble unreachable',
      'init',
      'init-apply a@1',
      'init-apply b@2',
      'synced 10',
    ]);
  });

  it('transforms objects on the way in; by default it drops managed fields and the copy that kubectl keeps', async () => {
    const fat: AnyObject = {
      ...thing('a', '1'),
      metadata: {
        ...thing('a', '1').metadata,
        managedFields: [{ manager: 'x' }],
        annotations: { keep: 'me', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      },
    };
    const watches = (): WatchScript[] => [
      { events: [{ type: 'ADDED', object: fat }, bookmark('10', true)], end: 'hang' },
    ];
    const { events } = await run(new Script({ watches: watches() }), 0);
    expect(events[1]).toEqual({
      type: 'init-apply',
      object: { ...fat, metadata: { name: 'a', resourceVersion: '1', annotations: { keep: 'me' } } },
    });
    const whole = await run(new Script({ watches: watches() }), 0, { transform: (object) => object });
    expect(whole.events[1]).toEqual({ type: 'init-apply', object: fat });
  });

  it('takes an exception of a transform for trouble', async () => {
    const transform = (): never => {
      throw new Error('boom');
    };
    const { told } = await run(new Script({ watches: [{ events: snapshot }] }), 0, { transform });
    expect(told).toEqual(['init', 'trouble garbled']);
  });

  it('leaves nothing out when a transform fails on an event', async () => {
    let failures = 1;
    const transform = (object: AnyObject): AnyObject => {
      if (object.metadata.name === 'c' && failures-- > 0) throw new Error('boom');
      return object;
    };
    const watches = [{ events: [...snapshot, added('c', '11')] }, { events: [added('c', '11')], end: 'hang' as const }];
    const script = new Script({ watches });
    const { told } = await run(script, 5_000, { transform });
    expect(script.watched[1]?.resourceVersion).toBe('10');
    expect(told.slice(-2)).toEqual(['trouble garbled', 'apply c@11']);
  });

  it.each([null, {}, [null], 'x'])('goes on when an error names its causes as %j', async (causes) => {
    const status = { apiVersion: 'v1', kind: 'Status', code: 500, details: { causes } } as unknown as Status;
    const end = new KubeError('server', 'scripted', { status });
    const { told } = await run(new Script({ watches: [{ events: snapshot, end }] }), 0);
    expect(told.at(-1)).toBe('trouble server');
  });

  it('lists nothing when it is ended before it begins to', async () => {
    const script = new Script({ lists: [] });
    const signals: boolean[] = [];
    const list = script.list.bind(script);
    script.list = (options) => {
      signals.push(options.signal?.aborted ?? false);
      return list(options);
    };
    const controller = new AbortController();
    for await (const event of reflect(script, { streaming: false, signal: controller.signal, clock: script.clock })) {
      if (event.type === 'init') controller.abort();
    }
    expect(signals).toEqual([true]);
  });

  it('leaves no listeners on a signal that outlives many watches', async () => {
    const { signal } = new AbortController();
    const ends = [added('c', '11'), added('d', '12'), added('e', '13')].map((event) => ({ events: [event] }));
    const script = new Script({ watches: [{ events: snapshot }, ...ends, { end: 'hang' }] });
    const most: number[] = [];
    for await (const event of reflect(script, { signal, clock: script.clock })) {
      most.push(getEventListeners(signal, 'abort').length);
      if (event.type === 'apply' && event.object.metadata.name === 'e') break;
    }
    expect(Math.max(...most)).toBe(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('frees the watch when the reader leaves', async () => {
    const script = new Script({ watches: [{ events: snapshot, end: 'hang' }] });
    for await (const event of reflect(script, { clock: script.clock })) if (event.type === 'synced') break;
    expect(script.open).toBe(0);
    expect(script.clock.untilNext).toBeUndefined();
  });
});
