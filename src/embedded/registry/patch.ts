import type { AnyObject, Json } from '../../kube/object.ts';
import { apiVersionOf } from '../../kube/resource-type.ts';
import { jsonPatch } from '../apply/json-patch.ts';
import { mergePatch } from '../apply/merge-patch.ts';
import { serverSideApply } from '../apply/server-side-apply.ts';
import { strategicMergePatch } from '../apply/strategic-merge-patch.ts';
import type { Draft } from '../resource.ts';
import { isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import { badRequest, conflict, notFound, StatusError } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import { StaleWrite } from '../store/store.ts';
import { timestamp } from '../timestamp.ts';
import { admitAndStore } from './create.ts';
import { decode } from './decode.ts';
import { denial } from './denial.ts';
import { goNameOf } from './go-names.ts';
import type { Call, Ground } from './ground.ts';
import { setManagers, settleName, settleNamespace, tidyMetadata, wipeSystemFields } from './metadata.ts';
import { update } from './update.ts';
import { keyOf } from './versions.ts';
import type { WriteOptions } from './write-options.ts';

/** How a patch says what should change. */
export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

/** A patch as it was sent. */
export interface PatchBody {
  readonly kind: PatchKind;
  readonly patch: Json;
  /** Paths of keys that appeared more than once. */
  readonly duplicates: readonly string[];
}

/**
 * Changes an object by a patch. Apply creates what is not there; every other kind of patch needs an object.
 *
 * @throws StatusError 404, 409 and all refusals
 */
export async function patch(
  ground: Ground,
  call: Call,
  body: PatchBody,
  options: WriteOptions,
): Promise<{ readonly entry: Entry; readonly created: boolean }> {
  if (body.kind !== 'apply') {
    return {
      entry: await update(ground, call, { propose: patcher(call, body, options) }, options),
      created: false,
    };
  }
  const isThere = (): boolean => ground.store.get(keyOf(call.resource, call.namespace, call.name)) !== undefined;
  for (;;) {
    const exists = isThere();
    try {
      if (exists) {
        const change = { propose: applier(ground, call, body, options), tracked: true };
        return { entry: await update(ground, call, change, options), created: false };
      }
      return { entry: await createByApply(ground, call, body, options), created: true };
    } catch (error) {
      // Did it come or go while admission was thinking?
      const reason = error instanceof StatusError ? error.status.reason : '';
      const went = reason === 'NotFound' && exists && !isThere();
      const came = reason === 'AlreadyExists' && !exists && isThere();
      if (!(error instanceof StaleWrite) && !went && !came) throw error;
    }
  }
}

function patcher(call: Call, body: PatchBody, options: WriteOptions): (current: AnyObject) => Draft {
  return (current) => {
    const draft = patched(call.resource.schema, body, current);
    try {
      return decode(call, { draft, duplicates: body.duplicates }, options.fieldValidation);
    } catch (error) {
      throw error instanceof StatusError && isMisfit(call, error) ? notAnObject(body, draft, error) : error;
    }
  };
}

/** Of a custom resource only the metadata has a type that a patch could miss. */
const isMisfit = ({ resource }: Call, { message }: StatusError): boolean =>
  !resource.custom ||
  / cannot be handled as a [^:]+: (json: cannot unmarshal|parsing time|couldn't get version)/.test(message);

/** The object with the patch applied. Apply is no patch in this sense: it needs to know who applies. */
export function patched(schema: Schema | undefined, { kind, patch: change }: PatchBody, current: AnyObject): Draft {
  switch (kind) {
    case 'json':
      return jsonPatch(current, change);
    case 'strategic':
      return strategicMergePatch(schema, current, change);
    default:
      return mergePatch(current, change);
  }
}

/** A patch that leaves something which is no object of the kind is refused with what it would have left. */
function notAnObject({ kind }: PatchBody, draft: Draft, error: StatusError): StatusError {
  if (kind === 'strategic') return error;
  const why = error.message.replace(/^.* cannot be handled as a [^:]+: /, '');
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(draft))}: ${why}`;
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

function applier(ground: Ground, call: Call, body: PatchBody, options: WriteOptions): (live: AnyObject) => Draft {
  return (live) => {
    return applied(ground, call, live, configOf(call, body, options), options);
  };
}

function applied(
  ground: Ground,
  call: Call,
  live: AnyObject | undefined,
  config: AnyObject,
  options: WriteOptions,
): Draft {
  const { resource } = call;
  const { object, managedFields } = serverSideApply({
    schema: resource.schema,
    live,
    config,
    manager: options.manager,
    force: options.force,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    subresource: call.subresource,
    now: timestamp(ground.clock.now()),
  });
  const draft = decode(call, { draft: object, duplicates: [] }, 'Ignore');
  setManagers(draft, managedFields);
  return draft;
}

async function createByApply(ground: Ground, call: Call, body: PatchBody, options: WriteOptions): Promise<Entry> {
  const { resource, name } = call;
  if (call.subresource) throw notFound({ ...resource, name });
  mayCreate(ground, call);
  const config = configOf(call, body, options);
  if (config.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`;
    throw conflict({ ...resource, name }, why);
  }
  const draft = applied(ground, call, undefined, config, options);
  wipeSystemFields(draft);
  delete draft.metadata.resourceVersion;
  settleNamespace(call, draft);
  settleName(call, draft);
  tidyMetadata(call, draft);
  return admitAndStore(ground, call, draft, options);
}

/** Whoever may change objects may not therefore create them. @throws StatusError 403 */
export function mayCreate(ground: Ground, { resource, user, namespace, name }: Call): void {
  const { group, version, plural } = resource;
  const attributes = {
    user,
    verb: 'create',
    resource: { group, version, plural, name, ...(namespace && { namespace }) },
  };
  const { allowed, reason } = ground.authorizer.authorize(attributes);
  if (!allowed) throw denial(attributes, reason);
}

/** What an apply declares, without the part that this endpoint does not write. @throws StatusError 400 */
function configOf({ resource, subresource }: Call, body: PatchBody, options: WriteOptions): AnyObject {
  const { patch: given, duplicates } = body;
  if (!isFields(given) && given !== null) {
    const why = `json: cannot unmarshal ${goNameOf(given)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (options.fieldValidation === 'Strict' && duplicates.length > 0) {
    throw badRequest(`error strict decoding patch: duplicate field "${duplicates[0]}"`);
  }
  const config = { metadata: {}, ...given } as unknown as AnyObject;
  if (subresource === 'status') {
    const { apiVersion, kind, status } = config;
    const { name, namespace, uid, resourceVersion } = config.metadata;
    const metadata = { name, namespace, uid, resourceVersion };
    const identity = Object.entries(metadata).filter(([, value]) => value !== undefined);
    return { apiVersion, kind, metadata: Object.fromEntries(identity), ...(status !== undefined && { status }) };
  }
  if (!resource.status) return config;
  const { status: _, ...rest } = config;
  return rest as AnyObject;
}
