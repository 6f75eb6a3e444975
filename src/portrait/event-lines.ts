import type { AnyObject } from '../kube/object.ts';
import type { Portrait, TreeNode } from './portrait.ts';
import type { EventLine } from './wire.ts';

/** Notes of events are at most 1 KiB long; those of other programs may be longer. */
const longestNote = 1024;
const longestName = 253;

/**
 * Events of a namespace as lines, the newest first: those of `events.k8s.io/v1` and those of the core group alike. With a
 * portrait, only those about the object and what it made. Total: whoever may write events may write anything.
 */
export function eventLines(
  events: readonly AnyObject[],
  { portrait, limit = 20 }: { readonly portrait?: Pick<Portrait, 'subject' | 'tree'>; readonly limit?: number } = {},
): readonly EventLine[] {
  const isAbout = portrait && aboutOf(portrait);
  return events
    .flatMap((event) => {
      const about = referenceOf(event);
      return isAbout && !isAbout(about) ? [] : [lineOf(event, about)];
    })
    .sort((a, b) => timeOf(b) - timeOf(a))
    .slice(0, limit);
}

interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** An object of the same name that was there before has another uid; of what hangs below only names are known. */
function aboutOf({ subject, tree }: Pick<Portrait, 'subject' | 'tree'>): (about: Reference) => boolean {
  const names = new Set<string>();
  const pending: TreeNode[] = [tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    names.add(`${node.kind}/${node.name}`);
    pending.push(...node.children);
  }
  const own = `${subject.kind}/${subject.name}`;
  names.add(own);
  return ({ kind, name, uid }) => {
    const id = `${kind}/${name}`;
    return names.has(id) && (id !== own || uid === '' || uid === subject.uid);
  };
}

function lineOf(event: AnyObject, { kind, name }: Reference): EventLine {
  const series = members(event.series);
  const counted = [series.count, event.deprecatedCount, event.count].find((one) => typeof one === 'number' && one > 0);
  return {
    at: lastOf(event),
    reason: text(event.reason).slice(0, longestName),
    note: bounded(text(event.note) || text(event.message)),
    warning: event.type === 'Warning',
    about: `${kind}/${name}`,
    count: typeof counted === 'number' ? counted : 1,
  };
}

/** When it was last seen. */
function lastOf(event: AnyObject): string {
  const times = [
    members(event.series).lastObservedTime,
    event.eventTime,
    event.deprecatedLastTimestamp,
    event.lastTimestamp,
    members(event.metadata).creationTimestamp,
  ];
  const known = times.find((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)));
  return text(known);
}

function timeOf({ at }: EventLine): number {
  return at === '' ? 0 : Date.parse(at);
}

function referenceOf(event: AnyObject): Reference {
  const { kind, name, uid } = members(event.regarding ?? event.involvedObject);
  return { kind: text(kind).slice(0, longestName), name: text(name).slice(0, longestName), uid: text(uid) };
}

function bounded(note: string): string {
  return note.length > longestNote ? `${note.slice(0, longestNote - 1)}…` : note;
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
