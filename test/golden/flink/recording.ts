import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { AnyObject, Json } from '../../../src/kube/object.ts';

/** One case as it was recorded: what was created, what came of it, and what each edit made of that. */
export interface Recording {
  /** The custom resource as it was created. */
  readonly input: AnyObject;
  /** Objects as the operator sent them, without the API server's defaults; absent when it made none. */
  readonly sent?: readonly AnyObject[];
  readonly status: RecordedStatus;
  readonly events: readonly RecordedEvent[];
  /** By name, in the order in which they were made. */
  readonly edits: Readonly<Record<string, RecordedEdit>>;
  /** Objects as they were when all edits had been made; only some cases have them. */
  readonly afterEdits?: readonly AnyObject[];
}

export interface RecordedEdit {
  /** A JSON merge patch. */
  readonly patch: Json;
  /** Events since the patch as text, in the form that `eventsIn` reads. */
  readonly events: string;
  readonly status: RecordedStatus;
  readonly changes: RecordedChanges;
}

/** What else happened after an edit. */
export interface RecordedChanges {
  readonly generation: { readonly before: number; readonly after: number };
  readonly objects: readonly {
    readonly action: 'created' | 'recreated' | 'updated' | 'deleted';
    readonly object: string;
    readonly diff?: readonly string[];
  }[];
  /** `waiting`: nothing more happened while it was watched; `quiet`: the same of a blue/green deployment. */
  readonly outcome: 'settled' | 'error' | 'waiting' | 'quiet';
  readonly states: readonly Readonly<Record<string, Json>>[];
}

/** A status; what comparisons look at has a name here. */
export interface RecordedStatus {
  readonly [field: string]: Json | undefined;
  readonly error?: string;
  /** These two of a blue/green deployment. */
  readonly lastReconciledSpec?: string;
  readonly blueGreenState?: string;
  readonly reconciliationStatus?: {
    readonly lastReconciledSpec?: string;
    readonly lastStableSpec?: string;
    readonly state?: string;
  };
}

export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly component: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly message: string;
}

/** A recording in the layout of the recorder: a folder per case, in it a folder per edit. */
export function readFolder(folder: string): Recording {
  const names = readdirSync(folder);
  const text = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
  const documents = (file: string): AnyObject[] => parseAllDocuments(text(file)).map((one) => one.toJS());
  const edits = names.includes('edits') ? readdirSync(join(folder, 'edits')).sort() : [];
  return {
    input: parse(text('input.yaml')),
    ...(names.includes('sent.yaml') && { sent: documents('sent.yaml') }),
    ...(names.includes('objects-after-edits.yaml') && { afterEdits: documents('objects-after-edits.yaml') }),
    status: parse(text('status.yaml')) ?? {},
    events: parse(text('events.yaml')) ?? [],
    edits: Object.fromEntries(
      edits.map((edit) => [
        edit,
        {
          patch: parse(text('edits', edit, 'patch.yaml')),
          events: text('edits', edit, 'event.txt'),
          status: parse(text('edits', edit, 'status.yaml')) ?? {},
          changes: parse(text('edits', edit, 'changes.yaml')),
        },
      ]),
    ),
  };
}

/** Reads `Type Reason (Component) on Kind/name: message`; a message may have several lines. */
export function eventsIn(text: string): RecordedEvent[] {
  const heads = [...text.matchAll(/^(Normal|Warning) (\S+) \((\S+)\) on (\S+?)\/(\S+): /gm)];
  return heads.map((head, index) => {
    const [all, type, reason = '', component = '', kind = '', name = ''] = head;
    const message = text.slice(head.index + all.length, heads[index + 1]?.index).replace(/\n$/, '');
    return { type: type as RecordedEvent['type'], reason, component, involvedObject: { kind, name }, message };
  });
}
