import { unwatchFile, watchFile } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Client } from '../kube/client.ts';
import { discover } from '../kube/discover.ts';
import type { AnyObject } from '../kube/object.ts';

export interface ManifestFile {
  readonly path: string;
  /** What the file holds when it does not exist yet. */
  readonly initial: string;
  readonly client: Client;
  /** Says one line to the person at the terminal. */
  readonly say: (line: string) => void;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** Saving is noticed within this time, also where the file system tells nobody. */
const lookEveryMs = 300;

/**
 * Applies a manifest now and whenever it is saved, so that whoever has no `kubectl` can edit a file instead. What the
 * server refuses, or what is no YAML, is said in a line; the objects stay as they are until the next save.
 */
export async function followManifest(file: ManifestFile): Promise<void> {
  const { path, initial, signal } = file;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, initial, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  let applied = '';
  const look = async (): Promise<void> => {
    const text = await readFile(path, 'utf8').catch(() => applied);
    // An editor may empty the file for a moment while it saves.
    if (text === applied || text.trim() === '' || signal.aborted) return;
    applied = text;
    await apply(text, file);
  };
  await look();
  let turn = Promise.resolve();
  watchFile(path, { interval: lookEveryMs, persistent: false }, () => {
    turn = turn.then(look);
  });
  signal.addEventListener('abort', () => unwatchFile(path), { once: true });
}

async function apply(text: string, { path, client, say, signal }: ManifestFile): Promise<void> {
  const documents = parseAllDocuments(text);
  const wrong = documents.flatMap((document) => document.errors)[0];
  if (wrong) return say(`${path} is not applied: ${wrong.message.split('\n')[0]}`);
  const objects = documents.map((document) => document.toJS() as AnyObject | null).filter((object) => object !== null);
  let refused = 0;
  for (const object of objects) {
    const refusal = await applyOne(object, client, signal).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (signal.aborted) return;
    if (refusal === undefined) continue;
    refused += 1;
    say(`${object.kind ?? 'an object'} ${object.metadata?.name ?? ''} of ${path} is not applied: ${refusal}`);
  }
  if (refused < objects.length) say(`${path} applied`);
}

async function applyOne(object: AnyObject, client: Client, signal: AbortSignal): Promise<void> {
  if (typeof object.apiVersion !== 'string' || typeof object.kind !== 'string' || !object.metadata?.name) {
    throw new Error('apiVersion, kind and metadata.name must be there');
  }
  const type = await discover(client, object.apiVersion, object.kind, { signal });
  const namespace = type.namespaced ? (object.metadata.namespace ?? 'default') : undefined;
  const named = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } };
  const options = { manager: 'cutover-start', force: true, fieldValidation: 'Strict', signal } as const;
  await client.resource(type).apply(named, options);
}
