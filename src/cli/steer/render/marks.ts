import type { Step } from '../../../portrait/portrait.ts';
import type { Phase } from '../../../portrait/summary.ts';
import type { Span, Tone } from './line.ts';

/** One sign per phase, so that it can be told without colours. */
const signs: Readonly<Record<Phase, string>> = {
  healthy: '✔',
  progressing: '◌',
  waiting: '◷',
  degraded: '⚠',
  failed: '✖',
  paused: '‖',
  suspended: '▫',
  deleting: '–',
  unknown: '?',
};

/** `✔ RUNNING` */
export function phaseMark(phase: Phase, word: string = phase): Span {
  return { text: `${signs[phase]} ${word}`, tone: phase };
}

const steps: Readonly<Record<Step['status'], { readonly sign: string; readonly word: string; readonly tone: Tone }>> = {
  done: { sign: '✔', word: 'done', tone: 'healthy' },
  current: { sign: '◌', word: 'now', tone: 'progressing' },
  pending: { sign: '·', word: 'to come', tone: 'faint' },
  failed: { sign: '✖', word: 'failed', tone: 'failed' },
  skipped: { sign: '–', word: 'skipped', tone: 'faint' },
};

export function stepMark(status: Step['status']): {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
} {
  return steps[status];
}
