import type { Phase } from '../../../portrait/summary.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { cutTo, widthOf } from '../../../portrait/text/width.ts';

/** Colours mean something: how a workload is, what is a heading, what is beside the point. */
export type Tone = Phase | 'strong' | 'faint';

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

/** A line of output. What is in it was written by anybody: it is made harmless when it is printed. */
export type Line = readonly Span[];

/** For whom something is rendered. */
export interface Frame {
  /** Columns of the terminal; `Infinity` when lines need not end. */
  readonly width: number;
  readonly now: number;
  /** What people type in front of a command: `cutover`. */
  readonly program: string;
}

/** Messages are sentences; what is longer than this is somebody's annotation. */
const longestText = 1000;
/** What is bounded already may have become longer by escapes, up to six times. */
const longestSpan = 8 * longestText;

/** Text as it may be shown: on one line, obeyed by no terminal, not without end. */
export function shown(text: string, longest = longestText): string {
  const safe = harmless(text.length > longest ? text.slice(0, longest) : text);
  return text.length > longest ? `${safe}… (${text.length} characters)` : safe;
}

export function plain(text: string): Line {
  return [{ text }];
}

export function heading(text: string): Line {
  return [{ text, tone: 'strong' }];
}

export const blank: Line = [];

/** Select Graphic Rendition, by meaning. */
const codes: Readonly<Record<Tone, string>> = {
  healthy: '32',
  progressing: '36',
  waiting: '35',
  degraded: '33',
  failed: '31',
  paused: '34',
  suspended: '2',
  deleting: '2',
  unknown: '2',
  strong: '1',
  faint: '2',
};

/** The line as it goes to a terminal or a file, within so many columns. */
export function printed(line: Line, { width, color }: { readonly width: number; readonly color: boolean }): string {
  let left = width;
  let text = '';
  for (const { text: given, tone } of line) {
    if (left <= 0) break;
    const whole = shown(given, longestSpan);
    const piece = width === Number.POSITIVE_INFINITY ? whole : cutTo(whole, left);
    if (width !== Number.POSITIVE_INFINITY) left -= widthOf(piece);
    text += color && tone && piece.trim() !== '' ? `\u001b[${codes[tone]}m${piece}\u001b[0m` : piece;
  }
  return color ? text : text.trimEnd();
}
