import type { Verb } from '../../../portrait/verb.ts';
import { specialPlans } from '../../keys.ts';
import { commandOf } from '../command.ts';
import { instanceIn } from '../instance-in.ts';
import { waitingOf } from '../situation.ts';
import { patchOf } from './patch-of.ts';
import { whyNot } from './steerable.ts';

/**
 * Ends the plan that runs, and no later one: the name is blanked beside the uid of what is to end. A letter that waits there
 * is withdrawn with it; a change of the spec that waits begins.
 */
export const abort: Verb = {
  name: 'abort',
  summary: 'end the plan that runs; what it has applied stays',
  request(object) {
    const read = instanceIn(object);
    const { execution } = read.status;
    if (execution?.plan === specialPlans.cleanup) {
      return { is: 'refused', why: 'plan cleanup cannot be cancelled: the Instance is being deleted' };
    }
    const no = whyNot(read);
    if (no !== undefined) return { is: 'refused', why: no };
    if (!execution) return { is: 'refused', why: 'no plan runs that could be ended' };
    const { plan, uid } = execution;
    const { planName = '', uid: letter } = read.spec.planExecution ?? {};
    const withdrawn = planName !== '' && letter !== uid;
    const next = withdrawn
      ? `; the trigger of plan ${planName}, which waits, is withdrawn`
      : waitingOf(read) === undefined
        ? `; \`${commandOf('retry', read)}\` runs it again`
        : '; the change that waits begins then';
    return {
      is: 'writes',
      writes: [patchOf(read, [{ op: 'add', path: '/spec/planExecution', value: { planName: '', uid } }])],
      said: `plan ${plan} ends, and what it has applied stays${next}`,
    };
  },
};
