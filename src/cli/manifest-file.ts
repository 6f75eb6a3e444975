import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Clock } from '../clock/clock.ts';
import type { Client } from '../kube/client.ts';
import { discover } from '../kube/discover.ts';
import { isKubeError } from '../kube/error.ts';
import type { AnyObject } from '../kube/object.ts';

export interface ManifestFile {
  readonly path: string;
  readonly client: Client;
  readonly clock: Clock;
  /** Says one line to the person at the terminal. */
  readonly say: (line: string) => void;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** Saving is noticed within this time. What file systems tell of it differs too much to be relied upon. */
const lookEveryMs = 300;

/** Writes a manifest unless there is one already. Rejects when it cannot be written, or what is there cannot be read. */
export async function prepareManifest(path: string, initial: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, initial, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await readFile(path);
  } catch (error) {
    const { message } = error as Error;
    throw Object.assign(error as Error, { message: `the manifest ${path} cannot be used: ${message}` });
  }
}

/**
 * Applies a manifest now and whenever it is saved, so that whoever has no `kubectl` can edit a file instead. All of it is
 * applied or none: what is no YAML, or what the server would refuse, is said in a line, and the objects stay as they are
 * until the next save.
 */
export async function followManifest(file: ManifestFile): Promise<void> {
  const { path, clock, signal } = file;
  let applied = '';
  const look = async (): Promise<void> => {
    const text = await readFile(path, 'utf8').catch(() => applied);
    // An editor may empty the file for a moment while it saves.
    if (text === applied || text.trim() === '' || signal.aborted) return;
    applied = text;
    await apply(text, file);
  };
  await look();
  const again = (): void => void look().then(rest);
  let cancel = (): void => {};
  const rest = (): void => {
    if (!signal.aborted) cancel = clock.after(lookEveryMs, again);
  };
  rest();
  signal.addEventListener('abort', () => cancel(), { once: true });
}

async function apply(text: string, file: ManifestFile): Promise<void> {
  const { path, say, signal } = file;
  let contents: readonly unknown[];
  try {
    contents = contentsOf(text);
  } catch (error) {
    return say(`${path} is not applied: ${(error as Error).message.split('\n')[0]?.replace(/:$/, '')}`);
  }
  const objects = contents.filter(isObject);
  if (objects.length < contents.length) {
    return say(`${path} is not applied: each part of it needs an apiVersion, a kind and a metadata.name`);
  }
  const trial = await applyAll(objects, file, true);
  const refusals = trial.length > 0 ? trial : await applyAll(objects, file, false);
  if (signal.aborted) return;
  for (const refusal of refusals) say(refusal);
  if (refusals.length === 0) say(`${path} is applied`);
}

/** Throws for what is no YAML, and for an alias that stands for nothing or for too much. */
function contentsOf(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text);
  const wrong = documents.flatMap((document) => document.errors)[0];
  if (wrong) throw wrong;
  return documents.map((document) => document.toJS() as unknown).filter((content) => content !== null);
}

/** What was refused, a line each. */
async function applyAll(objects: readonly AnyObject[], file: ManifestFile, dryRun: boolean): Promise<string[]> {
  const refusals: string[] = [];
  for (const object of objects) {
    try {
      await applyOne(object, file, dryRun);
    } catch (error) {
      // What is not there yet may be made by an earlier part of the same manifest.
      if (dryRun && isKubeError(error) && error.kind === 'not-found') continue;
      const why = (error as Error).message.replace(/^[A-Z]+ \/\S+: /, '');
      refusals.push(`${file.path} is not applied: ${object.kind} ${object.metadata.name}: ${why}`);
    }
  }
  return refusals;
}

async function applyOne(object: AnyObject, { client, signal }: ManifestFile, dryRun: boolean): Promise<void> {
  const type = await discover(client, object.apiVersion, object.kind, { signal });
  const namespace = type.namespaced ? (object.metadata.namespace ?? 'default') : undefined;
  const named = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } };
  const options = { manager: 'cutover-start', force: true, fieldValidation: 'Strict', dryRun, signal } as const;
  await client.resource(type).apply(named, options);
}

function isObject(content: unknown): content is AnyObject {
  const { apiVersion, kind, metadata } = (content ?? {}) as Partial<AnyObject>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
