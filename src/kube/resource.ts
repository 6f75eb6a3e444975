import type { ExecOptions, ExecSession } from './exec.ts';
import type { AnyObject, KubeObject, ObjectList, ObjectMeta, Status } from './object.ts';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Patch,
  Scope,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { ObjectName } from './path.ts';
import type { ResourceType } from './resource-type.ts';
import type { Request, Response } from './transport.ts';
import type { WatchEvent } from './watch.ts';

/** What `pods/log` may be asked for. */
export interface LogOptions extends CallOptions {
  /** May be left out when the pod has one container. */
  readonly container?: string;
  /** Go on until the container ends, or the reader leaves. */
  readonly follow?: boolean;
  /** Of the container before the last restart. */
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339; whole seconds count. Unlike `sinceSeconds` it does not depend on whose clock is right. */
  readonly sinceTime?: string;
}

/** A request to what runs behind a pod or a service, through the API server. */
export interface ProxyRequest extends CallOptions {
  readonly method?: Request['method'];
  /** Number or name. Absent: the first. */
  readonly port?: number | string;
  readonly scheme?: 'http' | 'https';
  /** With query. Default: `/`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** How many replicas, of any kind that has them. */
export interface Scale extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** A further document of one object: `serviceaccounts/token`, `pods/binding` … */
export interface Subresource {
  get<R = AnyObject>(options?: CallOptions): Promise<R>;
  create<R = AnyObject>(body: unknown, options?: WriteOptions): Promise<R>;
  update<R = AnyObject>(body: unknown, options?: WriteOptions): Promise<R>;
  patch<R = AnyObject>(patch: Patch, options?: WriteOptions): Promise<R>;
}

/**
 * The objects of one type, with the verbs the API server has for them.
 *
 * Every call rejects with a `KubeError` and nothing else. Nothing is retried. Objects are taken and given as they are:
 * the type `T` is the caller's knowledge of the kind, not checked here.
 */
export interface Resource<T extends KubeObject = AnyObject> {
  readonly type: ResourceType;

  get(name: ObjectName, options?: GetOptions): Promise<T>;
  /** One list, or one page of it when `limit` is given. */
  list(options?: ListOptions): Promise<ObjectList<T>>;
  /** The whole list in pages of `limit` (default 500). Errors: `gone` when the reader was too slow. */
  pages(options?: ListOptions): AsyncIterable<ObjectList<T>>;
  create(object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the object. With a `resourceVersion` in it: only if that is still the stored one, else `conflict`. */
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(name: ObjectName, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. The object holds the fields the manager wants, and no others. */
  apply(object: KubeObject, options: ApplyOptions): Promise<T>;
  /** Answers the object when it is only marked for deletion (finalizers, grace), a `Status` when it is gone. */
  delete(name: ObjectName, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(options?: Scope & DeleteOptions): Promise<ObjectList<T> | Status>;
  /** Changes as they happen, until the server ends the watch (`timeoutSeconds`) or the reader leaves the loop. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;

  readonly status: {
    get(name: ObjectName, options?: CallOptions): Promise<T>;
    update(object: T, options?: WriteOptions): Promise<T>;
    patch(name: ObjectName, patch: Patch, options?: WriteOptions): Promise<T>;
    apply(object: KubeObject, options: ApplyOptions): Promise<T>;
  };
  readonly scale: {
    get(name: ObjectName, options?: CallOptions): Promise<Scale>;
    update(name: ObjectName, scale: Scale, options?: WriteOptions): Promise<Scale>;
    patch(name: ObjectName, patch: Patch, options?: WriteOptions): Promise<Scale>;
  };
  /** Any other subresource by its name. */
  subresource(name: ObjectName, subresource: string): Subresource;

  /** Deletes a pod unless a disruption budget forbids it now: then `throttled`. */
  evict(name: ObjectName, options?: DeleteOptions): Promise<void>;
  /** What a container printed, as it arrives; chunks are not lines. */
  log(name: ObjectName, options?: LogOptions): AsyncIterable<Uint8Array>;
  /** Runs a command in a container. */
  exec(name: ObjectName, options: ExecOptions): Promise<ExecSession>;
  /** Whatever the pod or service behind the API server answers, error statuses included. */
  proxy(name: ObjectName, request?: ProxyRequest): Promise<Response>;
}

/** Which object an object is. */
export function nameOf(object: { readonly metadata: ObjectMeta }): ObjectName {
  const { namespace, name = '' } = object.metadata;
  return namespace ? { namespace, name } : { name };
}
