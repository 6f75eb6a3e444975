import { apiVersionOf } from '../../kube/resource-type.ts';
import { builtInSchema } from '../discovery/built-in.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { isFields } from '../schema/json.ts';
import { prune } from '../schema/prune.ts';
import { badRequest, type StatusError } from '../status-error.ts';
import { goNameOf } from './go-names.ts';
import type { Call } from './ground.ts';
import { typed, typedMetadata } from './typed.ts';
import type { WriteOptions } from './write-options.ts';

/** The JSON object of a request, and what its text said twice. */
export interface Body {
  readonly draft: Draft;
  /** Paths of keys that appeared more than once: `data.a`. */
  readonly duplicates: readonly string[];
}

/**
 * Makes an object of the resource out of what a client sent, in place: its type is checked, unknown fields are dropped
 * (or refused, or warned about), defaults are filled in.
 *
 * @throws StatusError 400
 */
export function decode(call: Call, { draft, duplicates }: Body, validation: WriteOptions['fieldValidation']): Draft {
  const { resource } = call;
  checkShape(resource, draft);
  checkKind(resource, draft);
  const unknown = tidy(resource, draft);
  if (validation !== 'Ignore') {
    const strict = [
      ...unknown.map((path) => `unknown field "${path}"`),
      ...duplicates.map((path) => `duplicate field "${path}"`),
    ];
    if (validation === 'Strict' && strict.length > 0) {
      throw cannotBeHandled(resource, `strict decoding error: ${strict.join(', ')}`);
    }
    for (const text of strict) call.warn(text);
  }
  fillDefaults(resource, draft);
  return draft;
}

/** Drops what the kind does not have, and returns its paths. Refuses values that the kind's fields cannot hold. */
export function tidy(resource: ServedResource, draft: Draft): readonly string[] {
  const { schema } = resource;
  if (resource.custom) {
    const misfit = typedMetadata(draft.metadata);
    if (misfit) throw cannotBeHandled(resource, misfit);
    return schema ? prune(schema, draft) : [];
  }
  if (!schema) return [];
  const { wrong, unknown } = typed(schema, draft, resource.kind);
  if (wrong) throw cannotBeHandled(resource, wrong);
  return unknown;
}

export function fillDefaults(resource: ServedResource, draft: Draft): void {
  if (resource.custom && resource.schema) applyDefaults(resource.schema, draft);
  resource.strategy.defaults?.(draft);
}

/** What is meant by a body: a resource, or what a subresource takes. */
export type Meant = Pick<ServedResource, 'kind' | 'version'> & { readonly custom?: boolean };

/** Refuses what cannot be an object at all. @throws StatusError 400 */
export function checkShape(resource: Meant, draft: Draft): void {
  for (const field of ['apiVersion', 'kind'] as const) {
    const value: unknown = draft[field];
    if (value === undefined || value === null || typeof value === 'string') continue;
    const why = `json: cannot unmarshal ${goNameOf(value)} into Go struct field .${field} of type string`;
    throw cannotBeHandled(resource, `couldn't get version/kind; json parse error: ${why}`);
  }
  const metadata: unknown = draft.metadata ?? {};
  if (!isFields(metadata)) {
    const where = resource.custom ? 'value' : `struct field ${resource.kind}.metadata`;
    const why = `json: cannot unmarshal ${goNameOf(metadata)} into Go ${where} of type v1.ObjectMeta`;
    throw cannotBeHandled(resource, why);
  }
  draft.metadata = metadata;
}

/** Fills in a missing type; refuses another than the resource's. */
function checkKind(resource: ServedResource, draft: Draft): void {
  const { group, version, kind } = resource;
  const apiVersion = apiVersionOf(resource);
  if (!draft.kind && resource.custom) {
    const text = JSON.stringify(draft);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${text})`,
    );
  }
  draft.apiVersion ||= apiVersion;
  draft.kind ||= kind;
  if (draft.apiVersion === apiVersion && draft.kind === kind) return;
  const [given, inGroup = ''] = draft.apiVersion.split('/').reverse() as [string, string?];
  if (!resource.custom && !builtInSchema(inGroup, given, draft.kind)) {
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
    throw cannotBeHandled(
      resource,
      `no kind ${JSON.stringify(draft.kind)} is registered for version ${JSON.stringify(draft.apiVersion)} ${scheme}`,
    );
  }
  if (draft.kind === kind || resource.custom) {
    throw badRequest(
      `the API version in the data (${draft.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  const target = group.split('.')[0] || 'core';
  throw badRequest(
    `${draft.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: converting (${given}.${draft.kind}) to (${target}.${kind}): unknown conversion`,
  );
}

function cannotBeHandled(resource: Meant, why: string): StatusError {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}
