import { setCondition } from '../../control/conditions.ts';
import type { EventAction, VersionedRef } from '../../control/decision.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { acceptance, refusalEvent, remembered, remembering } from './acceptance.ts';
import { admit } from './admit/admit.ts';
import type { AdmitView, PlanRequest } from './admit/view.ts';
import { readLetter } from './letter.ts';
import type { InstanceView } from './view.ts';

/**
 * What is written to an Instance that is being deleted changes nothing any more: the condition `Accepted` and an event say
 * so. Only the plan cleanup may be asked for, when none runs; that letter is left to whoever begins it.
 */
export function refusedWhileDeleted(
  before: InstanceStatus,
  view: InstanceView,
  about: VersionedRef,
): { readonly status: InstanceStatus; readonly events: readonly EventAction[] } {
  const { instance, versions, now } = view;
  const status = remembering(before, view);
  const { execution, accepted } = status;
  const letter = readLetter({ ...instance, status });
  const ask = (after: AdmitView['after'], request: PlanRequest) =>
    admit({
      name: { namespace: instance.metadata.namespace ?? '', name: instance.metadata.name ?? '' },
      deleting: true,
      ...(accepted && { before: accepted }),
      after,
      versions: {
        ...(versions.accepted && { before: versions.accepted }),
        ...(versions.wanted && { after: versions.wanted }),
        isBarred: versions.unreadable?.wanted !== undefined,
      },
      ...(execution && { running: { plan: execution.plan, uid: execution.uid, yields: false } }),
      request,
    });
  const called = ask({ ...instance.spec, ...accepted }, letter);
  const verdicts = [ask(instance.spec, { is: 'none' }), called];
  const refused = verdicts.find((verdict) => verdict.is === 'refused');
  const declined = called.is === 'refused';
  const kept =
    letter.is === 'run' && (declined || execution) ? { ...status, letter: remembered(letter, declined) } : status;
  const generation = instance.metadata.generation ?? 0;
  const conditions = setCondition(kept.conditions ?? [], acceptance(refused, kept, view), generation, now);
  return {
    status: conditions === kept.conditions ? kept : { ...kept, conditions: [...conditions] },
    events: refusalEvent(refused, instance.status, about),
  };
}
