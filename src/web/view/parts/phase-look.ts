import type { Phase } from '../../../portrait/summary.ts';
import type { IconName } from './icon.tsx';

/** What a colour means; see `styles/tokens.css`. */
export type Tone = 'bad' | 'ask' | 'weak' | 'move' | 'good' | 'idle';

export interface Look {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly word: string;
}

const looks: Readonly<Record<Phase, Look>> = {
  failed: { icon: 'cross', tone: 'bad', word: 'Failed' },
  waiting: { icon: 'hand', tone: 'ask', word: 'Waiting' },
  degraded: { icon: 'alert', tone: 'weak', word: 'Degraded' },
  progressing: { icon: 'turn', tone: 'move', word: 'Progressing' },
  deleting: { icon: 'trash', tone: 'idle', word: 'Deleting' },
  paused: { icon: 'pause', tone: 'ask', word: 'Paused' },
  unknown: { icon: 'question', tone: 'idle', word: 'Unknown' },
  suspended: { icon: 'stop', tone: 'idle', word: 'Suspended' },
  healthy: { icon: 'check', tone: 'good', word: 'Healthy' },
};

/** A phase of a newer server is shown as unknown rather than not at all. */
export function lookOf(phase: Phase): Look {
  return Object.hasOwn(looks, phase) ? looks[phase] : looks.unknown;
}
