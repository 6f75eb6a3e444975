import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import { inProcess } from '../kube/in-process-transport.ts';
import { kinds } from '../kube/kinds.ts';
import type { Transport } from '../kube/transport.ts';
import { discovery } from './discovery/discovery.ts';
import type { Admission, Authenticator, Authorizer, User } from './gate.ts';
import { responseOf } from './http/answer.ts';
import { handle } from './http/handle.ts';
import type { Serving } from './http/serving.ts';
import { builtInServed } from './registry/built-in-resources.ts';
import { serveCustomResources } from './registry/custom-resources.ts';
import type { Ground } from './registry/ground.ts';
import { Resources } from './registry/resources.ts';
import { bucketOf, objectAs } from './registry/versions.ts';
import { worldOf } from './registry/world-of.ts';
import type { StrategyContext } from './resource.ts';
import { openJournal } from './store/sqlite-journal.ts';
import { Store } from './store/store.ts';
import type { World } from './world.ts';

export interface EmbeddedOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Directory that keeps the cluster's objects. Without one they are gone with the process. */
  readonly data?: string;
  /** Called with failures that are the server's own fault. */
  readonly trouble?: (what: string, error: unknown) => void;
}

/** A Kubernetes in this process. */
export interface Embedded {
  /** The cluster as the built-in controllers see it. */
  readonly world: World;
  /** Speaks to the server by function calls, as the administrator or as `user`. */
  transport(user?: User): Transport;
  close(): Promise<void>;
}

const admin: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** Starts a cluster. */
export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { clock, random, data, trouble = () => {} } = options;
  const journal = data === undefined ? undefined : await openJournal(data);
  const store = new Store({ clock, ...(journal && { journal }) });
  const resources = new Resources();
  resources.replace([], builtInServed());

  const allowed: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };
  const authenticator: Authenticator = { authenticate: async () => admin };
  const admission: Admission = {
    mutate: async ({ object }) => ({ object, warnings: [] }),
    validate: async () => ({ warnings: [] }),
  };
  const ground: Ground = {
    store,
    clock,
    random,
    admission,
    authorizer: allowed,
    context: contextOf(store, resources, clock, random),
  };
  const controllers: User = {
    name: 'system:kube-controller-manager',
    groups: ['system:masters', 'system:authenticated'],
  };
  const world = worldOf(ground, resources, controllers, 'kube-controller-manager');
  const about = discovery({ resources: () => resources.all(), address: '127.0.0.1:6443' });
  const serving: Serving = {
    ground,
    resources,
    authenticator,
    runtime: undefined as never,
    virtual: () => undefined,
    about: (path, accept) => about.handle(path, accept),
    trouble,
  };
  const stopCustom = serveCustomResources(world, resources, trouble);
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    if (!world.get(kinds.namespaces, undefined, name)) {
      await world.create(kinds.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }
  store.compact();

  return {
    world,
    transport: (user) =>
      inProcess(async (request) =>
        responseOf(
          await handle(user ? { ...serving, authenticator: { authenticate: async () => user } } : serving, {
            ...request,
            credentials: {},
          }),
        ),
      ),
    async close() {
      stopCustom();
      store.close();
    },
  };
}

function contextOf(store: Store, resources: Resources, clock: Clock, random: Random): StrategyContext {
  return {
    clock,
    random,
    read(group, plural, namespace, name) {
      const resource = resources.any(group, plural);
      const entry = resource && store.get({ bucket: bucketOf(resource), namespace: namespace ?? '', name });
      return entry && objectAs(resource, store, entry);
    },
    all(group, plural, namespace) {
      const resource = resources.any(group, plural);
      if (!resource) return [];
      return store.list(bucketOf(resource), namespace).map((entry) => objectAs(resource, store, entry));
    },
  };
}
