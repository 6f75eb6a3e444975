import { isDeepStrictEqual } from 'node:util';
import { applyPatch } from 'rfc6902';
import type { Clock } from '../../src/clock/clock.ts';
import { inProcess } from '../../src/kube/in-process-transport.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Request, Response, Transport } from '../../src/kube/transport.ts';
import { merged, without } from './small-merge.ts';

/** Parts of a resource path. */
interface Target {
  readonly collection: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

interface Recorded {
  readonly rv: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly plural: string;
  readonly object: AnyObject;
}

/** What happens to a request before the API sees it. Nothing: it is answered as usual. */
export type Fault = (request: Request) => Response | undefined | Promise<Response | undefined>;

/**
 * The few rules of a Kubernetes API that a control loop leans on, in memory, for one process: versions, generations,
 * the status subresource, preconditions, finalizers, owners, apply, patch, eviction and watches. It knows no schemas and
 * no kinds. What it leaves out is left to the embedded server; what it adds is that a test can break any request.
 */
export class SmallApi {
  readonly objects = new Map<string, AnyObject>();
  /** Every request that arrived, in order: `PUT /apis/…/status`. */
  readonly requests: string[] = [];
  /** Asked first about every request. */
  fault: Fault | undefined;
  /** Pods that may not be evicted now. */
  readonly budgeted = new Set<string>();
  readonly #clock: Clock;
  readonly #history: Recorded[] = [];
  readonly #applied = new Map<string, unknown>();
  readonly #waiting = new Set<() => void>();
  #version = 0;
  #uid = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A connection of its own: closing it ends only what runs over it. */
  transport(): Transport {
    return inProcess(async (request) => {
      this.requests.push(`${request.method} ${request.path}`);
      return (await this.fault?.(request)) ?? this.#answer(request);
    });
  }

  /** Requests that change something. */
  writes(): readonly string[] {
    return this.requests.filter((request) => !request.startsWith('GET'));
  }

  /** Objects of a resource, by name. */
  list(plural: string): readonly AnyObject[] {
    return [...this.objects]
      .filter(([path]) => pluralOf(path) === plural)
      .map(([, object]) => object)
      .sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
  }

  #answer(request: Request & { readonly signal: AbortSignal }): Response {
    const target = parse(request.path);
    if (request.method === 'GET') return this.#read(target, request.signal);
    const body = request.body ? JSON.parse(request.body.toString()) : {};
    const path = target.name ? `${target.collection}/${target.name}` : `${target.collection}/${body.metadata?.name}`;
    const live = this.objects.get(path);
    if (target.subresource === 'eviction') {
      if (this.budgeted.has(target.name ?? ''))
        return status(429, 'TooManyRequests', 'the disruption budget is used up');
      return this.#delete(path, live, body.deleteOptions ?? {});
    }
    switch (request.method) {
      case 'POST':
        return live ? status(409, 'AlreadyExists', `${path} already exists`) : this.#create(path, target, body);
      case 'PUT':
        return this.#update(path, live, target, body);
      case 'PATCH':
        return this.#patch(path, live, target, body, request.headers?.['content-type'] ?? '');
      case 'DELETE':
        return this.#delete(path, live, body);
    }
  }

  #read(target: Target, signal: AbortSignal): Response {
    if (target.query.get('watch') === 'true') return json200(this.#watch(target, signal));
    if (target.name) {
      const object = this.objects.get(`${target.collection}/${target.name}`);
      return object ? ok(object) : notFound(target.plural, target.name);
    }
    const items = this.#selected(target);
    return ok({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: String(this.#version) }, items });
  }

  #selected(target: Target): AnyObject[] {
    return this.list(target.plural).filter((object) => covers(target, object));
  }

  async *#watch(target: Target, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let seen = Number(target.query.get('resourceVersion') || this.#version);
    if (target.query.get('sendInitialEvents') === 'true') {
      seen = this.#version;
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      const metadata = { resourceVersion: String(seen), annotations };
      for (const object of this.#selected(target)) yield line({ type: 'ADDED', object });
      yield line({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Bookmark', metadata } });
    }
    while (!signal.aborted) {
      for (const change of this.#history.filter(({ rv }) => rv > seen)) {
        seen = change.rv;
        if (change.plural === target.plural && covers(target, change.object)) {
          yield line({ type: change.type, object: change.object });
        }
      }
      if (this.#version > seen) continue;
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #create(path: string, target: Target, body: AnyObject): Response {
    const namespace = target.namespace && { namespace: target.namespace };
    const creationTimestamp = new Date(this.#clock.now()).toISOString();
    const uid = `uid-${++this.#uid}`;
    const metadata = { ...body.metadata, ...namespace, uid, creationTimestamp, generation: 1 };
    return ok(this.#store(path, 'ADDED', { ...body, metadata }), 201);
  }

  #update(path: string, live: AnyObject | undefined, target: Target, body: AnyObject): Response {
    if (!live) return notFound(path, path.slice(path.lastIndexOf('/') + 1));
    const { uid, resourceVersion } = body.metadata;
    if ((uid && uid !== live.metadata.uid) || (resourceVersion && resourceVersion !== live.metadata.resourceVersion)) {
      return status(409, 'Conflict', 'the object has been modified; please apply your changes to the latest version');
    }
    if (target.subresource === 'status') return ok(this.#replace(path, live, { ...live, status: body.status }));
    const { status: was } = live;
    return ok(this.#replace(path, live, { ...body, ...(was !== undefined && { status: was }) }));
  }

  #patch(path: string, live: AnyObject | undefined, target: Target, body: unknown, type: string): Response {
    if (type.startsWith('application/apply-patch')) return this.#apply(path, live, target, body as AnyObject);
    if (!live) return notFound(path, path.slice(path.lastIndexOf('/') + 1));
    const copy = structuredClone(live);
    if (!type.startsWith('application/json-patch'))
      return ok(this.#replace(path, live, merged(copy, body) as AnyObject));
    const errors = applyPatch(copy, body as Parameters<typeof applyPatch>[1]);
    if (errors.some((error) => error !== null)) {
      return status(422, 'Invalid', 'the server rejected our request due to an error in our request');
    }
    return ok(this.#replace(path, live, copy));
  }

  /** One manager per object: what it applied before and applies no more is removed. */
  #apply(path: string, live: AnyObject | undefined, target: Target, body: AnyObject): Response {
    const before = this.#applied.get(path);
    const wanted = body.metadata.resourceVersion;
    // A server creates what is not there whatever version is named.
    if (live && wanted && wanted !== live.metadata.resourceVersion)
      return status(409, 'Conflict', 'the object has been modified');
    const { resourceVersion: _version, ...metadata } = body.metadata;
    const config = { ...body, metadata };
    this.#applied.set(path, config);
    if (!live) return this.#create(path, target, config);
    return ok(this.#replace(path, live, merged(without(live, before, config), config) as AnyObject));
  }

  #delete(path: string, live: AnyObject | undefined, options: Record<string, Record<string, string>>): Response {
    if (!live) return notFound(path, path.slice(path.lastIndexOf('/') + 1));
    const { uid, resourceVersion } = options.preconditions ?? {};
    if ((uid && uid !== live.metadata.uid) || (resourceVersion && resourceVersion !== live.metadata.resourceVersion)) {
      return status(409, 'Conflict', `the UID or version in the precondition is not the object's`);
    }
    if (live.metadata.finalizers?.length) {
      const deletionTimestamp = live.metadata.deletionTimestamp ?? new Date(this.#clock.now()).toISOString();
      return ok(this.#replace(path, live, { ...live, metadata: { ...live.metadata, deletionTimestamp } }));
    }
    this.#remove(path, live);
    return ok({ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success', code: 200 });
  }

  #replace(path: string, live: AnyObject, next: AnyObject): AnyObject {
    const { uid, resourceVersion, generation = 1 } = live.metadata;
    const same = { ...next, metadata: { ...next.metadata, uid, resourceVersion, generation } };
    if (isDeepStrictEqual(same, live)) return live;
    const bumped = isDeepStrictEqual(next.spec, live.spec) ? generation : generation + 1;
    const stored = { ...same, metadata: { ...same.metadata, generation: bumped } } as AnyObject;
    if (stored.metadata.deletionTimestamp && !stored.metadata.finalizers?.length) return this.#remove(path, stored);
    return this.#store(path, 'MODIFIED', stored);
  }

  #remove(path: string, object: AnyObject): AnyObject {
    this.#applied.delete(path);
    const gone = this.#store(path, 'DELETED', object);
    for (const [other, owned] of [...this.objects]) {
      const owners = owned.metadata.ownerReferences ?? [];
      if (owners.some((owner) => owner.uid === object.metadata.uid)) this.#delete(other, owned, {});
    }
    return gone;
  }

  #store(path: string, type: Recorded['type'], object: AnyObject): AnyObject {
    const rv = ++this.#version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(rv) } } as AnyObject;
    if (type === 'DELETED') this.objects.delete(path);
    else this.objects.set(path, stored);
    this.#history.push({ rv, type, plural: pluralOf(path), object: stored });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    return stored;
  }
}

/** `/apis/G/V/namespaces/NS/PLURAL/NAME/SUB?QUERY` */
function parse(text: string): Target {
  const [path = '', query = ''] = text.split('?', 2);
  const parts = path.split('/').slice(1);
  const root = parts[0] === 'api' ? 2 : 3;
  const scoped = parts[root] === 'namespaces' && parts.length > root + 2;
  const at = scoped ? root + 2 : root;
  const [plural = '', name, subresource] = parts.slice(at).map(decodeURIComponent);
  return {
    collection: `/${parts.slice(0, at + 1).join('/')}`,
    plural,
    namespace: scoped ? parts[root + 1] : undefined,
    name,
    subresource,
    query: new URLSearchParams(query),
  };
}

function pluralOf(path: string): string {
  return parse(path).plural;
}

function covers(target: Target, object: AnyObject): boolean {
  const name = /^metadata\.name=(.+)$/.exec(target.query.get('fieldSelector') ?? '')?.[1];
  if (name !== undefined && object.metadata.name !== name) return false;
  return target.namespace === undefined || object.metadata.namespace === target.namespace;
}

function line(event: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(event)}\n`);
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function json200(body: AsyncIterable<Uint8Array>): Response {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function ok(object: object, code = 200): Response {
  return { ...json200(once(JSON.stringify(object))), status: code };
}

/** A refusal in Kubernetes' form. */
export function status(code: number, reason: string, message: string, headers: Record<string, string> = {}): Response {
  return failure({ reason, message, code }, headers);
}

/** As servers say it of an object: with its name. */
function notFound(what: string, name: string): Response {
  return failure({ reason: 'NotFound', message: `${what} "${name}" not found`, code: 404, details: { name } });
}

function failure(
  said: { readonly code: number; readonly reason: string; readonly message: string; readonly details?: object },
  headers: Record<string, string> = {},
): Response {
  const { code } = said;
  const body = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', ...said };
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: once(JSON.stringify(body)),
  };
}
