import type { Fact, Side } from '../../../portrait/portrait.ts';
import { ageSince } from '../../../portrait/text/age.ts';
import { widthOf } from '../../../portrait/text/width.ts';
import { type Cell, grid } from './grid.ts';
import { type Frame, type Line, shown } from './line.ts';
import { phaseMark } from './marks.ts';

const between = ' · ';
/** With less room than this for facts, lines are better left long. */
const narrowest = 30;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** What exists beside each other, with facts in as many lines as they need. */
export function sideLines(sides: readonly Side[], { now, width }: Pick<Frame, 'now' | 'width'>): readonly Line[] {
  if (sides.length === 0) return [];
  const header = ['SIDE', 'ROLE', 'STATUS'];
  const cells = sides.map(({ name, role, phase, state }): readonly Cell[] => [name, role, phaseMark(phase, state)]);
  const left = Math.max(...grid(cells, header).map((line) => line.reduce((sum, { text }) => sum + widthOf(text), 0)));
  const room = width - left - 2;
  const rows = sides.flatMap(({ facts }, index): (readonly Cell[])[] => {
    const texts = facts.map(({ label, value }) => shown(`${label} ${toldOf(value, now)}`));
    const [first = '', ...more] = packed(texts, room < narrowest ? Number.POSITIVE_INFINITY : room);
    return [[...(cells[index] ?? []), first], ...more.map((text) => ['', '', '', text])];
  });
  return grid(rows, [...header, 'FACTS']);
}

export function factLines(facts: readonly Fact[], now: number): readonly Line[] {
  return grid(facts.map(({ label, value }): readonly Cell[] => [{ text: label, tone: 'faint' }, toldOf(value, now)]));
}

/** Nobody counts from a time to now. */
function toldOf(value: string, now: number): string {
  return time.test(value) ? `${ageSince(value, now)} ago` : value;
}

/** As many on a line as it has room for, and none broken. */
function packed(texts: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const longer = `${lines.at(-1)}${between}${text}`;
    if (lines.length > 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}
