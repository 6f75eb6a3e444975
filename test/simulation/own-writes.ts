import type { AnyObject } from '../../src/kube/object.ts';
import type { Request } from '../../src/kube/transport.ts';
import type { Look } from './looks.ts';

/** What a request says of the object that it was decided on. */
interface Basis {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What a write was answered with. */
interface Written {
  readonly version: number;
  /** When the process heard of it, by the monotonic clock. */
  readonly at: number;
}

/**
 * Remembers what one process was told about its own writes, and notices a request that can only have been decided on a
 * view from before them: the server refuses most of those, so that nothing else would show that they were sent.
 *
 * Controllers of one process look at the same objects at the same time. One that has begun cannot know what another writes
 * meanwhile, such as a space that deletes its app while that reads its Secrets: it must know what was heard of before it began.
 *
 * Lists are no excuse: what a server that lags gives may be older than a write, and what was written lies over it.
 */
export class OwnWrites {
  /** By uid, and whose look wrote it: the newest version. */
  readonly #versions = new Map<string, Map<string, Written>>();
  readonly #made = new Set<string>();
  readonly #removed = new Set<string>();

  /** What is wrong with a request that is being sent. */
  blind(request: Request, look: Look | undefined): string | undefined {
    const { uid = '', resourceVersion } = basisOf(request);
    if (resourceVersion === undefined) return undefined;
    const known = [...(this.#versions.get(uid) ?? [])]
      .filter(([by, { at }]) => !look || by === look.of || at < look.began)
      .map(([, { version }]) => version);
    const newest = Math.max(...known);
    return Number(resourceVersion) < newest
      ? `decided on version ${resourceVersion}, though its own write had made it ${newest}`
      : undefined;
  }

  /** What is wrong with a request that was refused because the name is taken. */
  taken(request: Request): string | undefined {
    const again = request.method === 'POST' && !evicted(request) && this.#made.has(made(request));
    return again ? 'it had made that already' : undefined;
  }

  /** The process hears nothing: what it made under that name before may be gone, and another of its own be there. */
  unheard(request: Request): void {
    if (request.method === 'POST') this.#made.delete(made(request));
  }

  /** The process hears now that a request of its own, of that look, took effect. Returns what is wrong with that. */
  heard(request: Request, answer: AnyObject, look: Look | undefined, now: number): string | undefined {
    const { uid, resourceVersion } = answer.metadata ?? {};
    const gone = evicted(request);
    // An eviction says neither whether the pod is gone nor in which version it is left: it may well be sent again.
    if (gone) this.#made.delete(gone);
    else if (request.method === 'POST') this.#made.add(made(request));
    let wrong: string | undefined;
    if (request.method === 'DELETE') {
      const of = basisOf(request).uid ?? '';
      // To ask once more for what has gone meanwhile is harmless; what is on its way out must be known to be.
      if (this.#removed.has(of)) wrong = 'it had removed that already';
      this.#removed.add(of);
      this.#made.delete(pathOf(request).replace(/\/([^/]+)$/, ' $1'));
    }
    if (uid && resourceVersion && answer.kind !== 'Status') {
      const written = this.#versions.get(uid) ?? new Map<string, Written>();
      this.#versions.set(uid, written.set(look?.of ?? '', { version: Number(resourceVersion), at: now }));
    }
    return wrong;
  }
}

/** What a request evicts, as `made` names it. */
function evicted(request: Request): string | undefined {
  const [, path, name] = /^(.*)\/([^/]+)\/eviction$/.exec(pathOf(request)) ?? [];
  return path && `${path} ${name}`;
}

function made(request: Request): string {
  const { metadata } = parsed(request) as AnyObject;
  return `${pathOf(request)} ${metadata.name}`;
}

function basisOf(request: Request): Basis {
  const body = parsed(request);
  if (Array.isArray(body)) {
    const tested = (path: string) => body.find((step) => step.op === 'test' && step.path === path)?.value;
    return { uid: tested('/metadata/uid'), resourceVersion: tested('/metadata/resourceVersion') };
  }
  const { metadata, preconditions } = body as { readonly metadata?: Basis; readonly preconditions?: Basis };
  return preconditions ?? metadata ?? {};
}

function pathOf({ path }: Request): string {
  return path.split('?', 1)[0] ?? '';
}

function parsed({ body }: Request): unknown {
  return body === undefined ? {} : JSON.parse(body.toString());
}
