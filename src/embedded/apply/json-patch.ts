import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { copy, type Fields, isFields, setField } from '../schema/json.ts';
import { badRequest, StatusError } from '../status-error.ts';

const mostOperations = 10_000;

/** How large `copy` operations may make an object together: a short patch must not grow one without bound. */
const mostCopied = 3 * 1024 * 1024;

/**
 * A JSON patch (RFC 6902), all or nothing. Changes neither argument.
 *
 * An operation that does not apply, `test` included, is refused with 422 in the API server's own, rather quiet words.
 */
export function jsonPatch(object: AnyObject, patch: unknown): Draft {
  if (!Array.isArray(patch)) {
    const what =
      patch === null ? 'null' : isFields(patch) ? 'object' : typeof patch === 'boolean' ? 'bool' : typeof patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${what} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (patch.length > mostOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
  }
  const document: Document = { root: copy(object), copied: 0 };
  for (const operation of patch) {
    if (!isFields(operation) || !run(document, operation)) throw doesNotApply();
  }
  if (!isFields(document.root)) throw doesNotApply();
  return document.root as Draft;
}

function doesNotApply(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, {});
}

interface Document {
  root: unknown;
  copied: number;
}

/** Whether the operation applied. */
function run(document: Document, operation: Fields): boolean {
  const { op, value } = operation;
  const path = steps(operation.path);
  if (!path) return false;
  switch (op) {
    case 'add':
      return add(document, path, copy(value ?? null));
    case 'remove':
      return remove(document, path);
    case 'replace':
      if (path.length === 0) return isFields(value) && put(document, copy(value));
      return read(document, path) !== undefined && remove(document, path) && add(document, path, copy(value ?? null));
    case 'move':
    case 'copy': {
      const from = steps(operation.from);
      const found = from && read(document, from);
      if (!from || found === undefined) return false;
      if (op === 'move') return remove(document, from) && add(document, path, found);
      document.copied += JSON.stringify(found).length;
      return document.copied <= mostCopied && add(document, path, copy(found));
    }
    case 'test':
      return equal(read(document, path) ?? null, value ?? null);
    default:
      return false;
  }
}

/** A JSON pointer's steps. */
function steps(pointer: unknown): string[] | undefined {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function put(document: Document, value: unknown): boolean {
  document.root = value;
  return true;
}

function child(container: unknown, step: string): unknown {
  if (Array.isArray(container)) return container[indexOf(step, container.length - 1) ?? -1];
  return isFields(container) && Object.hasOwn(container, step) ? container[step] : undefined;
}

function read(document: Document, path: readonly string[]): unknown {
  return path.reduce<unknown>(child, document.root);
}

/** A position in a list; negative ones count from the end, as the API server has them. */
function indexOf(step: string, last: number): number | undefined {
  if (!/^-?\d+$/.test(step)) return undefined;
  const index = Number(step) < 0 ? Number(step) + last + 1 : Number(step);
  return index >= 0 && index <= last ? index : undefined;
}

function add(document: Document, path: readonly string[], value: unknown): boolean {
  const step = path.at(-1);
  if (step === undefined) return false;
  const container = read(document, path.slice(0, -1));
  if (Array.isArray(container)) {
    const index = step === '-' ? container.length : indexOf(step, container.length);
    if (index === undefined) return false;
    container.splice(index, 0, value);
    return true;
  }
  if (!isFields(container)) return false;
  setField(container, step, value);
  return true;
}

function remove(document: Document, path: readonly string[]): boolean {
  const step = path.at(-1);
  if (step === undefined) return false;
  const container = read(document, path.slice(0, -1));
  if (Array.isArray(container)) {
    const index = indexOf(step, container.length - 1);
    if (index === undefined) return false;
    container.splice(index, 1);
    return true;
  }
  return isFields(container) && Object.hasOwn(container, step) && delete container[step];
}
