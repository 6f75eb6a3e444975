import type { ConditionLine, Portrait } from '../../../portrait/portrait.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import { countdown } from '../../../portrait/text/duration.ts';
import type { EventLine, Offer, Page } from '../../../portrait/wire.ts';
import { factLines, sideLines } from './facts.ts';
import { type Cell, grid } from './grid.ts';
import { labelled } from './labelled.ts';
import { blank, type Frame, heading, type Line } from './line.ts';
import { phaseMark } from './marks.ts';
import { stepLines } from './steps.ts';
import { treeLines } from './tree.ts';

/** Changed fields that are shown one by one. */
const mostChanges = 8;
const mostEvents = 8;

/** What can be left out when there is no room, the least important first. */
const spare = ['facts', 'events', 'conditions', 'tree'] as const;

/** Everything about one workload on a page, the five answers first. What does not fit into `rows` is left out by sections, and named. */
export function pageLines(
  { portrait, events, offers }: Page,
  frame: Frame,
  rows = Number.POSITIVE_INFINITY,
): readonly Line[] {
  const { now } = frame;
  const sections = new Map<string, readonly Line[]>([
    ['header', headerLines(portrait, frame)],
    ['sides', sideLines(portrait.sides, frame)],
    ['steps', stepLines(portrait.steps, now)],
    ['tree', treeLines(portrait.tree, { pods: portrait.pods, now })],
    ['facts', factLines(portrait.facts, now)],
    ['conditions', conditionLines(portrait, now)],
    ['events', eventTable(events, now)],
    ['offers', offerLines(offers)],
  ]);
  const missing: string[] = [];
  for (const name of spare) {
    // One more for the line that says so.
    if (joined([...sections.values()]).length + (missing.length > 0 ? 2 : 0) <= rows) break;
    if (sections.get(name)?.length) missing.push(name);
    sections.delete(name);
  }
  const note = missing.length === 0 ? [] : [faint(`not shown for lack of room: ${missing.join(', ')}`)];
  return joined([...sections.values(), note]);
}

function faint(text: string): Line {
  return [{ text, tone: 'faint' }];
}

/** Sections, a blank line between each two. */
export function joined(sections: readonly (readonly Line[])[]): readonly Line[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [blank, ...section]));
}

function headerLines(portrait: Portrait, { now, width }: Frame): readonly Line[] {
  const { subject, phase, state, since, answers, cause } = portrait;
  const title = subject.title !== undefined && subject.title !== subject.name ? `${subject.title}, ` : '';
  const age = ageSince(since, now);
  const word = `${state !== undefined && state.toLowerCase() !== phase ? `${phase} (${state})` : phase}`;
  const changes = cause?.changes ?? [];
  return [
    ...labelled('Name', `${title}${subject.namespace}/${subject.name}   ${subject.kind}`, width),
    ...labelled('Status', `${phaseMark(phase, word).text}${age === '' ? '' : `, for ${age}`}`, width, phase),
    ...labelled('', portrait.headline, width),
    ...labelled('Needs you', portrait.needsYou ?? '', width, 'strong'),
    ...labelled('Serves', answers.serves, width),
    ...labelled('Changing', answers.changing, width),
    ...changes.slice(0, mostChanges).flatMap(({ path, from, to }) => {
      // What it was is not always known: without it, nothing is said of it.
      return labelled('', `${path}: ${from === undefined ? '' : `${from} → `}${to ?? '(none)'}`, width, 'faint');
    }),
    ...(changes.length > mostChanges ? labelled('', `… and ${changes.length - mostChanges} more`, width, 'faint') : []),
    ...labelled('Progress', answers.progress, width),
    ...labelled('If stopped', answers.ifStopped, width),
    ...labelled('Next', answers.next, width),
    ...portrait.deadlines.flatMap(({ what, at }, index) =>
      labelled(index === 0 ? 'Deadline' : '', `${what} ${inTime(at, now)}`, width),
    ),
  ];
}

/** `in 1m19s`, `41s ago` */
function inTime(at: string, now: number): string {
  const left = Date.parse(at) - now;
  if (Number.isNaN(left)) return 'at a time that is not known';
  return left >= 0 ? `in ${countdown(left)}` : `was due ${countdown(-left)} ago`;
}

/** Only those that say something that nobody has said yet. */
function conditionLines({ conditions, headline }: Portrait, now: number): readonly Line[] {
  const said = new Set<string>();
  const telling = conditions.filter(({ type, reason, message }) => {
    const words = message.toLowerCase().replace(/[.\s]+$/, '');
    const old = said.has(words) || headline.toLowerCase().includes(words);
    said.add(words);
    return !old && words !== type.toLowerCase() && words !== reason.toLowerCase();
  });
  const row = ({ type, status, reason, message, since }: ConditionLine): readonly Cell[] => {
    return [type, status, reason, ageSince(since, now), message];
  };
  return telling.length === 0 ? [] : grid(telling.map(row), ['CONDITION', 'IS', 'REASON', 'SINCE', 'MESSAGE']);
}

export function eventTable(events: readonly EventLine[], now: number): readonly Line[] {
  if (events.length === 0) return [];
  const row = ({ at, reason, note, warning, about, count }: EventLine): readonly Cell[] => [
    ageSince(at, now),
    { text: reason, ...(warning && { tone: 'degraded' as const }) },
    about,
    count > 1 ? `${note} (${count}×)` : note,
  ];
  return grid(events.slice(0, mostEvents).map(row), ['EVENT', 'REASON', 'ABOUT', 'NOTE']);
}

/** What can be done, as commands to copy. */
function offerLines(offers: readonly Offer[]): readonly Line[] {
  const possible = offers.filter(({ whyNot }) => whyNot === undefined);
  if (possible.length === 0) return [];
  const rows = possible.map(({ command, summary, stake }): readonly Cell[] => [
    `  ${command}`,
    stake ? `${summary} (asks first: ${stake.what} is at stake)` : summary,
  ]);
  return [heading('You can:'), ...grid(rows)];
}
