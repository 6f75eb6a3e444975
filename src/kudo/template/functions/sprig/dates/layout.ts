/** What Go reads in a layout: the parts of Mon Jan 2 15:04:05 MST 2006, each in several forms. */
const PARTS = new RegExp(
  [
    'January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST',
    '0[1-6]|002|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm',
    '[-Z](?:070000|07:00:00|0700|07:00|07)',
    '[.,](?:0+|9+)(?![0-9])',
  ].join('|'),
  'g',
);

export interface LayoutPart {
  readonly kind: 'text' | 'part';
  readonly text: string;
}

/** A layout taken apart into what stands for something and what stands for itself. */
export function layoutParts(layout: string): readonly LayoutPart[] {
  const parts: LayoutPart[] = [];
  let at = 0;
  for (const match of layout.matchAll(PARTS)) {
    if (match.index > at) parts.push({ kind: 'text', text: layout.slice(at, match.index) });
    parts.push({ kind: 'part', text: match[0] });
    at = match.index + match[0].length;
  }
  parts.push({ kind: 'text', text: layout.slice(at) });
  return parts;
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
