import { type Decision, idle } from '../../../control/decision.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { blueGreenSettings } from '../../config/blue-green-options.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { validateBlueGreen } from '../../validate/blue-green.ts';
import type { Effect } from '../step.ts';
import { begunAnew } from './begun-anew.ts';
import { type BlueGreenCase, caseOf, type Spec, type Status } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { conclude } from './conclude.ts';
import { imported } from './imported.ts';
import { noted } from './noted.ts';
import { rowFor } from './table.ts';

/** No state is left more often than this within one look: from an edit to the deletion of what it makes superfluous. */
const mostRows = 8;

/** What happens next to a FlinkBlueGreenDeployment. */
export function decideBlueGreen(view: BlueGreenView): Decision {
  const { resource } = view;
  // What we made goes with its owner, by its own finalizers.
  if (resource.metadata.deletionTimestamp !== undefined)
    return idle('The resource is being deleted; its sides go with it.');
  const settings = blueGreenSettings(resource, view.operator);
  const status = noted(view, begunAnew(imported(view), view.now, settings));
  const refusal = refusalOf(view, status);
  if (refusal === undefined) return decided(caseOf(view, withWanted(status, resource.spec), resource.spec));
  const accepted = lastAccepted(status);
  if (accepted === undefined) return refused(caseOf(view, status, resource.spec), refusal);
  return decided(caseOf(view, status, accepted), refusal);
}

/** What is wanted is kept until a target is made for it, so that an edit that is refused changes nothing. */
function withWanted(status: Status, spec: Spec): Status {
  const { transition } = status;
  if (!transition || transition.spec !== undefined) return status;
  const wanted = blueGreenSpecCodec.write(spec);
  return transition.wanted === wanted ? status : { ...status, transition: { ...transition, wanted } };
}

function decided(first: BlueGreenCase, refusal?: string): Decision {
  let c = first;
  const events: Effect[] = [];
  for (let rows = 1; ; rows += 1) {
    const step = rowFor(c).step(c);
    if (!step.again || rows >= mostRows) {
      const { again: _, ...last } = step;
      return conclude(c, onTop({ ...last, effects: [...events, ...(step.effects ?? [])] }, refusal));
    }
    events.push(...(step.effects ?? []));
    c = caseOf(c.view, step.status, c.desired);
  }
}

/** What is written cannot be acted upon: that is shown on top of whatever goes on. */
function onTop(step: BlueGreenStep, refusal: string | undefined): BlueGreenStep {
  if (refusal === undefined) return step;
  return { ...step, because: refusal, error: refusal, stands: { is: 'stalled', reason: 'ValidationError' } };
}

/** Nothing was ever deployed, and nothing is. */
function refused(c: BlueGreenCase, refusal: string): Decision {
  return conclude(c, onTop({ status: c.status, because: refusal }, refusal));
}

/** Why the spec as it is written is not acted upon. One that has become true is not judged again. */
function refusalOf({ resource, operator }: BlueGreenView, status: Status): string | undefined {
  const text = blueGreenSpecCodec.write(resource.spec);
  if (text === status.lastReconciledSpec || text === status.transition?.spec) return undefined;
  const problems = validateBlueGreen({ ...resource, status }, { operator });
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' ');
}

function lastAccepted({ inPlace, transition, aborted, lastReconciledSpec }: Status): Spec | undefined {
  const changing = inPlace?.givenUp ?? inPlace?.spec;
  for (const text of [changing, transition?.spec, transition?.wanted, aborted?.spec, lastReconciledSpec]) {
    const read = text === undefined ? undefined : blueGreenSpecCodec.read(text);
    if (read?.ok) return read.spec;
  }
  return undefined;
}
