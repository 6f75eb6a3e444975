import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { copy, type Fields, getField, isFields, setField } from '../schema/json.ts';
import { badRequest } from '../status-error.ts';

/** A JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces. Changes neither argument. */
export function mergePatch(object: AnyObject, patch: unknown): Draft {
  if (!isFields(patch)) {
    if (patch === null) throw badRequest('Invalid JSON Patch');
    const what = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`,
    );
  }
  return mergeValue(object, patch) as Draft;
}

/** The same for any JSON document. */
export function mergeValue(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return copy(patch);
  const out: Fields = isFields(target) ? copy(target) : {};
  mergeInto(out, patch);
  return out;
}

function mergeInto(target: Fields, patch: Fields): void {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) {
      delete target[key];
    } else if (isFields(value)) {
      const there = getField(target, key);
      if (isFields(there)) mergeInto(there, value);
      else setField(target, key, mergeValue(undefined, value));
    } else {
      setField(target, key, copy(value));
    }
  }
}
