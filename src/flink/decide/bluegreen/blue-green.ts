import { type Decision, idle } from '../../../control/decision.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { blueGreenSettings } from '../../config/blue-green-options.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { validateBlueGreen } from '../../validate/blue-green.ts';
import { lookingAgain } from '../look-again.ts';
import type { Effect } from '../step.ts';
import { begunAnew } from './begun-anew.ts';
import { type BlueGreenCase, caseOf, type Status } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { conclude } from './conclude.ts';
import { imported } from './imported.ts';
import { lastNonce, withSuperseded } from './last-nonce.ts';
import { noted } from './noted.ts';
import { rowFor } from './table.ts';
import { lastAccepted, withWanted } from './wanted.ts';

/** No state is left more often than this within one look: from an edit to the deletion of what it makes superfluous. */
const mostRows = 8;

/** What happens next to a FlinkBlueGreenDeployment. */
export function decideBlueGreen(view: BlueGreenView): Decision {
  return lookingAgain(decisionOn(view), view.now, view.unheard);
}

function decisionOn(view: BlueGreenView): Decision {
  const { resource } = view;
  // What we made goes with its owner, by its own finalizers.
  if (resource.metadata.deletionTimestamp !== undefined)
    return idle('The resource is being deleted; its sides go with it.');
  const settings = blueGreenSettings(resource, view.operator);
  const status = noted(view, begunAnew(imported(view), view.now, settings));
  const refusal = refusalOf(view, status);
  if (refusal === undefined) return decided(lastNonce(caseOf(view, status, resource.spec)));
  const accepted = lastAccepted(status);
  if (accepted === undefined) return refused(caseOf(view, status, resource.spec), refusal);
  return decided({ c: caseOf(view, status, accepted), events: [] }, refusal);
}

function decided(first: ReturnType<typeof lastNonce>, refusal?: string): Decision {
  let { c } = first;
  const events: Effect[] = [...first.events];
  for (let rows = 1; ; rows += 1) {
    const step = rowFor(c).step(c);
    if (!step.again || rows >= mostRows) {
      const { again: _, ...last } = step;
      const status = withSuperseded(withWanted(last.status, c.desired), c.desired);
      return conclude(c, onTop({ ...last, status, effects: [...events, ...(step.effects ?? [])] }, refusal));
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
