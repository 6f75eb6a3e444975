import { equal } from '../../../change/equal.ts';
import type { Plan, PlannedRestart, Risk } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import { isSuspended, needsState, specIn } from '../../decide/bluegreen/blue-green-case.ts';
import { sideOf } from '../../decide/bluegreen/side.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { blueGreenChange } from '../../resources/blue-green-change.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { settledNonces } from '../../resources/settled-nonces.ts';
import { clusterNeeds, needsText } from '../cluster-needs.ts';
import { clusterParts } from '../cluster-parts.ts';
import { typed } from '../command.ts';
import { sentence, spanText, tookBefore } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { durationsOf } from './durations.ts';
import { word } from './moments.ts';
import { changeKind, lineOf, plannedSteps } from './planned-steps.ts';
import type { Deed, Rehearsal } from './rehearsal.ts';
import type { Rehearsed } from './rehearsed.ts';

type Outcome = Omit<Plan, 'subject' | 'changes' | 'problems'>;

/** What comes of a rehearsal, in words. */
export function outcomeOf(r: Rehearsed): Outcome {
  const { rehearsal, after } = r;
  const state = stateOf(r);
  const needs = needsOf(r);
  const waitsFor = waitsOf(r);
  const second = !isFirst(r) && rehearsal.deeds.some((deed) => deed.do === 'create');
  const traffic = trafficOf(r);
  return {
    risk: riskOf(r, state.outcome),
    line: isNoMore(r) ? 'takes effect at once; no side is touched' : lineOf(r, state.outcome),
    steps: isNoMore(r)
      ? [{ symbol: '~', what: 'Take it over; no side is touched', ...goesOn(r) }]
      : plannedSteps(r, needs),
    restarts: isNoMore(r) ? [] : restartsOf(r),
    state,
    availability: availabilityOf(r),
    ...(traffic !== undefined && { traffic }),
    ...(needs !== undefined &&
      !isNoMore(r) && { extra: second ? `a whole second cluster meanwhile: ${needs}` : needs }),
    undo: undoOf(r, state.outcome),
    ...estimateOf(r),
    ...(waitsFor !== undefined && { waitsFor }),
    warnings: [...new Set([...rehearsal.warnings, ...manual(after, r)])],
  };
}

/** Nothing is done, or waits to be done, that would not be anyway. */
function isNoMore(r: Rehearsed): boolean {
  const { before, otherwise, rehearsal } = r;
  if (!before || !otherwise || isFirst(r)) return false;
  const acts = ({ deeds }: Rehearsal): readonly Deed[] => deeds.filter((deed) => deed.do !== 'wait');
  const waits = waitsOf(r);
  return equal(acts(otherwise), acts(rehearsal)) && (waits === undefined || waits === restsOn(before, otherwise));
}

function goesOn({ before }: Rehearsed): { readonly detail?: string } {
  return before?.transition ? { detail: 'The transition under way goes on.' } : {};
}

/** There is no side yet, so nothing can be disturbed. */
function isFirst({ before, start }: Rehearsed): boolean {
  return !before || (before.serving === undefined && colors.every((color) => !start.sides[color]));
}

function riskOf(r: Rehearsed, outcome: Plan['state']['outcome']): Risk {
  const { rehearsal } = r;
  if (isFirst(r) || isNoMore(r)) return 'quiet';
  if (rehearsal.interrupted || outcome === 'dropped') return 'disruption';
  const restarts = rehearsal.deeds.some(
    (deed) => deed.do === 'create' || deed.do === 'delete' || (deed.do === 'change' && changeKind(deed) === 'restart'),
  );
  if (restarts) return 'restart';
  // What waits is done some time.
  return rehearsal.deeds.length === 0 && waitsOf(r) !== undefined ? 'restart' : 'quiet';
}

function stateOf(r: Rehearsed): Plan['state'] {
  const { before, after, rehearsal } = r;
  const kept = { outcome: 'kept', sentence: 'The state stays where it is.' } as const;
  const made = rehearsal.deeds.findLast((deed) => deed.do === 'create');
  if (!before) {
    const from =
      made?.do === 'create' && made.restore.path !== undefined ? `from ${made.restore.path}` : 'without state';
    return { outcome: 'none', sentence: `blue starts ${from}.` };
  }
  if (isNoMore(r)) return kept;
  if (made?.do === 'create') return ofCreated(before, made);
  const stopped = rehearsal.deeds.some((deed) => deed.do === 'change' && changeKind(deed) === 'suspend');
  if (stopped && !needsState(after.resource.spec)) {
    return { outcome: 'dropped', sentence: 'No savepoint is taken: upgradeMode is stateless.' };
  }
  return stopped
    ? { outcome: 'kept', sentence: 'A savepoint is taken; it goes on from there when it is resumed.' }
    : kept;
}

function ofCreated(before: BlueGreenLook, made: Extract<Deed, { do: 'create' }>): Plan['state'] {
  const next = word(made.color);
  const { mode, path } = made.restore;
  const last = before.status.lastSavepoint;
  switch (mode) {
    case 'savepoint':
      return { outcome: 'kept', sentence: `${next} goes on from a savepoint of the side that serves.` };
    case 'checkpoint':
      return { outcome: 'kept', sentence: `${next} goes on from the checkpoint ${path ?? ''} that the old side left.` };
    case 'user':
      return {
        outcome: 'kept',
        sentence: `${next} starts from ${path ?? 'initialSavepointPath'}; what was done since then is left behind.`,
      };
    case 'stateless': {
      if (before.serving === undefined || !needsState(before.resource.spec)) {
        return { outcome: 'none', sentence: 'upgradeMode is stateless: whatever state there is, is not carried over.' };
      }
      const where = last ? ` The last savepoint stays at ${last.path}.` : ' No savepoint is known.';
      return {
        outcome: 'dropped',
        sentence: `${next} starts empty, and the state of the old side is left behind.${where}`,
      };
    }
  }
}

function availabilityOf(r: Rehearsed): Plan['availability'] {
  const { before, after, rehearsal, start } = r;
  if (!before) {
    return isSuspended(after.resource.spec)
      ? { serves: 'unknown', sentence: 'Nothing serves: it is created suspended.' }
      : { serves: 'unknown', sentence: 'It serves as soon as blue is ready.' };
  }
  const color = start.resource.status?.serving?.color;
  const ready = color !== undefined && sideOf(before.subject, color, start.sides[color]).is === 'ready';
  if (rehearsal.interrupted) {
    const stopped = rehearsal.deeds.find((deed) => deed.do === 'change' && changeKind(deed) === 'suspend');
    const side = word(stopped?.do === 'change' ? stopped.color : (color ?? 'BLUE'));
    return { serves: 'interrupted', sentence: `${side} is stopped: nothing serves until it is resumed.` };
  }
  if (!ready) return { serves: 'unknown', sentence: 'Nothing serves at present.' };
  const moves = rehearsal.deeds.some((deed) => deed.do === 'traffic');
  const old = word(color);
  return {
    serves: 'throughout',
    sentence:
      moves && !isNoMore(r) ? `${old} serves until the other side is ready and has the traffic.` : `${old} serves on.`,
  };
}

function trafficOf({ after, rehearsal }: Rehearsed): string | undefined {
  const move = rehearsal.deeds.findLast((deed) => deed.do === 'traffic');
  if (move?.do !== 'traffic') return undefined;
  const { ingress } = after.resource.spec;
  const to = word(move.to);
  return ingress?.template && after.settings.ingressManaged
    ? `the Ingress ${after.subject.name} leads to ${to} once it is ready`
    : `status.serving says ${to} once it is ready; whoever routes follows it`;
}

/** The clusters that go or start over, with the pods that they have now. */
function restartsOf(r: Rehearsed): readonly PlannedRestart[] {
  const { start, rehearsal, around, after } = r;
  return colors.flatMap((color): readonly PlannedRestart[] => {
    if (!start.sides[color]) return [];
    const ends = rehearsal.deeds.find(
      (deed) =>
        (deed.do === 'delete' && deed.color === color) ||
        (deed.do === 'change' && deed.color === color && changeKind(deed) !== 'patch'),
    );
    if (!ends) return [];
    const name = childName(after.subject.name, color);
    const because = ends.do === 'delete' ? goes(r, color) : `${word(color)} is changed where it is.`;
    return [{ kind: 'FlinkDeployment', name, pods: podNames(name, around), because }];
  });
}

function goes({ before }: Rehearsed, color: Color): string {
  const unfinished = before?.transition && before.serving !== color && before.transition.to === color;
  return unfinished
    ? `${word(color)} was being made for an earlier edit, and is deleted.`
    : `${word(color)} is deleted once it is no longer needed.`;
}

function podNames(name: string, around: Around): readonly string[] {
  return clusterParts(name, around).pods.map(({ metadata }) => metadata.name ?? '');
}

function needsOf({ after, rehearsal, operator }: Rehearsed): string | undefined {
  if (!rehearsal.deeds.some((deed) => deed.do === 'create')) return undefined;
  return needsText(clusterNeeds(after.resource.spec.template?.spec ?? {}, after.subject.namespace, operator));
}

function undoOf({ before, after, rehearsal }: Rehearsed, outcome: Plan['state']['outcome']): Plan['undo'] {
  if (!before) return { possible: true, sentence: 'Delete it; nothing was there before.' };
  if (!rehearsal.deeds.some((deed) => deed.do === 'traffic'))
    return { possible: true, sentence: 'Put the template back.' };
  const { deletionDelayMs, rollbackWindowMs } = after.settings;
  const window = deletionDelayMs + rollbackWindowMs;
  const back = window > 0 ? ` For ${spanText(window)} after that: ${typed('rollback', after.subject)}.` : '';
  const later =
    outcome === 'dropped'
      ? ' Later the dropped state comes back only by savepointRedeployNonce, from a savepoint taken before.'
      : ' Later by putting the template back, which is a transition of its own.';
  return { possible: true, sentence: `Until traffic moves: ${typed('abort', after.subject)}.${back}${later}` };
}

function estimateOf({ before, rehearsal }: Rehearsed): Pick<Plan, 'estimate'> {
  const past = before && durationsOf(before.status);
  if (!past || !rehearsal.deeds.some((deed) => deed.do === 'create')) return {};
  const basis = tookBefore(past.count, 'transition', past.totalMs);
  return { estimate: { ms: past.totalMs, basis } };
}

/** What it waits for before it is true. */
function waitsOf({ after, rehearsal, before }: Rehearsed): string | undefined {
  const stopped = rehearsal.deeds.some((deed) => deed.do === 'change' && changeKind(deed) === 'suspend');
  if (before?.transition && stopped) return `the transition to ${word(before.target)} that is under way`;
  return !before && isSuspended(after.resource.spec) ? undefined : restsOn(after, rehearsal);
}

/** What it comes to rest on, if that is not what is wanted. */
function restsOn({ resource: { spec } }: BlueGreenLook, { status, because }: Rehearsal): string | undefined {
  const has = specIn(status.lastReconciledSpec);
  const same = has && blueGreenChange(has, spec, { nonces: settledNonces(status, spec) }).type === 'IGNORE';
  return same ? undefined : sentence(because);
}

function manual({ settings, subject }: BlueGreenLook, { rehearsal }: Rehearsed): readonly string[] {
  const waits = rehearsal.deeds.some((deed) => deed.do === 'promote');
  return waits && settings.promotion === 'manual'
    ? [`It waits for somebody to promote it: ${typed('promote', subject)}.`]
    : [];
}
