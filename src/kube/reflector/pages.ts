import { KubeError } from '../error.ts';
import type { KubeObject, ObjectList } from '../object.ts';
import type { ListWatch } from './list-watch.ts';
import type { ReflectorEvent } from './reflect.ts';

/**
 * A snapshot read in pages. The next page is on its way while one is being taken in.
 *
 * Errors: what the list throws; `gone` when the pages took longer than the server keeps them.
 */
export async function* pages<T extends KubeObject>(
  source: ListWatch<T>,
  { pageSize = 500, signal }: { readonly pageSize?: number; readonly signal?: AbortSignal },
): AsyncGenerator<ReflectorEvent<T>, void, undefined> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  const ask = (more?: string): Promise<ObjectList<T>> => {
    const page = source.list({ limit: pageSize, signal: controller.signal, ...(more && { continue: more }) });
    // It may fail while nobody waits for it; whoever takes it still learns.
    page.catch(() => {});
    return page;
  };

  try {
    let page = await ask();
    for (;;) {
      const more = page.metadata.continue;
      const next = more ? ask(more) : undefined;
      for (const object of page.items) yield { type: 'init-apply', object };
      if (!next) break;
      page = await next;
    }
    const { resourceVersion } = page.metadata;
    if (!resourceVersion) throw new KubeError('garbled', `${source.what}: the list has no resourceVersion`);
    yield { type: 'synced', resourceVersion };
  } finally {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
  }
}
