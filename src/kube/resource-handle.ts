import type { Call, Client } from './client.ts';
import { KubeError } from './error.ts';
import { execProtocols, execSession } from './exec.ts';
import { textWithoutManagedFields } from './managed-fields.ts';
import type { KubeObject, ObjectList, Status } from './object.ts';
import {
  applyQuery,
  type CallOptions,
  deleteBody,
  type ListOptions,
  listQuery,
  type Patch,
  scopeQuery,
  watchQuery,
  writeQuery,
} from './options.ts';
import { collectionPath, creationPath, type ObjectName, objectPath, type Query, withQuery } from './path.ts';
import { nameOf, type ProxyRequest, type Resource, type Scale } from './resource.ts';
import { apiVersionOf, qualifiedName, type ResourceType } from './resource-type.ts';
import { watchEvents } from './watch.ts';

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Record<Patch['type'], string>;

/** A server that knows the object but not the slim form of it may still answer, with the whole object. */
const metadataOf = (what: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string =>
  `application/json;as=${what};g=meta.k8s.io;v=v1,application/json`;

/** The verbs of `Resource`, spelled as HTTP. */
export function resourceHandle<T extends KubeObject>(client: Client, type: ResourceType): Resource<T> {
  const patchCall = <R>(path: string, patch: Patch, query: Query, options: CallOptions): Promise<R> =>
    client.json<R>({
      ...call('PATCH', path, options),
      query,
      body: patch.body,
      contentType: patchTypes[patch.type],
    });

  const applyCall = (object: KubeObject, options: Parameters<Resource['apply']>[1], ...sub: string[]): Promise<T> =>
    client.json<T>({
      ...call('PATCH', objectPath(type, named(object, type), ...sub), options),
      query: applyQuery(options),
      body: object,
      contentType: 'application/apply-patch+yaml',
    });

  const list = async (options: ListOptions = {}): Promise<ObjectList<T>> => {
    const path = collectionPath(type, options.namespace);
    const page = await client.json<ObjectList<T>>({
      ...call('GET', path, options),
      query: listQuery(options),
      ...(options.metadataOnly && { accept: metadataOf('PartialObjectMetadataList') }),
    });
    return complete(page, type, options.metadataOnly ?? false);
  };

  return {
    type,

    get: async (name, options = {}) =>
      client.json<T>({
        ...call('GET', objectPath(type, name), options),
        query: { resourceVersion: options.resourceVersion },
        ...(options.metadataOnly && { accept: metadataOf('PartialObjectMetadata') }),
      }),

    list,

    async *pages(options = {}) {
      let page: ObjectList<T> | undefined;
      do {
        const next = page?.metadata.continue;
        page = await list({ limit: 500, ...options, ...(next && { continue: next }) });
        yield page;
      } while (page.metadata.continue);
    },

    create: async (object, options = {}) =>
      client.json<T>({
        ...call('POST', creationPath(type, object.metadata.namespace), options),
        query: writeQuery(options),
        body: object,
      }),

    update: async (object, options = {}) =>
      client.json<T>({
        ...call('PUT', objectPath(type, named(object, type)), options),
        query: writeQuery(options),
        body: object,
      }),

    patch: async (name, patch, options = {}) =>
      patchCall<T>(objectPath(type, name), patch, writeQuery(options), options),

    apply: async (object, options) => applyCall(object, options),

    delete: async (name, options = {}) =>
      client.json<T | Status>({ ...call('DELETE', objectPath(type, name), options), body: deleteBody(options) }),

    deleteCollection: async (options = {}) => {
      const answer = await client.json<ObjectList<T> | Status>({
        ...call('DELETE', collectionPath(type, options.namespace), options),
        query: scopeQuery(options),
        body: deleteBody(options),
      });
      return 'items' in answer ? complete(answer, type, false) : answer;
    },

    watch(options = {}) {
      const open = async (): Promise<AsyncIterable<Uint8Array>> =>
        client.stream({
          ...call('GET', collectionPath(type, options.namespace), options),
          query: watchQuery(options),
          ...(options.metadataOnly && { accept: metadataOf('PartialObjectMetadata') }),
        });
      const textOf = options.withoutManagedFields ? textWithoutManagedFields : undefined;
      return watchEvents<T>(open, `watch of ${qualifiedName(type)}`, textOf);
    },

    status: {
      get: async (name, options = {}) => client.json<T>(call('GET', objectPath(type, name, 'status'), options)),
      update: async (object, options = {}) =>
        client.json<T>({
          ...call('PUT', objectPath(type, named(object, type), 'status'), options),
          query: writeQuery(options),
          body: object,
        }),
      patch: async (name, patch, options = {}) =>
        patchCall<T>(objectPath(type, name, 'status'), patch, writeQuery(options), options),
      apply: async (object, options) => applyCall(object, options, 'status'),
    },

    scale: {
      get: async (name, options = {}) => client.json<Scale>(call('GET', objectPath(type, name, 'scale'), options)),
      update: async (name, scale, options = {}) =>
        client.json<Scale>({
          ...call('PUT', objectPath(type, name, 'scale'), options),
          query: writeQuery(options),
          body: scale,
        }),
      patch: async (name, patch, options = {}) =>
        patchCall<Scale>(objectPath(type, name, 'scale'), patch, writeQuery(options), options),
    },

    subresource(name, subresource) {
      const path = objectPath(type, name, subresource);
      return {
        get: async <R>(options: CallOptions = {}) => client.json<R>(call('GET', path, options)),
        create: async <R>(body: unknown, options = {}) =>
          client.json<R>({ ...call('POST', path, options), query: writeQuery(options), body }),
        update: async <R>(body: unknown, options = {}) =>
          client.json<R>({ ...call('PUT', path, options), query: writeQuery(options), body }),
        patch: async <R>(patch: Patch, options = {}) => patchCall<R>(path, patch, writeQuery(options), options),
      };
    },

    async evict(name, options = {}) {
      await client.json({
        ...call('POST', objectPath(type, name, 'eviction'), options),
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: name, deleteOptions: deleteBody(options) },
      });
    },

    async *log(name, options = {}) {
      const { signal: _signal, timeoutMs: _timeoutMs, ...query } = options;
      yield* await client.stream({ ...call('GET', objectPath(type, name, 'log'), options), query, accept: '*/*' });
    },

    async exec(name, options) {
      const { command, container, stdin = false, tty = false, signal } = options;
      const query = { container, stdin, stdout: true, stderr: !tty, tty };
      const commands = command.map((part) => `command=${encodeURIComponent(part)}`).join('&');
      const path = `${withQuery(objectPath(type, name, 'exec'), query)}&${commands}`;
      const channel = await client.connect(call('GET', path, signal ? { signal } : {}), execProtocols);
      return execSession(channel, `exec in ${qualifiedName(type)} ${name.name}`, signal);
    },

    proxy: async (name, request = {}) => {
      const { method = 'GET', headers, body } = request;
      const path = proxyPath(type, name, request);
      return client.request(
        { method, path, ...(headers && { headers }), ...(body !== undefined && { body }) },
        request,
      );
    },
  };
}

function call(method: Call['method'], path: string, options: CallOptions): Call {
  return {
    method,
    path,
    ...(options.signal && { signal: options.signal }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  };
}

/** The name an object is written under. */
function named(object: KubeObject, type: ResourceType): ObjectName {
  if (!object.metadata.name) throw new KubeError('refused', `an object of ${qualifiedName(type)} to write has no name`);
  return nameOf(object);
}

/** Items of a list come without `apiVersion` and `kind`; here they get them. */
function complete<T extends KubeObject>(list: ObjectList<T>, type: ResourceType, metadataOnly: boolean): ObjectList<T> {
  if (!Array.isArray(list.items) || !list.metadata) {
    if (list.items === null && list.metadata) return { ...list, items: [] };
    throw new KubeError('garbled', `the list of ${qualifiedName(type)} that the server sent has no items`);
  }
  const first = list.items[0];
  if (!first || (first.apiVersion && first.kind)) return list;
  const own = { apiVersion: apiVersionOf(type), kind: type.kind };
  const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
  const envelope = metadataOnly && list.kind === 'PartialObjectMetadataList' ? partial : own;
  return { ...list, items: list.items.map((item) => ({ ...envelope, ...item })) };
}

/** `…/services/https:name:port/proxy/path` */
function proxyPath(type: ResourceType, name: ObjectName, { scheme, port, path = '/' }: ProxyRequest): string {
  const suffix = port === undefined ? '' : `:${port}`;
  const target = scheme ? `${scheme}:${name.name}${suffix || ':'}` : `${name.name}${suffix}`;
  return `${objectPath(type, { ...name, name: target }, 'proxy')}${path.startsWith('/') ? path : `/${path}`}`;
}
