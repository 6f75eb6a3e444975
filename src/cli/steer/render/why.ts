import type { PodPortrait, Portrait } from '../../../portrait/portrait.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import type { EventLine } from '../../../portrait/wire.ts';
import { grid } from './grid.ts';
import { labelled } from './labelled.ts';
import type { Frame, Line } from './line.ts';
import { phaseMark } from './marks.ts';
import { eventTable, joined } from './page.ts';

/** What `cutover why` knows of a pod. */
export interface Why {
  readonly pod: PodPortrait;
  readonly portrait: Portrait;
  readonly events: readonly EventLine[];
}

/** Why a pod was made or restarted, and why it will be. */
export function whyLines({ pod, portrait, events }: Why, { now, width }: Frame): readonly Line[] {
  const { subject } = portrait;
  const age = ageSince(pod.createdAt, now);
  const header = [
    ...labelled('Pod', `${subject.namespace}/${pod.name}${age === '' ? '' : `, ${age} old`}`, width),
    ...labelled('Status', phaseMark(pod.phase, pod.status).text, width, pod.phase),
    ...labelled('Runs for', `${subject.kind} ${subject.name}${pod.side ? `, ${pod.side}` : ''}`, width),
    ...labelled('Crashed', pod.restarts > 0 ? `its containers restarted ${pod.restarts}× by themselves` : '', width),
  ];
  const rows = pod.reasons.map(({ when, sentence, at }) => [
    {
      text: when === 'will' ? 'will restart' : 'did',
      tone: when === 'will' ? ('progressing' as const) : ('faint' as const),
    },
    ageSince(at, now),
    sentence,
  ]);
  const reasons: readonly Line[] =
    rows.length === 0
      ? labelled('Why', 'nothing is known of why it is there', width)
      : grid(rows, ['WHEN', 'AGO', 'WHY']);
  return joined([header, reasons, eventTable(events, now)]);
}
