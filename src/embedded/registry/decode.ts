import { apiVersionOf } from '../../kube/resource-type.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { prune } from '../schema/prune.ts';
import { badRequest, type StatusError } from '../status-error.ts';
import { checkTypes } from './check-types.ts';
import type { Call } from './ground.ts';
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
export function tidy(resource: ServedResource, draft: Draft): string[] {
  const { schema } = resource;
  if (!schema) return [];
  const wrong = resource.custom ? undefined : checkTypes(schema, draft, resource.kind);
  if (wrong) throw cannotBeHandled(resource, wrong);
  return prune(schema, draft);
}

export function fillDefaults(resource: ServedResource, draft: Draft): void {
  if (resource.custom && resource.schema) applyDefaults(resource.schema, draft);
  resource.strategy.defaults?.(draft);
}

/** Fills in a missing type; refuses another than the resource's. */
function checkKind(resource: ServedResource, draft: Draft): void {
  const apiVersion = apiVersionOf(resource);
  if (!draft.apiVersion && !draft.kind && resource.custom) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: Object 'Kind' is missing in '${JSON.stringify(draft)}'`,
    );
  }
  draft.apiVersion ||= apiVersion;
  draft.kind ||= resource.kind;
  if (draft.apiVersion !== apiVersion) {
    const message = `the API version in the data (${draft.apiVersion}) does not match the expected API version (${apiVersion})`;
    throw badRequest(message);
  }
  if (draft.kind !== resource.kind) {
    const version = resource.version;
    const given = `${draft.kind} in version "${version}" cannot be handled as a ${resource.kind}`;
    throw badRequest(
      `${given}: converting (${version}.${draft.kind}) to (${resource.group.split('.')[0] || 'core'}.${resource.kind}): unknown conversion`,
    );
  }
}

function cannotBeHandled(resource: ServedResource, why: string): StatusError {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}
