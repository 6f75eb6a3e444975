import type { Verb } from '../../../portrait/verb.ts';
import { covers } from '../../decide/demand.ts';
import { specialPlans } from '../../keys.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { type Ended, lastEnded } from '../ended.ts';
import { instanceIn, type Read } from '../instance-in.ts';
import { known, presentVersion } from '../version-of.ts';
import { letterOf } from './patch-of.ts';
import { refusalOf } from './refusal-of.ts';
import { whyNot } from './steerable.ts';

/**
 * Runs a plan again that failed or was stopped. It demands no restart of its own: one that is still owed is carried out by
 * it, and pods that had no reason to restart have none now.
 */
export const retry: Verb = {
  name: 'retry',
  summary: 'run the plan again that failed or was stopped',
  request(object, around, { id, force }) {
    const read = instanceIn(object);
    const { execution } = read.status;
    if (execution) {
      return { is: 'refused', why: `plan ${execution.plan} runs: a step that fails is tried again by itself` };
    }
    const last = lastEnded(read.status);
    const again = last?.cause === 'cleanup' && read.metadata.deletionTimestamp !== undefined;
    const no = again ? undefined : whyNot(read);
    if (no !== undefined) return { is: 'refused', why: no };
    if (!last || last.outcome === 'COMPLETE') {
      return {
        is: 'refused',
        why: last ? `plan ${last.plan} ended well: there is nothing to try again` : 'no plan has run yet',
      };
    }
    const version = presentVersion(read, around);
    const { plan } = last;
    const refusal = again ? undefined : refusalOf(read, version, plan);
    if (refusal !== undefined) return { is: 'refused', why: refusal };
    const quiet = !(last.cause === 'trigger' && last.restartUID !== undefined);
    const letter = { planName: plan, uid: id, ...(quiet && { restart: false }), ...(force && { override: true }) };
    const pods = plan === specialPlans.cleanup ? '' : `; ${podsText(read, last, known(version))}`;
    return { is: 'writes', writes: [letterOf(read, letter)], said: `plan ${plan} runs again${pods}` };
  },
};

function podsText({ status }: Read, last: Ended, version: OperatorVersion | undefined): string {
  if (last.cause === 'trigger' && last.restartUID !== undefined) return 'pods of what it applies restart';
  const { restart } = status;
  const owed = restart ? [restart, ...(restart.earlier ?? [])] : [];
  const carried = owed.some((one) => (version ? covers(version, last.plan, one.plan) : one.plan === last.plan));
  return carried ? 'it carries out the restart that is pending' : 'pods restart only if their template changes';
}
