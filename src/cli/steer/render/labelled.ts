import { padTo, wrapTo } from '../../../portrait/text/width.ts';
import { type Line, type Span, shown, type Tone } from './line.ts';

/** Wide enough for `Availability:`. */
const labelWidth = 14;
/** Below this a wrapped text is harder to read than one that is cut. */
const narrowest = 20;

/** `Serves:      blue, since 2h`, wrapped below itself. Nothing for an empty text. */
export function labelled(label: string, text: string, width: number, tone?: Tone): readonly Line[] {
  if (text === '') return [];
  const room = Math.max(narrowest, width - labelWidth);
  return wrapTo(shown(text), room).map((line, index) => {
    const left: Span = { text: padTo(index === 0 && label !== '' ? `${label}: ` : '', labelWidth), tone: 'faint' };
    return [left, { text: line, ...(tone && { tone }) }];
  });
}
