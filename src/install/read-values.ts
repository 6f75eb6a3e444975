import { parseDocument } from 'yaml';
import type { AnyObject, Json, JsonObject } from '../kube/object.ts';
import { isMap } from './merge-values.ts';

/** A file that cannot be used; the message says which and why. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

/** Values in a file: a map, or nothing. Errors: `FileProblem`. */
export function readValues(file: string, text: string): JsonObject {
  const found = read(file, text);
  if (found === null) return {};
  if (!isMap(found)) throw new FileProblem(`${file}: values are a map of names; this is something else`);
  return found;
}

/** Objects in a file: one, or a list of them. Errors: `FileProblem`. */
export function readObjects(file: string, text: string): readonly AnyObject[] {
  const found = read(file, text);
  return (Array.isArray(found) ? found : [found]).map((one: unknown, index) => {
    const object = one as Partial<AnyObject> | null;
    if (typeof object?.apiVersion !== 'string' || typeof object.kind !== 'string' || !object.metadata?.name) {
      throw new FileProblem(`${file}: entry ${index + 1} is no object of Kubernetes with apiVersion, kind and name`);
    }
    return object as AnyObject;
  });
}

function read(file: string, text: string): Json {
  const document = parseDocument(text, { logLevel: 'error' });
  const [problem] = document.errors;
  if (problem) throw new FileProblem(`${file}: ${problem.message.split('\n', 1)[0]}`);
  return document.toJS({ maxAliasCount: 100 }) as Json;
}
