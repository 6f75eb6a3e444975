import { annotations as control, switchedOn } from '../../control/annotations.ts';
import type { Conditions } from '../../control/conditions.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { FieldChange } from '../../portrait/plan.ts';
import { annotations as blueGreen } from '../decide/bluegreen/annotations.ts';
import { aside } from './findings.ts';
import { brief, sentence } from './wording.ts';

/** The annotations by which people steer. */
const steering = [control.paused, control.takeover, blueGreen.promote, blueGreen.rollback];

/** What an edit changes of how people steer: something may be done for it though the specification stays as it is. */
export function steeringChanges(before: KubeObject, after: KubeObject): readonly FieldChange[] {
  return steering.flatMap((name) => {
    const [from, to] = [before, after].map(({ metadata }) => metadata.annotations?.[name]);
    if (from === to) return [];
    return [
      {
        path: `metadata.annotations[${name}]`,
        ...(from !== undefined && { from: brief(String(from)) }),
        ...(to !== undefined && { to: brief(String(to)) }),
        demands: 'patch',
      },
    ];
  });
}

/** Why nothing of an edit is done for now, whatever is written: a pause counts if the edit leaves it or brings it. */
export function heldBack(
  status: { readonly conditions?: Conditions | undefined },
  after: KubeObject,
): string | undefined {
  const why = aside(status);
  if (why && why.type !== 'Paused') return sentence(why.message || why.reason);
  if (!switchedOn(after, control.paused)) return undefined;
  return sentence(why?.message || `Nothing is done until the annotation ${control.paused} is removed`);
}
