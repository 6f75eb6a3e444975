import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { mergeValue } from '../../../src/embedded/apply/merge-patch.ts';
import type { AnyObject, Json } from '../../../src/kube/object.ts';
import {
  eventsIn,
  type RecordedChanges,
  type RecordedEvent,
  type RecordedStatus,
  type Recording,
  readFolder,
} from './recording.ts';

/** One case of the recordings, ready to be compared. */
export interface GoldenCase {
  /** `01-native-app-minimal` */
  readonly name: string;
  readonly kind: 'FlinkDeployment' | 'FlinkBlueGreenDeployment' | 'FlinkSessionJob' | 'FlinkStateSnapshot';
  /** The custom resource as it was created. */
  readonly input: AnyObject & { readonly spec: Spec };
  /** Objects as the operator sent them; empty when it made none. */
  readonly sent: readonly AnyObject[];
  readonly status: RecordedStatus;
  readonly events: readonly RecordedEvent[];
  /** Each starts from what the one before left. */
  readonly edits: readonly GoldenEdit[];
  /** Objects as they were when all edits had been made; empty when that was not recorded. */
  readonly afterEdits: readonly AnyObject[];
}

export interface GoldenEdit {
  /** `03-parallelism` */
  readonly name: string;
  /** A JSON merge patch. */
  readonly patch: Json;
  /** The custom resource before and after the patch. */
  readonly before: AnyObject & { readonly spec: Spec };
  readonly after: AnyObject & { readonly spec: Spec };
  /** Status before the patch, and when all had settled. */
  readonly statusBefore: RecordedStatus;
  readonly status: RecordedStatus;
  /** New or repeated since the patch, in order. */
  readonly events: readonly RecordedEvent[];
  readonly changes: RecordedChanges;
}

/** A spec as it was written. */
export type Spec = { readonly [field: string]: Json };

/** Another folder of recordings, in the layout of the recorder, to compare with instead of ours. */
const elsewhere = process.env.CUTOVER_GOLDEN_FLINK;

/** Whether the recordings are those of this repository: only then must every listed difference occur. */
export const areOurs = elsewhere === undefined;

/** All cases, by name. */
export function goldenCases(): readonly GoldenCase[] {
  const folder = elsewhere ?? join(import.meta.dirname, 'cases');
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries
    .filter(({ name }) => /^r?\d\d-/.test(name))
    .map((entry) =>
      entry.isDirectory()
        ? caseOf(entry.name, readFolder(join(folder, entry.name)))
        : caseOf(entry.name.replace(/\.yaml$/, ''), parse(readFileSync(join(folder, entry.name), 'utf8'))),
    );
}

function caseOf(name: string, { input, sent = [], status, events, edits, afterEdits = [] }: Recording): GoldenCase {
  const created = input as GoldenCase['input'];
  let [before, statusBefore] = [created, status];
  return {
    name,
    kind: input.kind as GoldenCase['kind'],
    input: created,
    sent,
    status,
    events,
    afterEdits,
    edits: Object.entries(edits).map(([edit, recorded]) => {
      const after = mergeValue(before, recorded.patch) as GoldenCase['input'];
      const golden = { ...recorded, name: edit, before, after, statusBefore, events: eventsIn(recorded.events) };
      [before, statusBefore] = [after, recorded.status];
      return golden;
    }),
  };
}

/** The configuration of the recorded operator, file by file: `flink-conf.yaml`, `log4j-console.properties`. */
export function operatorConf(): Readonly<Record<string, string>> {
  const ours = join(import.meta.dirname, 'operator-conf');
  const theirs = join(elsewhere ?? '', 'operator-conf');
  const folder = elsewhere !== undefined && existsSync(theirs) ? theirs : ours;
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
