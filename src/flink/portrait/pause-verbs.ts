import { annotations, switchedOn } from '../../control/annotations.ts';
import type { Conditions } from '../../control/conditions.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Steering } from '../../portrait/verb.ts';
import { aside } from './findings.ts';
import { annotated, patchOf, refused, unannotated } from './steering.ts';
import { sentence } from './wording.ts';

/** What pausing is asked about. */
export interface Pausable {
  readonly type: ResourceType;
  readonly resource: KubeObject;
  readonly status: { readonly conditions?: Conditions | undefined };
  /** Something is under way that stays where it is meanwhile. */
  readonly underWay: boolean;
}

export function isPaused({ resource }: Pick<Pausable, 'resource'>): boolean {
  return switchedOn(resource, annotations.paused);
}

export function pause(of: Pausable): Steering {
  if (of.resource.metadata.deletionTimestamp !== undefined) return refused('It is being deleted.');
  if (isPaused(of)) return refused('It is paused already.');
  const meanwhile = of.underWay
    ? ' What is under way stays where it is; its deadlines count again when it is resumed.'
    : '';
  return {
    is: 'writes',
    writes: [patchOf(of.type, of.resource, [annotated(of.resource, annotations.paused, 'true')])],
    said: `Cutover leaves it alone until it is resumed; its job runs on.${meanwhile}`,
  };
}

/** Takes the pause away. */
export function unpause(of: Pausable): Steering {
  return {
    is: 'writes',
    writes: [patchOf(of.type, of.resource, [unannotated(annotations.paused)])],
    said: 'Cutover looks after it again.',
  };
}

/** Why nothing that is written would be acted upon, if that is so. */
export function notOurs(of: Pausable): string | undefined {
  if (of.resource.metadata.deletionTimestamp !== undefined) return 'It is being deleted.';
  const why = aside(of.status);
  if (why && why.type !== 'Paused') return sentence(why.message || why.reason);
  return isPaused(of) ? 'It is paused, so nothing would come of it: resume it first.' : undefined;
}
