import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/kube/object.ts';

/** One request to the recorded API, and its answer. GUIDs, times and addresses are placeholders: `<org-org1-guid>`. */
export interface Recording {
  /** `023-org-get` */
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** `cf-admin`, `dev`, `nobody`, `(none)`, or `(invalid: …)` with the header that was sent. */
    readonly user: string;
    /** JSON, or the text that was sent instead. */
    readonly body?: Json;
    readonly content_type?: string;
  };
  readonly status: number;
  /** `location`, `x-cf-warnings`, and a content type that is not JSON. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const lines = readFileSync(join(import.meta.dirname, 'api.jsonl'), 'utf8')
  .trim()
  .split('\n');
const recordings = new Map(
  lines.map((line) => {
    const one = JSON.parse(line) as Recording;
    return [one.name, one];
  }),
);

export function recording(name: string): Recording {
  const found = recordings.get(name);
  if (!found) throw new Error(`there is no recording ${name}`);
  return found;
}

/** The names of all recordings, in the order in which they were made. */
export function recordingNames(): readonly string[] {
  return [...recordings.keys()];
}
