import { apiVersionOf } from '../../kube/resource-type.ts';
import type { Page } from '../registry/list.ts';
import { jsonAs, objectAs } from '../registry/versions.ts';
import type { ServedResource } from '../resource.ts';
import { head } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Shape } from './negotiate.ts';
import { isPretty, metadataOf, renderValue } from './render.ts';
import { tableOf } from './render-table.ts';
import type { Visit } from './serving.ts';

/** Text is handed to the socket in pieces of about this many characters, so that no list is ever in memory twice. */
const piece = 128 * 1024;

/** A page of a list in the form the client asked for. */
export async function renderList(
  visit: Visit,
  shape: Shape,
  resource: ServedResource,
  store: Store,
  page: Page,
  now: number,
): Promise<Answer> {
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continue && { continue: page.continue }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  };
  const kind = resource.listKind;
  const apiVersion = apiVersionOf(resource);
  const objects = (): ReturnType<typeof objectAs>[] => page.entries.map((entry) => objectAs(resource, store, entry));
  switch (shape.as) {
    case 'table':
      return renderValue(visit, shape, 200, tableOf(resource, objects(), visit.query, { now, listMeta: metadata }));
    case 'metadata': {
      const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata };
      return renderValue(visit, shape, 200, { ...list, items: objects().map(metadataOf) });
    }
    case 'object':
      if (shape.format === 'yaml' || isPretty(visit)) {
        return renderValue(visit, shape, 200, { kind, apiVersion, metadata, items: objects() });
      }
  }

  // Items of a built-in list do not repeat the type that the list already names.
  const skip = resource.custom ? 0 : head(apiVersion, resource.kind).length;
  const opening = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(resource.custom ? { continue: '', ...metadata } : metadata)},"items":[`;
  const itemOf = (entry: Page['entries'][number]): string =>
    skip === 0 ? jsonAs(resource, store, entry) : `{${jsonAs(resource, store, entry).slice(skip)}`;
  const size = page.entries.reduce((sum, entry) => sum + entry.json.length, 0);
  if (size < piece) return jsonAnswer(200, `${opening}${page.entries.map(itemOf).join(',')}]}`);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: pieces(opening, page, itemOf) };
}

async function* pieces(
  opening: string,
  page: Page,
  itemOf: (entry: Page['entries'][number]) => string,
): AsyncGenerator<Uint8Array> {
  let text = opening;
  for (const [index, entry] of page.entries.entries()) {
    text += (index === 0 ? '' : ',') + itemOf(entry);
    if (text.length < piece) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]}`);
}
