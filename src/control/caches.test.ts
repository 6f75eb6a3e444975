import { describe, expect, it } from 'vitest';
import { SmallApi, status } from '../../test/toy/small-api.ts';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject } from '../kube/object.ts';
import { Caches } from './caches.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';

function world() {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const errors: string[] = [];
  const warnings: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (_fields, message) => void warnings.push(message),
    error: (_fields, message) => void errors.push(message),
    child: () => log,
  };
  const client = new Client(api.transport(), { clock });
  const metrics = createMetrics({ process: false });
  const caches = new Caches({ client, clock, random: seededRandom(1), log, metrics, freeze: true });
  const stop = new AbortController();
  return { clock, api, client, caches, metrics, errors, warnings, stop };
}

const configMap = (name: string, labels: Record<string, string> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'a', labels },
  data: { x: '1' },
});

describe('caches', () => {
  it('share one watch among all who ask for the same, each with its own indexes', async () => {
    const { clock, api, client, caches, stop } = world();
    const one = caches.open<AnyObject, 'by'>({ type: kinds.configMaps, indexes: { by: () => ['one'] } });
    const other = caches.open<AnyObject, 'by'>({ type: kinds.configMaps, indexes: { by: () => ['other'] } });
    caches.open({ type: kinds.configMaps, namespace: 'a' });
    caches.start(stop.signal);
    await client.resource(kinds.configMaps).create(configMap('c'));
    await clock.advance(100);
    expect(api.requests.filter((request) => request.includes('watch=true'))).toHaveLength(2);
    expect(one.by('by', 'one')).toHaveLength(1);
    expect(one.by('by', 'other')).toEqual([]);
    expect(other.by('by', 'other')).toHaveLength(1);
    expect(() => caches.open({ type: kinds.pods })).toThrow('before the caches start');
  });

  it('keep of objects what their readers want, and never take what is left for the whole', async () => {
    const { clock, api, client, caches, stop } = world();
    const keep = ({ data }: AnyObject): object => ({ data: { keys: Object.keys(data as object) } });
    const parts = caches.open({ type: kinds.configMaps, keep });
    caches.open({ type: kinds.configMaps, keep });
    caches.start(stop.signal);
    const written = await client.resource(kinds.configMaps).create(configMap('c'));
    caches.wrote(kinds.configMaps, written);
    const kept = { kind: 'ConfigMap', metadata: { name: 'c' }, data: { keys: ['x'] } };
    expect(parts.get('a/c')).toMatchObject(kept);
    await clock.advance(100);
    expect(parts.get('a/c')).toMatchObject(kept);
    expect(caches.peek(kinds.configMaps, { namespace: 'a', name: 'c' })).toBeUndefined();
    expect(api.requests.filter((request) => request.includes('watch=true'))).toHaveLength(1);
  });

  it('share nothing among those who keep different parts', async () => {
    const { clock, client, caches, stop } = world();
    const some = caches.open({ type: kinds.configMaps, keep: () => ({}) });
    const all = caches.open({ type: kinds.configMaps });
    caches.start(stop.signal);
    await client.resource(kinds.configMaps).create(configMap('c'));
    await clock.advance(100);
    expect([some.get('a/c')?.data, all.get('a/c')?.data]).toEqual([undefined, { x: '1' }]);
    expect(caches.peek(kinds.configMaps, { namespace: 'a', name: 'c' })?.data).toEqual({ x: '1' });
  });

  it('say that a kind is not installed, and find it when it is', async () => {
    const { clock, api, caches, warnings, stop } = world();
    caches.open({ type: kinds.deployments });
    api.fault = () => status(404, 'NotFound', 'page not found');
    caches.start(stop.signal);
    await clock.advance(10);
    const line = 'the server does not serve deployments.apps: install the CustomResourceDefinition of Deployment';
    expect(warnings).toContain(line);
    api.fault = undefined;
    await clock.advance(60_000);
    expect(caches.unsynced()).toEqual([]);
  });

  it('wait for no namespace of several that must not be read, but for a kind that can be read in none', async () => {
    const { clock, api, caches, warnings, stop } = world();
    const [here, gone] = ['a', 'gone'].map((namespace) =>
      caches.open({ type: kinds.configMaps, namespace }, { apart: true }),
    );
    api.fault = ({ path }) => (path.includes('/gone/') ? status(403, 'Forbidden', 'no') : undefined);
    caches.start(stop.signal);
    const { signal } = stop;
    await Promise.all([here?.synced(signal), gone?.synced(signal), caches.seen(signal), clock.advance(10)]);
    expect(caches.unsynced()).toEqual([]);
    expect([here?.isBlindIn('a'), gone?.isBlindIn('gone'), gone?.isBlindIn('a')]).toEqual([false, true, false]);
    expect(warnings.join()).toContain('nothing is done in the namespace gone until it may be read');
    // That it cannot be asked at all now says nothing of what is there.
    api.fault = ({ path }) => (path.includes('/gone/') ? status(503, 'ServiceUnavailable', 'no') : undefined);
    await clock.advance(60_000);
    expect(gone?.isBlindIn('gone')).toBe(true);
    api.fault = undefined;
    await clock.advance(60_000);
    expect(gone?.isBlindIn('gone')).toBe(false);

    const other = world();
    for (const namespace of ['a', 'b']) other.caches.open({ type: kinds.configMaps, namespace }, { apart: true });
    other.api.fault = () => status(403, 'Forbidden', 'no');
    other.caches.start(other.stop.signal);
    let isSeen = false;
    void other.caches.seen(other.stop.signal).then(() => {
      isSeen = true;
    });
    await other.clock.advance(60_000);
    expect(other.caches.unsynced()).toHaveLength(2);
    expect(isSeen).toBe(false);
  });

  it('wait for nothing that is only shown, unless somebody needs it too', async () => {
    const forbidden = async (open: (caches: Caches) => void) => {
      const { clock, api, caches, stop } = world();
      caches.open({ type: kinds.pods });
      open(caches);
      api.fault = ({ path }) => (path.includes('/configmaps') ? status(403, 'Forbidden', 'no') : undefined);
      caches.start(stop.signal);
      let isSeen = false;
      void caches.seen(stop.signal).then(() => {
        isSeen = true;
      });
      await clock.advance(60_000);
      return { isSeen, missing: caches.unsynced().length };
    };
    const scope = { type: kinds.configMaps };
    const shown = (caches: Caches): unknown => caches.open(scope, { toShow: true });
    expect(await forbidden(shown)).toEqual({ isSeen: true, missing: 0 });
    const needed = { isSeen: false, missing: 1 };
    expect(await forbidden((caches) => [shown(caches), caches.open(scope)])).toEqual(needed);
    expect(await forbidden((caches) => [caches.open(scope), shown(caches)])).toEqual(needed);
  });

  it('say what is missing and why, and count what went wrong', async () => {
    const { clock, api, caches, metrics, stop } = world();
    const pods = caches.open({ type: kinds.pods });
    api.fault = () => status(503, 'ServiceUnavailable', 'starting up');
    caches.start(stop.signal);
    await clock.advance(10);
    expect(caches.unsynced()[0]).toMatch(/^pods \(.*starting up\)$/);
    expect(pods.trouble?.kind).toBe('server');
    expect((await metrics.page()).text).toContain('cutover_watch_restarts_total{resource="pods",why="server"}');
    api.fault = undefined;
    await clock.advance(60_000);
    expect(caches.unsynced()).toEqual([]);
    expect(pods.trouble).toBeUndefined();
  });

  it.each([
    [403, 'Forbidden'],
    [404, 'NotFound'],
  ])(
    'do not wait for what we may not read or what is not installed (%d), if that is optional',
    async (code, reason) => {
      const { clock, api, caches, stop } = world();
      const optional = caches.open({ type: kinds.customResourceDefinitions, optional: true });
      api.fault = () => status(code, reason, 'no');
      caches.start(stop.signal);
      let ready = false;
      void optional.synced(stop.signal).then(() => {
        ready = true;
      });
      await clock.advance(100);
      expect(ready).toBe(true);
      expect(caches.unsynced()).toEqual([]);
    },
  );

  it('show what we wrote at once, where it belongs, and hide what we wrote out of a selection', async () => {
    const { clock, caches, stop } = world();
    const all = caches.open({ type: kinds.configMaps });
    const red = caches.open({ type: kinds.configMaps, labelSelector: 'colour=red' });
    const other = caches.open({ type: kinds.configMaps, namespace: 'b' });
    const named = caches.open({ type: kinds.configMaps, fieldSelector: { 'metadata.name': 'c' } });
    const partial = caches.open({ type: kinds.configMaps, metadataOnly: true });
    caches.start(stop.signal);
    await clock.advance(100);
    const written = (colour: string, resourceVersion: string): AnyObject => {
      const object = configMap('c', { colour });
      const managedFields = [{ manager: 'm', time: 't', fieldsV1: {} }];
      return { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion, managedFields } };
    };
    caches.wrote(kinds.configMaps, written('red', '1001'));
    expect([all, red, other, named, partial].map((cached) => cached.get('a/c') !== undefined)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(all.get('a/c')?.metadata.managedFields).toBeUndefined();
    expect(partial.get('a/c')).not.toHaveProperty('data');
    expect(caches.peek(kinds.configMaps, { namespace: 'a', name: 'c' })).toHaveProperty('data');
    caches.wrote(kinds.configMaps, written('blue', '1002'));
    expect(red.get('a/c')).toBeUndefined();
    caches.removed(kinds.configMaps, { namespace: 'a', name: 'c' }, 'another');
    expect(all.get('a/c')).toBeDefined();
    caches.removed(kinds.configMaps, { namespace: 'a', name: 'c' }, 'u');
    expect(all.get('a/c')).toBeUndefined();
  });

  it('keep what a selection by fields still holds after we wrote it', async () => {
    const { clock, caches, stop } = world();
    const running = caches.open({ type: kinds.pods, fieldSelector: 'status.phase=Running,spec.nodeName!=n2' });
    caches.start(stop.signal);
    await clock.advance(100);
    const pod = (nodeName: string, phase: string, resourceVersion: string): AnyObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'a', uid: 'u', resourceVersion },
      spec: { nodeName },
      status: { phase },
    });
    caches.wrote(kinds.pods, pod('n1', 'Running', '1001'));
    caches.wrote(kinds.pods, pod('n1', 'Running', '1002'));
    expect(running.get('a/p')?.metadata.resourceVersion).toBe('1002');
    caches.wrote(kinds.pods, pod('n2', 'Running', '1003'));
    expect(running.get('a/p')).toBeUndefined();
  });

  it('keep who wrote when, but not what, for kinds that others may manage', async () => {
    const { clock, client, caches, stop } = world();
    const cached = caches.open({ type: kinds.configMaps, managedFields: true });
    caches.start(stop.signal);
    const managedFields = [{ manager: 'm', operation: 'Update' as const, time: '2030-01-01T00:00:00Z', fieldsV1: {} }];
    await client
      .resource(kinds.configMaps)
      .create({ ...configMap('c'), metadata: { name: 'c', namespace: 'a', managedFields } });
    await clock.advance(100);
    expect(cached.get('a/c')?.metadata.managedFields).toEqual([
      { manager: 'm', operation: 'Update', time: '2030-01-01T00:00:00Z' },
    ]);
  });

  it('live on when a reader of theirs throws', async () => {
    const { clock, client, caches, errors, stop } = world();
    const cached = caches.open({ type: kinds.configMaps });
    caches.start(stop.signal);
    await clock.advance(100);
    cached.changes(() => {
      throw new Error('a careless reader');
    });
    await client.resource(kinds.configMaps).create(configMap('c'));
    await clock.advance(100);
    await client.resource(kinds.configMaps).create(configMap('d'));
    await clock.advance(100);
    expect(errors).toHaveLength(2);
    expect([...cached.all()]).toHaveLength(2);
  });

  it('tell how long they may have been out of date, and that a kind which may be missing is not', async () => {
    const { clock, api, caches, metrics, stop } = world();
    caches.open({ type: kinds.configMaps });
    caches.open({ type: kinds.leases, optional: true });
    const missing = ({ path }: { readonly path: string }) =>
      path.includes('leases') ? status(404, 'NotFound', 'no such kind') : undefined;
    api.fault = (request) => missing(request) ?? status(503, 'ServiceUnavailable', 'starting up');
    const stale = async (resource: string): Promise<number> => {
      const { text } = await metrics.page();
      const [, value] =
        new RegExp(`^cutover_cache_stale_seconds\\{resource="${resource}"\\} (\\S+)$`, 'm').exec(text) ?? [];
      return Number(value);
    };
    caches.start(stop.signal);
    await clock.advance(60_000);
    expect(await stale('configmaps')).toBeGreaterThanOrEqual(59);
    api.fault = missing;
    await clock.advance(60_000);
    expect([await stale('configmaps'), await stale('leases.coordination.k8s.io')]).toEqual([0, 0]);
  });
});
