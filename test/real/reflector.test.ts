import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import { Client } from '../../src/kube/client.ts';
import { isKubeError } from '../../src/kube/error.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { fixedIdentity } from '../../src/kube/identity.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { listWatch } from '../../src/kube/reflector/list-watch.ts';
import { type ReflectOptions, type ReflectorEvent, reflect } from '../../src/kube/reflector/reflect.ts';
import { Store } from '../../src/kube/reflector/store.ts';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

let plane: ControlPlane;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: false });
  const { certPem: cert, keyPem: key } = plane.pki.credentials('admin');
  const identity = fixedIdentity({ certificate: { cert, key } });
  client = new Client(httpTransport({ server: plane.url, tls: { ca: plane.pki.caPem }, identity }));
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

describe('the reflector on a real API server', () => {
  it.each([
    ['as a stream', {}],
    ['in pages', { streaming: false, pageSize: 100 }],
  ])('reads a snapshot %s', async (_how, options) => {
    const namespace = await newNamespace();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(Array.from({ length: 30 }, (_, n) => create(namespace, `cm-${batch}-${n}`)));
    }
    await using followed = follow(namespace, options);
    await followed.store.whenSynced();
    expect(contents(followed.store)).toEqual(await onServer(namespace));
    expect(followed.store.size).toBeGreaterThanOrEqual(330);
  });

  it('tells every single change while the connection holds', async () => {
    const namespace = await newNamespace();
    await using followed = follow(namespace);
    await followed.store.whenSynced();
    const written = await writeSome(namespace, 'quiet', 60);
    await followed.until('all was told', () => followed.told.has(written.at(-1) ?? ''));
    expect(written.filter((version) => !followed.told.has(version))).toEqual([]);
    expect(followed.troubles).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses nothing when the API server gets %s and comes back',
    async (signal) => {
      const namespace = await newNamespace();
      await Promise.all(['stays', 'goes', 'changes'].map((name) => create(namespace, name)));
      await using followed = follow(namespace);
      await followed.store.whenSynced();

      const before = await writeSome(namespace, 'before', 30);
      await followed.until('all was told', () => followed.told.has(before.at(-1) ?? ''));

      // Somebody writes on without a pause, through the restart; what the server acknowledged counts.
      let writing = true;
      const during = (async () => {
        for (let n = 0; writing; n++) await tolerant(() => create(namespace, `during-${n}`));
      })();
      await plane.restartApiServer(signal);
      await tolerant(() => remove(namespace, 'goes'));
      await tolerant(() => update(namespace, 'changes', 'after the restart'));
      writing = false;
      await during;

      const server = await onServer(namespace);
      expect(server.has('goes')).toBe(false);
      await followed.until('the store is what the server holds', () => equal(contents(followed.store), server));
      expect(followed.troubles.length).toBeGreaterThan(0);
      expect(followed.gone).toContain('goes');
      expect(followed.store.get(`${namespace}/changes`)?.data).toEqual({ value: 'after the restart' });

      // And from there on every single change again.
      const after = await writeSome(namespace, 'after', 30);
      await followed.until('all was told', () => followed.told.has(after.at(-1) ?? ''));
      expect(after.filter((version) => !followed.told.has(version))).toEqual([]);
      expect(followed.backwards).toEqual([]);
    },
  );

  it('ends at once, and leaves no request behind, when it is told to', async () => {
    const followed = follow(await newNamespace());
    await followed.store.whenSynced();
    await followed[Symbol.asyncDispose]();
    expect(followed.troubles).toEqual([]);
  });
});

const configMaps = () => client.resource<ConfigMap>(kinds.configMaps);
let namespaces = 0;

async function newNamespace(): Promise<string> {
  const name = `reflector-${namespaces++}`;
  await client.resource(kinds.namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

function create(namespace: string, name: string): Promise<ConfigMap> {
  const metadata = { namespace, name };
  return configMaps().create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: 'new' } });
}

function update(namespace: string, name: string, value: string): Promise<ConfigMap> {
  const metadata = { namespace, name };
  return configMaps().update({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } });
}

function remove(namespace: string, name: string): Promise<unknown> {
  return configMaps().delete({ namespace, name });
}

/** Creates, changes and deletes; returns the versions that creates and changes were given, in order. */
async function writeSome(namespace: string, prefix: string, count: number): Promise<readonly string[]> {
  const versions: string[] = [];
  for (let n = 0; n < count; n++) {
    const name = `${prefix}-${n}`;
    versions.push((await create(namespace, name)).metadata.resourceVersion ?? '');
    versions.push((await update(namespace, name, `${n}`)).metadata.resourceVersion ?? '');
    if (n % 3 === 0 && n + 1 < count) await remove(namespace, name);
  }
  return versions;
}

/** A write that may meet a server that is down. Whether it took effect, the server will say. */
async function tolerant(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isKubeError(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Name → resourceVersion of what the server holds. */
async function onServer(namespace: string): Promise<ReadonlyMap<string, string>> {
  const objects: ConfigMap[] = [];
  for await (const page of configMaps().pages({ namespace })) objects.push(...page.items);
  return versionsOf(objects);
}

function contents(store: Store<ConfigMap>): ReadonlyMap<string, string> {
  return versionsOf([...store.all()]);
}

function versionsOf(objects: readonly ConfigMap[]): ReadonlyMap<string, string> {
  const entries = objects.map(({ metadata }) => [metadata.name ?? '', metadata.resourceVersion ?? ''] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function equal(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, version]) => b.get(name) === version);
}

/** A reflector that fills a store, and what was noticed on the way. Disposing of it waits until it has ended. */
function follow(namespace: string, options: ReflectOptions<ConfigMap> = {}) {
  const store = new Store<ConfigMap>({ freeze: true });
  const stop = new AbortController();
  const told = new Set<string>();
  const gone: string[] = [];
  const troubles: string[] = [];
  const backwards: string[] = [];
  let wake = (): void => {};
  store.changes(({ before, after, key }) => {
    if (before && !after) gone.push(before.metadata.name ?? '');
    const [older, newer] = [before, after].map((object) => BigInt(object?.metadata.resourceVersion ?? 0));
    if (before && after && (newer ?? 0n) < (older ?? 0n)) backwards.push(key);
  });
  const notice = (event: ReflectorEvent<ConfigMap>): void => {
    if (event.type === 'apply' || event.type === 'init-apply') told.add(event.object.metadata.resourceVersion ?? '');
    if (event.type === 'trouble') troubles.push(event.error.message);
  };
  const ended = (async () => {
    for await (const event of reflect(listWatch(configMaps(), { namespace }), { ...options, signal: stop.signal })) {
      store.apply(event);
      notice(event);
      wake();
    }
  })();
  return {
    store,
    told,
    gone,
    troubles,
    backwards,
    /** Waits for a condition; looks again at every event. */
    async until(what: string, condition: () => boolean): Promise<void> {
      const limit = setTimeout(() => wake(), 90_000);
      const deadline = performance.now() + 90_000;
      while (!condition()) {
        if (performance.now() >= deadline) {
          throw new Error(
            `in vain: ${what}; the store holds ${store.size}; troubles: ${troubles.join(' | ') || 'none'}`,
          );
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearTimeout(limit);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}
