import type { Fact, Side as SidePortrait } from '../../../portrait/portrait.ts';
import type { Phase } from '../../../portrait/summary.ts';
import type { BlueGreenView, SideSeen } from '../../blue-green-view.ts';
import { type Health, sideOf } from '../../decide/bluegreen/side.ts';
import { isAhead } from '../../decide/bluegreen/traffic.ts';
import { errorMessage } from '../../decide/error-text.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { brief } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { word } from './moments.ts';

const phases: Readonly<Record<Health, Phase>> = {
  absent: 'unknown',
  taken: 'failed',
  leaving: 'deleting',
  suspended: 'suspended',
  ready: 'healthy',
  ended: 'failed',
  failing: 'failed',
  settling: 'progressing',
};

/** Blue and green, as far as they are there or about to be; the one that serves first. */
export function sidesOf(l: BlueGreenLook, view: BlueGreenView): readonly SidePortrait[] {
  return colors
    .filter((color) => view.sides[color] !== undefined || isWanted(l, color))
    .map((color) => sidePortrait(l, view, color))
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

const order: readonly SidePortrait['role'][] = ['serving', 'next', 'old', 'idle'];

/** What a side is to the resource. */
export function roleOf(l: BlueGreenLook, color: Color): SidePortrait['role'] {
  if (color === l.serving) return 'serving';
  const { transition } = l;
  if (!transition) return l.serving === undefined ? 'next' : 'idle';
  return isAhead(transition) || (transition.phase === 'returning' && color === transition.from) ? 'old' : 'next';
}

function isWanted(l: BlueGreenLook, color: Color): boolean {
  return color === l.serving || color === l.transition?.to || color === l.transition?.from;
}

function sidePortrait(l: BlueGreenLook, view: BlueGreenView, color: Color): SidePortrait {
  const side = sideOf(l.subject, color, view.sides[color]);
  const { is, seen } = side;
  const toBeMade = is === 'absent' && l.transition?.to === color;
  return {
    name: word(color),
    role: roleOf(l, color),
    phase: toBeMade ? 'progressing' : phases[is],
    state: toBeMade ? 'not made yet' : stateText(is, seen),
    facts: [{ label: 'FlinkDeployment', value: side.name }, ...(seen ? factsOf(l, color, seen) : [])],
  };
}

function stateText(is: Health, seen: SideSeen | undefined): string {
  if (is === 'absent') return 'not there';
  if (is === 'taken') return 'the name belongs to somebody else';
  if (is === 'leaving') return 'being deleted';
  if (is === 'suspended') return 'suspended';
  const { jobStatus, lifecycleState } = seen?.status ?? {};
  return [jobStatus?.state, lifecycleState].filter((one) => one !== undefined).join(', ') || 'nothing is known yet';
}

function factsOf({ transition, status }: BlueGreenLook, color: Color, seen: SideSeen): readonly Fact[] {
  const { spec, status: its } = seen;
  const { job } = spec;
  const started = transition?.to === color ? restored(transition.restore) : job?.initialSavepointPath;
  const since = status.serving?.color === color ? status.serving.since : undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['serves since', since],
    ['job id', its.jobStatus?.jobId],
    ['image', spec.image],
    ['parallelism', job?.parallelism === undefined ? undefined : String(job.parallelism)],
    ['started from', started],
    ['state left behind', its.droppedState && (its.droppedState.location ?? 'nobody knows where')],
    ['error', its.error === undefined ? undefined : brief(errorMessage(its.error))],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** What the target starts from, in words. */
export function restored(restore: NonNullable<BlueGreenLook['transition']>['restore']): string | undefined {
  if (!restore) return undefined;
  if (restore.mode === 'stateless') return 'nothing: without state';
  const what = { savepoint: 'savepoint', checkpoint: 'checkpoint', user: 'initialSavepointPath' }[restore.mode];
  return restore.path === undefined ? what : `${what} ${restore.path}`;
}
