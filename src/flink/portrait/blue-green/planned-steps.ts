import type { Plan, PlannedStep } from '../../../portrait/plan.ts';
import { needsState } from '../../decide/bluegreen/blue-green-case.ts';
import { deploymentChange } from '../../resources/spec-change.ts';
import { commandOf } from '../command.ts';
import { sentence, spanText } from '../wording.ts';
import { durationsOf } from './durations.ts';
import { word } from './moments.ts';
import { type Deed, thatSavepoint } from './rehearsal.ts';
import type { Rehearsed } from './rehearsed.ts';

type Changed = Extract<Deed, { do: 'change' }>;

/** What a change of a side where it is comes to. */
export function changeKind({ from, to }: Changed): 'patch' | 'suspend' | 'resume' | 'restart' {
  const [was, is] = [from, to].map(({ job }) => job?.state === 'suspended');
  if (was !== is) return is ? 'suspend' : 'resume';
  const { demands } = deploymentChange(from, to);
  return is || demands === 'nothing' || demands === 'patch' ? 'patch' : 'restart';
}

/** What is done, in order, with how long it took before. */
export function plannedSteps(r: Rehearsed, needs: string | undefined): readonly PlannedStep[] {
  const usual = r.before && durationsOf(r.before.status)?.phases;
  if (r.rehearsal.deeds.length === 0) {
    return [{ symbol: '·', what: 'Nothing for now', detail: sentence(r.rehearsal.because) }];
  }
  return r.rehearsal.deeds.flatMap((deed): readonly PlannedStep[] => {
    const step = stepOf(r, deed, needs);
    const ms = step && usual?.get(phaseOf(deed));
    return step ? [{ ...step, ...(ms !== undefined && { usuallyMs: ms }) }] : [];
  });
}

function phaseOf(deed: Deed): string {
  switch (deed.do) {
    case 'savepoint':
      return 'savepointing';
    case 'create':
      return 'starting';
    case 'traffic':
      return 'switching';
    case 'promote':
      return 'verifying';
    case 'delete':
      return 'retiring';
    case 'wait':
      return deed.phase;
    case 'change':
      return '';
  }
}

function stepOf(r: Rehearsed, deed: Deed, needs: string | undefined): PlannedStep | undefined {
  const detail = needs === undefined ? {} : { detail: needs };
  switch (deed.do) {
    case 'savepoint':
      return { symbol: '·', what: `Take a savepoint of ${word(deed.of)}` };
    case 'create':
      return isDropped(r, deed)
        ? {
            symbol: '!',
            what: `Create ${word(deed.color)} without state: that of the old side is left behind`,
            ...detail,
          }
        : { symbol: '+', what: `Create ${word(deed.color)}, which starts ${from(deed)}`, ...detail };
    case 'promote':
      return {
        symbol: '·',
        what: `Wait until somebody promotes ${word(deed.color)}`,
        detail: commandOf('promote', r.after.subject),
      };
    case 'traffic':
      return { symbol: '→', what: `Move traffic to ${word(deed.to)}` };
    case 'delete':
      return { symbol: '-', what: `Delete ${word(deed.color)}` };
    case 'wait':
      return waitStep(deed);
    case 'change':
      return changeStep(r, deed);
  }
}

function isDropped({ before }: Rehearsed, { restore }: Extract<Deed, { do: 'create' }>): boolean {
  return restore.mode === 'stateless' && before?.serving !== undefined && needsState(before.resource.spec);
}

function from({ restore: { mode, path } }: Extract<Deed, { do: 'create' }>): string {
  if (mode === 'stateless') return 'without state';
  return path === thatSavepoint || path === undefined ? `from ${thatSavepoint}` : `from ${path}`;
}

function waitStep({ phase, ms }: Extract<Deed, { do: 'wait' }>): PlannedStep | undefined {
  const titles: Partial<Record<typeof phase, string>> = {
    verifying: 'Hold the new side back',
    draining: 'Let the old side drain',
    keeping: 'Keep the old side for a way back',
  };
  const title = titles[phase];
  return title === undefined ? undefined : { symbol: '·', what: `${title}, for ${spanText(ms)}` };
}

function changeStep({ after }: Rehearsed, deed: Changed): PlannedStep {
  const side = word(deed.color);
  switch (changeKind(deed)) {
    case 'patch':
      return { symbol: '~', what: `Patch ${side} where it is; nothing is restarted` };
    case 'suspend':
      return needsState(after.resource.spec)
        ? { symbol: '-', what: `Stop ${side} with a savepoint; its pods go` }
        : { symbol: '!', what: `Stop ${side} without a savepoint; its pods go` };
    case 'resume':
      return { symbol: '+', what: `Start ${side} again, from the state that it was suspended with` };
    case 'restart':
      return { symbol: '↻', what: `Restart ${side} where it is` };
  }
}

/** All of it in one line. */
export function lineOf(r: Rehearsed, outcome: Plan['state']['outcome']): string {
  const { before, rehearsal } = r;
  const { deeds } = rehearsal;
  const made = deeds.findLast((deed) => deed.do === 'create');
  const changed = deeds.find((deed) => deed.do === 'change');
  if (!before) return made ? 'is created; blue starts first' : 'is created suspended; nothing starts';
  const away = deeds.find((deed) => deed.do === 'delete');
  const dropped =
    before.transition && away?.do === 'delete' && away.color === before.target && made
      ? `drops the ${word(away.color)} that is being made, `
      : '';
  if (made?.do === 'create') {
    const saved = deeds.some((deed) => deed.do === 'savepoint')
      ? `takes a savepoint of ${word(before.serving ?? 'BLUE')}, `
      : '';
    const empty = outcome === 'dropped' ? ' without state' : saved ? ' from it' : ` ${from(made)}`;
    const until = before.serving ? `; ${word(before.serving)} serves until then` : '';
    return `${dropped}${saved}starts ${word(made.color)}${empty}${until}`;
  }
  if (changed?.do === 'change') {
    const side = word(changed.color);
    const kind = changeKind(changed);
    const later = kind === 'suspend' && before.transition ? 'brings the transition to an end, then ' : '';
    const what = {
      patch: `patches ${side} where it is; nothing is restarted`,
      suspend: `stops ${side}; nothing serves until it is resumed`,
      resume: `starts ${side} again`,
      restart: `restarts ${side} where it is`,
    }[kind];
    return `${later}${what}`;
  }
  if (away?.do === 'delete') return `gives the transition up and deletes ${word(away.color)}`;
  return deeds.some((deed) => deed.do === 'traffic')
    ? 'goes on with the transition under way'
    : 'waits; nothing is done for now';
}
