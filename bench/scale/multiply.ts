import { randomUUID } from 'node:crypto';
import type { JournalRecord } from '../../src/embedded/store/journal.ts';
import { openJournal } from '../../src/embedded/store/sqlite-journal.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { jobIdOf, nameOf } from './names.ts';
import type { Template } from './template.ts';

type Stored = JournalRecord & { readonly json: string };

/** What the operator looks at of a FlinkDeployment, the resource itself included. */
const buckets = new Set(['flinkdeployments.flink.apache.org', 'deployments.apps', 'services', 'configmaps', 'pods']);

/**
 * Makes many of the one that was recorded, in the directory of a cluster that does not run: the same objects, byte by byte,
 * but for names, uids, versions and the job. To let an operator deploy ten thousand would take the better part of an hour.
 */
export async function multiply(data: string, template: Template, from: number, to: number): Promise<void> {
  const journal = await openJournal(data);
  try {
    const { revision, records } = journal.load();
    const originals = [...records].filter(({ bucket, json }) => buckets.has(bucket) && json.includes(template.name));
    let last = revision;
    for (let index = from; index < to; index++) {
      const uids = new Map(originals.map(({ json }) => [uidOf(json), randomUUID()]));
      for (const record of originals) journal.append(copyOf(record, template, nameOf(index), ++last, uids));
    }
  } finally {
    journal.close();
  }
}

function copyOf(
  { bucket, namespace, name, json }: Stored,
  template: Template,
  newName: string,
  revision: number,
  uids: ReadonlyMap<string, string>,
): Stored {
  let text = json.replaceAll(template.name, newName);
  // The recorded one is itself rewritten the first time.
  for (const jobId of [template.jobId, jobIdOf(template.name)]) text = text.replaceAll(jobId, jobIdOf(newName));
  for (const [before, after] of uids) text = text.replaceAll(before, after);
  text = text.replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${revision}"`);
  return { bucket, namespace, name: name.replace(template.name, newName), revision, json: text };
}

function uidOf(json: string): string {
  return (JSON.parse(json) as KubeObject).metadata.uid ?? '';
}
