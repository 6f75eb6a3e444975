import { parseAllDocuments } from 'yaml';
import type { AnyObject } from '../../../kube/object.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';

/** More than any manifest: reading is not without end. */
const longest = 32 << 20;

/** The objects of a manifest, YAML or JSON, lists taken apart. `source` names it in errors. */
export function readManifest(text: string, source: string): readonly AnyObject[] {
  if (text.length > longest) throw new CommandError(`${source} is too long: at most ${longest >> 20} MiB are read`);
  const objects = parsed(text, source).flatMap((value) => objectsOf(value, source));
  if (objects.length === 0) throw new CommandError(`${source} holds no object`);
  return objects;
}

/** A merge patch that somebody typed. */
export function readPatch(text: string): Readonly<Record<string, unknown>> {
  const [value, ...others] = parsed(text, '--patch');
  if (others.length > 0 || !isMap(value)) {
    throw new CommandError(
      '--patch must be one YAML or JSON object, such as \'{"spec":{"parameters":{"COUNT":"3"}}}\'',
    );
  }
  return value;
}

function parsed(text: string, source: string): readonly unknown[] {
  const documents = parseAllDocuments(text);
  const wrong = documents.flatMap(({ errors }) => errors)[0];
  if (wrong) throw new CommandError(`${source} is not YAML: ${wrong.message.split('\n')[0]?.replace(/:$/, '')}`);
  try {
    return documents
      .map((document) => document.toJS() as unknown)
      .filter((value) => value !== null && value !== undefined);
  } catch (error) {
    // Aliases that would become a mountain.
    throw new CommandError(`${source} cannot be read: ${(error as Error).message}`);
  }
}

function objectsOf(value: unknown, source: string): readonly AnyObject[] {
  if (isMap(value) && typeof value.kind === 'string' && value.kind.endsWith('List') && Array.isArray(value.items)) {
    return value.items.flatMap((item) => objectsOf(item, source));
  }
  if (isObject(value)) return [value];
  throw new CommandError(`${source}: each object needs an apiVersion, a kind and a metadata.name`);
}

function isObject(value: unknown): value is AnyObject {
  if (!isMap(value) || !isMap(value.metadata)) return false;
  return [value.apiVersion, value.kind, value.metadata.name].every((text) => typeof text === 'string' && text !== '');
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
