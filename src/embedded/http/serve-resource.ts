import type { JsonObject } from '../../kube/object.ts';
import { create } from '../registry/create.ts';
import { decode } from '../registry/decode.ts';
import { deleteOptions } from '../registry/delete-options.ts';
import type { Call, Outcome } from '../registry/ground.ts';
import { list } from '../registry/list.ts';
import { listOptions } from '../registry/list-options.ts';
import { settleName } from '../registry/metadata.ts';
import { mayCreate, patch } from '../registry/patch.ts';
import { createsOnUpdate, returnsDeleted } from '../registry/peculiar.ts';
import { remove } from '../registry/remove.ts';
import { success } from '../registry/success.ts';
import { update } from '../registry/update.ts';
import { keyOf, objectAs, outcomeOf, outcomeOfObject } from '../registry/versions.ts';
import { watch } from '../registry/watch.ts';
import { writeOptions } from '../registry/write-options.ts';
import type { ServedResource } from '../resource.ts';
import { copy, isFields } from '../schema/json.ts';
import { badRequest, notFound, StatusError } from '../status-error.ts';
import type { Answer } from './answer.ts';
import { objectIn, valueIn } from './body.ts';
import { negotiate } from './negotiate.ts';
import { methodNotAllowed, unknownResource } from './not-there.ts';
import { patchIn } from './patch-in.ts';
import { render } from './render.ts';
import { renderList } from './render-list.ts';
import { renderWatch } from './render-watch.ts';
import { serveSubresource } from './serve-subresource.ts';
import type { Serving, Visit } from './serving.ts';
import type { ResourceTarget } from './target.ts';
import { verbOf } from './verb-of.ts';
import { agentOf, callOf, contentOf } from './visit.ts';

/** Answers a request about a resource. @throws StatusError */
export async function serveResource(serving: Serving, visit: Visit, target: ResourceTarget): Promise<Answer> {
  const resource = serving.resources.find(target.group, target.version, target.plural);
  if (!resource) return unknownResource(serving, target);
  const call = callOf(visit, resource, target);
  if (target.subresource && target.subresource !== 'status') return serveSubresource(serving, visit, target, call);
  if (target.subresource === 'status' && !resource.status) return unknownResource(serving, target);
  const verb = verbOf(visit.request.method, target, visit.query);
  if (!allows(resource, target, verb)) throw methodNotAllowed();

  const { ground } = serving;
  const shape = negotiate(visit.request.headers?.accept);
  switch (verb) {
    case 'list':
      return renderList(
        visit,
        shape,
        resource,
        ground.store,
        list(ground, call, listOptions(visit.query)),
        ground.clock.now(),
      );
    case 'watch': {
      const options = { ...listOptions(withWatch(visit.query, target)), watch: true };
      return renderWatch(visit, shape, resource, ground.store, watch(ground, call, options), () => ground.clock.now());
    }
    default:
      return render(visit, shape, resource, await serveObject(serving, visit, call, verb), ground.clock.now());
  }
}

async function serveObject(serving: Serving, visit: Visit, call: Call, verb: string): Promise<Outcome> {
  const { ground } = serving;
  const { store } = ground;
  const { resource, name } = call;
  switch (verb) {
    case 'get': {
      const entry = store.get(keyOf(resource, call.namespace, name));
      if (!entry) throw notFound({ ...resource, name });
      return outcomeOf(200, resource, store, entry);
    }
    case 'create': {
      const options = writeOptions('CreateOptions', visit.query, agentOf(visit));
      const draft = decode(call, await objectIn(contentOf(visit), resource), options.fieldValidation);
      const virtual = serving.virtual(resource, '');
      if (virtual) return outcomeOfObject(201, await virtual.create(call, draft, options));
      return outcomeOf(201, resource, store, await create(ground, call, draft, options));
    }
    case 'update': {
      const options = writeOptions('UpdateOptions', visit.query, agentOf(visit));
      const draft = decode(call, await objectIn(contentOf(visit), resource), options.fieldValidation);
      if (!call.subresource && createsOnUpdate(resource) && !store.get(keyOf(resource, call.namespace, name))) {
        mayCreate(ground, call);
        settleName(call, draft);
        delete draft.metadata.resourceVersion;
        return outcomeOf(201, resource, store, await create(ground, call, draft, options));
      }
      const entry = await update(ground, call, { propose: () => copy(draft) }, options);
      return outcomeOf(200, resource, store, entry);
    }
    case 'patch': {
      const body = await patchIn(visit, resource);
      const options = writeOptions('PatchOptions', visit.query, agentOf(visit), body.kind === 'apply');
      const { entry, created } = await patch(ground, call, body, options);
      return outcomeOf(created ? 201 : 200, resource, store, entry);
    }
    case 'delete': {
      const options = deleteOptions(await deleteBody(visit), visit.query);
      const { entry, gone } = await remove(ground, call, options);
      const code = !gone && options.orphanDependents === false ? 202 : 200;
      if (!gone || returnsDeleted(resource)) return outcomeOf(code, resource, store, entry);
      const { group, plural } = resource;
      return success(code, { name, ...(group && { group }), kind: plural, uid: entry.uid });
    }
    default:
      return removeAll(serving, visit, call);
  }
}

/** Deletes every selected object of a collection. Not atomic, as nowhere: each object goes by itself. */
async function removeAll({ ground }: Serving, visit: Visit, call: Call): Promise<Outcome> {
  const { resource } = call;
  const options = deleteOptions(await deleteBody(visit), visit.query);
  const page = list(ground, call, listOptions(visit.query));
  const items: unknown[] = [];
  for (const entry of page.entries) {
    try {
      const removed = await remove(ground, { ...call, namespace: entry.namespace, name: entry.name }, options);
      const { apiVersion, kind, ...item } = objectAs(resource, ground.store, removed.entry);
      items.push(resource.custom ? { apiVersion, kind, ...item } : item);
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
    }
  }
  const { group, version, listKind } = resource;
  const object = {
    apiVersion: group ? `${group}/${version}` : version,
    kind: listKind,
    metadata: { resourceVersion: String(page.revision) },
    items,
  };
  return { code: 200, object: object as never, json: JSON.stringify(object) };
}

/** Whether the resource offers the verb at this place. */
function allows(resource: ServedResource, target: ResourceTarget, verb: string): boolean {
  if (target.subresource) return ['get', 'update', 'patch'].includes(verb);
  // Objects live in a namespace, or do not: only collections can be seen across namespaces.
  if (resource.namespaced && !target.namespace && !['list', 'watch'].includes(verb)) return false;
  if (verb === 'create' && target.name) return false;
  if ((verb === 'update' || verb === 'patch') && !target.name) return false;
  return resource.verbs.includes(verb);
}

async function deleteBody(visit: Visit): Promise<JsonObject | undefined> {
  const content = contentOf(visit);
  if (content.bytes.length === 0) return undefined;
  const { value } = await valueIn(content, (why) => badRequest(`couldn't get version/kind; ${why}`));
  if (!isFields(value)) throw badRequest('decoded object cannot be converted to DeleteOptions');
  return value as JsonObject;
}

function withWatch(query: URLSearchParams, target: ResourceTarget): URLSearchParams {
  const copied = new URLSearchParams(query);
  copied.set('watch', 'true');
  if (target.watch && target.name && !copied.get('fieldSelector')) {
    copied.set('fieldSelector', `metadata.name=${target.name}`);
  }
  return copied;
}
