import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { User } from '../gate.ts';
import { pods } from '../kinds/resource-types.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { copy } from '../schema/json.ts';
import { internalError, StatusError } from '../status-error.ts';
import type { Change, RemoveOptions, World } from '../world.ts';
import { bind } from './binding.ts';
import { create } from './create.ts';
import { decode } from './decode.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { Call, Ground } from './ground.ts';
import { patch } from './patch.ts';
import { remove } from './remove.ts';
import type { Resources } from './resources.ts';
import { update } from './update.ts';
import { bucketOf, keyOf, objectAs } from './versions.ts';
import { ownOptions } from './write-options.ts';

/** Whose eyes and hands a world is. */
export interface Actor {
  readonly user: User;
  /** Owner of the fields it writes. */
  readonly manager: string;
  /** Whether the cluster has ended. From then on writes never come back: whoever waits for one stops there. */
  ended(): boolean;
  /** Hears of writes that failed by the server's own fault: a bug, a full disk. */
  trouble(what: string, error: unknown): void;
}

/** The cluster as the server's own parts see it. */
export function worldOf(ground: Ground, resources: Resources, { user, manager, ended, trouble }: Actor): World {
  const { store } = ground;

  /** Runs a write unless, or until, the cluster ends: then nobody is left who could make sense of its outcome. */
  async function whileAlive<T>(write: () => Promise<T>): Promise<T> {
    const never = new Promise<T>(() => {});
    if (ended()) return never;
    try {
      return await write();
    } catch (error) {
      if (ended()) return never;
      if (error instanceof StatusError) throw error;
      trouble(`a write of ${manager}`, error);
      throw internalError(error);
    }
  }

  const served = (type: ResourceType): ServedResource => {
    const found = resources.find(type.group, type.version, type.plural);
    if (!found) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
    return found;
  };
  const callOf = (type: ResourceType, namespace: string | undefined, name: string, subresource = ''): Call => ({
    user,
    resource: served(type),
    subresource,
    namespace: (type.namespaced && namespace) || '',
    name,
    warn: () => {},
  });

  async function put<T extends KubeObject>(type: ResourceType, object: T, subresource: string): Promise<T> {
    const { name = '', namespace } = object.metadata;
    const call = callOf(type, namespace, name, subresource);
    const propose = (): Draft => decode(call, { draft: copy(object) as unknown as Draft, duplicates: [] }, 'Ignore');
    const entry = await update(ground, call, { propose }, ownOptions('UpdateOptions', manager));
    return objectAs(type, store, entry) as unknown as T;
  }

  return {
    clock: ground.clock,
    random: ground.random,

    get<T extends KubeObject>(type: ResourceType, namespace: string | undefined, name: string): T | undefined {
      const entry = store.get(keyOf(type, namespace ?? '', name));
      return entry && (objectAs(type, store, entry) as unknown as T);
    },

    list<T extends KubeObject>(type: ResourceType, where: { namespace?: string; owner?: string } = {}): readonly T[] {
      const bucket = bucketOf(type);
      const { namespace, owner } = where;
      const entries =
        owner === undefined
          ? store.list(bucket, namespace)
          : store
              .owned(owner)
              .filter((one) => one.bucket === bucket && (namespace === undefined || one.namespace === namespace));
      return entries.map((entry) => objectAs(type, store, entry) as unknown as T);
    },

    create: <T extends KubeObject>(type: ResourceType, object: T): Promise<T> =>
      whileAlive(async () => {
        const call = callOf(type, object.metadata.namespace, object.metadata.name ?? '');
        const draft = decode(call, { draft: copy(object) as unknown as Draft, duplicates: [] }, 'Ignore');
        return objectAs(
          type,
          store,
          await create(ground, call, draft, ownOptions('CreateOptions', manager)),
        ) as unknown as T;
      }),

    update: (type, object) => whileAlive(() => put(type, object, '')),
    updateStatus: (type, object) => whileAlive(() => put(type, object, 'status')),

    patch: (type, namespace, name, body) =>
      whileAlive(async () => {
        const call = callOf(type, namespace, name);
        const what = { kind: 'merge', patch: body, duplicates: [] } as const;
        const { entry } = await patch(ground, call, what, ownOptions('PatchOptions', manager));
        return objectAs(type, store, entry);
      }),

    bind: (pod, node) =>
      whileAlive(async () => {
        const { name = '', namespace, uid } = pod.metadata;
        const binding = {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, uid },
          target: { kind: 'Node', name: node },
        };
        await bind(ground, callOf(pods, namespace, name, 'binding'), binding, ownOptions('CreateOptions', manager));
      }),

    remove: (type, object, options = {}) =>
      whileAlive(async () => {
        const { name = '', namespace, uid } = object.metadata;
        const call = callOf(type, namespace, name);
        const stored = store.get(keyOf(type, namespace ?? '', name));
        if (!stored || (uid && stored.uid !== uid)) return;
        try {
          await remove(ground, call, ownDelete(options, uid));
        } catch (error) {
          const status = error instanceof StatusError ? error.status : undefined;
          const other = store.get(keyOf(type, namespace ?? '', name))?.uid !== uid;
          if (status?.reason === 'NotFound' || (status?.reason === 'Conflict' && other)) return;
          throw error;
        }
      }),

    watch<T extends KubeObject>(type: ResourceType, handler: (change: Change<T>) => void) {
      return store.listen(bucketOf(type), ({ before, now, deleted }) => {
        handler({
          get before() {
            return before && (objectAs(type, store, before) as unknown as T);
          },
          get after() {
            return deleted ? undefined : (objectAs(type, store, now) as unknown as T);
          },
        });
      });
    },

    types: () => resources.all(),
  };
}

function ownDelete({ propagation, graceSeconds }: RemoveOptions, uid: string | undefined): DeleteOptions {
  return {
    dryRun: false,
    graceSeconds,
    propagation,
    orphanDependents: undefined,
    uid,
    resourceVersion: undefined,
    object: {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...(propagation && { propagationPolicy: propagation }),
      ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
    } as unknown as AnyObject,
  };
}
