import { childObject } from '../../manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import type { BlueGreenTransition, Color } from '../../resources/blue-green-transition.ts';
import { settledNonces } from '../../resources/settled-nonces.ts';
import { instantText } from '../instant-text.ts';
import { refusalOf, toCreate } from '../refusal.ts';
import type { Effect } from '../step.ts';
import { type BlueGreenCase, type Moving, type Status, specLike } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { acted, attempted, idOf, lacking, moved } from './record.ts';
import type { Side } from './side.ts';

type Begun = Status & { readonly transition: BlueGreenTransition };

/**
 * Makes the target from what is wanted now. From here on the redeploy nonces of that spec count as acted upon: the record
 * that is written before the target exists brings it about, whatever happens.
 */
export function made(c: BlueGreenCase, begun: Begun, because: string, events: readonly Effect[] = []): BlueGreenStep {
  const cleared = lacking(begun, 'targetUid', 'readyAt', 'trafficAt', 'deadline', 'savepointRetryAt', 'savepointError');
  const fresh = begun.transition.targetId === undefined ? cleared : { ...cleared, ...attempted(cleared) };
  const targetId = idOf(c, fresh);
  const status = moved(c, fresh, 'starting', {
    spec: blueGreenSpecCodec.write(c.desired),
    generation: c.view.resource.metadata.generation ?? 0,
    targetId,
    noncesBefore: begun.transition.noncesBefore ?? settledNonces(begun, c.desired),
    deadline: deadline(c),
  });
  const { transition } = status;
  const create = creation(c, transition);
  return {
    status: { ...acted(status, c.desired), transition },
    effects: [...create, ...events],
    because,
    wakeAt: c.now + c.settings.abortGraceMs,
  };
}

/** The request that makes the target; the same one for the same record. */
export function creation(c: BlueGreenCase, transition: BlueGreenTransition): readonly Effect[] {
  const { to, restore, targetId = '' } = transition;
  const { resource } = c;
  return [
    toCreate(
      childObject({
        resource,
        color: to,
        spec: specLike(c.desired, transition.spec),
        restore: pathOf(restore),
        id: targetId,
      }),
    ),
  ];
}

export function pathOf(restore: BlueGreenTransition['restore']): { readonly path?: string } {
  return restore?.path === undefined ? {} : { path: restore.path };
}

/** By when a target that is made now must be ready. */
export function deadline({ now, settings }: BlueGreenCase): string {
  return instantText(now + settings.abortGraceMs);
}

/** Why the API server does not want the target, if it said so. */
export function refusedTarget(c: Moving): string | undefined {
  const { transition } = c.status;
  if (!c.target) return undefined;
  const objects = creation(c, transition).flatMap((effect) => ('object' in effect ? [effect.object] : []));
  return refusalOf(c.view.outcomes, objects)?.outcome.message;
}

/** Whether what is seen under the target's name is the target. */
export function isTarget({ targetUid, targetId }: BlueGreenTransition, { seen }: Side): boolean {
  if (!seen) return false;
  return targetUid === undefined ? seen.id === targetId : seen.ref.uid === targetUid;
}

export function word(color: Color): string {
  return color.toLowerCase();
}
