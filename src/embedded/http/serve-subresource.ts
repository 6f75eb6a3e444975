import { bind } from '../registry/binding.ts';
import { decode } from '../registry/decode.ts';
import { evict } from '../registry/eviction.ts';
import type { Call, Outcome } from '../registry/ground.ts';
import { patched } from '../registry/patch.ts';
import { readScale, writeScale } from '../registry/scale.ts';
import { update } from '../registry/update.ts';
import { outcomeOf, outcomeOfObject } from '../registry/versions.ts';
import { writeOptions } from '../registry/write-options.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { copy } from '../schema/json.ts';
import { badRequest, notFound } from '../status-error.ts';
import type { Answer } from './answer.ts';
import { objectIn } from './body.ts';
import { negotiate } from './negotiate.ts';
import { methodNotAllowed, unknownResource } from './not-there.ts';
import { patchIn } from './patch-in.ts';
import { servePodLog } from './pod-log.ts';
import { serveProxy } from './proxy.ts';
import { render } from './render.ts';
import type { Serving, Visit } from './serving.ts';
import type { ResourceTarget } from './target.ts';
import { verbOf } from './verb-of.ts';
import { agentOf, contentOf } from './visit.ts';

/** Answers a request about a subresource other than `status`. @throws StatusError */
export async function serveSubresource(
  serving: Serving,
  visit: Visit,
  target: ResourceTarget,
  call: Call,
): Promise<Answer> {
  const { resource } = call;
  const verb = verbOf(visit.request.method, target, visit.query);
  const what = `${resource.plural}/${target.subresource}`;
  if (resource.group === '') {
    switch (what) {
      case 'pods/log':
        return servePodLog(serving, visit, call);
      case 'pods/proxy':
      case 'services/proxy':
        return serveProxy(serving, visit, target, call);
      case 'pods/exec':
      case 'pods/attach':
      case 'pods/portforward':
        throw badRequest('Upgrade request required');
    }
  }
  const outcome = await serveObject(serving, visit, target, call, verb);
  if (!outcome) {
    if (resource.custom) throw notFound({ ...resource, name: call.name });
    return unknownResource(serving, target);
  }
  return render(visit, negotiate(visit.request.headers?.accept), resource, outcome, serving.ground.clock.now());
}

async function serveObject(
  serving: Serving,
  visit: Visit,
  target: ResourceTarget,
  call: Call,
  verb: string,
): Promise<Outcome | undefined> {
  const { ground } = serving;
  const { resource } = call;
  if (target.subresource === 'scale' && resource.scale) return serveScale(serving, visit, call, verb);

  const virtual = serving.virtual(resource, target.subresource);
  const what = resource.group === '' ? `${resource.plural}/${target.subresource}` : '';
  if (!virtual && !['pods/eviction', 'pods/binding', 'namespaces/finalize'].includes(what)) return undefined;
  if (what === 'namespaces/finalize') {
    if (verb !== 'update') throw methodNotAllowed();
    return finalize(serving, visit, call);
  }
  if (verb !== 'create') throw methodNotAllowed();

  const options = writeOptions('CreateOptions', visit.query, agentOf(visit));
  const { draft } = await objectIn(contentOf(visit), {
    kind: subresourceKinds[target.subresource] ?? resource.kind,
    version: 'v1',
  });
  draft.metadata.name ??= call.name;
  if (virtual) return outcomeOfObject(201, await virtual.create(call, draft, options));
  if (what === 'pods/binding') return bind(ground, call, draft, options);
  const budgets = serving.resources.find('policy', 'v1', 'poddisruptionbudgets') as ServedResource;
  return evict(ground, call, draft, options, budgets);
}

const subresourceKinds: Readonly<Record<string, string>> = {
  eviction: 'Eviction',
  binding: 'Binding',
  token: 'TokenRequest',
};

/** Replaces a namespace's `spec.finalizers`, and nothing else. The last one lets a deleted namespace go. */
async function finalize({ ground }: Serving, visit: Visit, call: Call): Promise<Outcome> {
  const options = writeOptions('UpdateOptions', visit.query, agentOf(visit));
  const body = decode(call, await objectIn(contentOf(visit), call.resource), options.fieldValidation);
  const propose = (current: object): Draft => {
    const draft = copy(current) as Draft;
    const { resourceVersion } = body.metadata;
    if (resourceVersion) draft.metadata.resourceVersion = resourceVersion;
    draft.spec = { ...draft.spec, finalizers: body.spec?.finalizers ?? [] };
    return draft;
  };
  const entry = await update(ground, call, { propose, trusted: true }, options);
  return outcomeOf(200, call.resource, ground.store, entry);
}

async function serveScale({ ground }: Serving, visit: Visit, call: Call, verb: string): Promise<Outcome> {
  switch (verb) {
    case 'get':
      return readScale(ground, call);
    case 'update': {
      const options = writeOptions('UpdateOptions', visit.query, agentOf(visit));
      const { draft } = await objectIn(contentOf(visit), { kind: 'Scale', version: 'v1' });
      if (draft.kind && draft.kind !== 'Scale') {
        const given = `${draft.kind} in version "v1" cannot be handled as a Scale`;
        throw badRequest(`${given}: no kind "${draft.kind}" is registered for version "${draft.apiVersion}"`);
      }
      return writeScale(ground, call, () => copy(draft), options);
    }
    case 'patch': {
      const body = await patchIn(visit, call.resource);
      const options = writeOptions('PatchOptions', visit.query, agentOf(visit), body.kind === 'apply');
      return writeScale(ground, call, (current) => patched(undefined, body, current), options);
    }
    default:
      throw methodNotAllowed();
  }
}
