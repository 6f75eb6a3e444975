import { createHash } from 'node:crypto';
import type { AnyObject } from '../../kube/object.ts';
import { eventLines } from '../../portrait/event-lines.ts';
import type { Summary } from '../../portrait/summary.ts';
import type { EventLine } from '../../portrait/wire.ts';
import type { EventClass } from './event-class.ts';

/** What an event is about. */
export interface About {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Something worth telling. */
export interface Notice {
  readonly class: EventClass;
  /** The same for the same news, whoever sends it and however often: receivers drop what they have had. */
  readonly id: string;
  readonly about: About;
  readonly data:
    | { readonly summary: Summary; readonly before?: Pick<Summary, 'phase' | 'state' | 'headline'> }
    | { readonly event: EventLine };
}

type Rule = (before: Summary | undefined, after: Summary) => boolean;

const troubled = (summary: Summary | undefined): boolean =>
  summary?.phase === 'failed' || summary?.phase === 'degraded';

/** What makes which news, by how it was and how it is. */
const rules: Readonly<Partial<Record<EventClass, Rule>>> = {
  'transition-started': (before, after) => after.inTransition && !before?.inTransition,
  'transition-ended': (before, after) => before?.inTransition === true && !after.inTransition,
  'needs-you': (before, after) => after.needsYou !== undefined && after.needsYou !== before?.needsYou,
  failed: (before, after) => after.phase === 'failed' && before?.phase !== 'failed',
  degraded: (before, after) => after.phase === 'degraded' && before?.phase !== 'degraded',
  recovered: (before, after) => troubled(before) && !troubled(after),
};

/** What a change of a workload is news of. Without `before` it is how it stands. */
export function noticesOf(before: Summary | undefined, after: Summary): readonly Notice[] {
  // One of the same name that was made anew is another one.
  const known = before?.subject.uid === after.subject.uid ? before : undefined;
  return Object.entries(rules).flatMap(([name, holds]) => {
    if (!holds(known, after)) return [];
    return [notice(name as EventClass, after, known, markOf(name as EventClass, after))];
  });
}

export function deletedNotice(last: Summary): Notice {
  return notice('deleted', last, undefined, '');
}

/** What an event of the operator is news of. Total: whoever may write events may write anything. */
export function noticesOfEvent(event: AnyObject): readonly Notice[] {
  const [line] = eventLines([event]);
  const uid = event.metadata.uid ?? '';
  if (!line || uid === '') return [];
  const classes: readonly EventClass[] = [
    ...(/^(Restart|Redeployed)/.test(line.reason) ? (['restarted'] as const) : []),
    ...(line.warning ? (['warning'] as const) : []),
  ];
  const about = aboutOf(event);
  return classes.map((name) => ({ class: name, id: idOf(uid, name, ''), about, data: { event: line } }));
}

function notice(name: EventClass, summary: Summary, before: Summary | undefined, mark: string): Notice {
  const { apiVersion, kind, namespace, name: called, uid } = summary.subject;
  const was = before && {
    phase: before.phase,
    ...(before.state !== undefined && { state: before.state }),
    headline: before.headline,
  };
  return {
    class: name,
    id: idOf(uid, name, mark),
    about: { apiVersion, kind, namespace, name: called, uid },
    data: { summary, ...(was && { before: was }) },
  };
}

/** Tells one transition, or one need, from the next of the same workload. */
function markOf(name: EventClass, { since, state, needsYou }: Summary): string {
  return JSON.stringify([since ?? state ?? '', name === 'needs-you' ? needsYou : '']);
}

function idOf(uid: string, name: EventClass, mark: string): string {
  return createHash('sha256')
    .update(JSON.stringify([uid, name, mark]))
    .digest('hex')
    .slice(0, 32);
}

function aboutOf({ regarding, metadata }: AnyObject): About {
  const members =
    typeof regarding === 'object' && regarding !== null ? (regarding as Readonly<Record<string, unknown>>) : {};
  const text = (name: string): string => {
    const value = members[name];
    return typeof value === 'string' ? value.slice(0, 253) : '';
  };
  return {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    // Events are in the namespace of what they are about: what they say of it themselves is not believed.
    namespace: metadata.namespace ?? '',
    name: text('name'),
    uid: text('uid'),
  };
}
