import { posix } from 'node:path';
import { PortError } from '../../control/port.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Collection } from '../decide/task/pipe-work.ts';
import { annotations } from '../keys.ts';
import { appliedAnnotations } from '../render/last-applied.ts';
import { readEnvFile } from './env-file.ts';

/** The ConfigMap or Secret that a file becomes. Errors: `PortError`, `refused`, for what is no environment file. */
export function artifact({ path, as, object }: Collection['files'][number], content: Uint8Array): KubeObject {
  const {
    [annotations.lastApplied]: _was,
    [annotations.contentHash]: _hash,
    ...kept
  } = object.metadata.annotations ?? {};
  const filled = {
    ...object,
    metadata: { ...object.metadata, annotations: kept },
    ...(as === 'file' ? fileContent(path, object.kind, content) : variables(path, object.kind, content)),
  };
  // What tells of the content can be said only now.
  return { ...filled, metadata: { ...filled.metadata, annotations: { ...kept, ...appliedAnnotations(filled) } } };
}

function fileContent(path: string, kind: string, content: Uint8Array): object {
  const entry = { [posix.basename(path)]: base64(content) };
  return kind === 'Secret' ? { data: entry } : { binaryData: entry };
}

function variables(path: string, kind: string, content: Uint8Array): object {
  const read = readEnvFile(content);
  if ('problem' in read) {
    throw new PortError('refused', `failed to read env var file ${JSON.stringify(path)}: ${read.problem}`);
  }
  const entries = [...read.variables].map(([key, value]) => [
    key,
    kind === 'Secret' ? base64(Buffer.from(value)) : value,
  ]);
  return entries.length > 0 ? { data: Object.fromEntries(entries) } : {};
}

function base64(content: Uint8Array): string {
  return Buffer.from(content).toString('base64');
}
