import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { failed, type Health, healthy, waiting } from './health.ts';
import { condition, isObserved, text } from './status-of.ts';

/**
 * A child is healthy when what was asked of it has been done: nothing runs, nothing waits, and the plan for it is complete.
 * (KUDO goes on when a child has failed.) Another plan that somebody ran on the child by hand says nothing about it.
 */
export function instanceHealth(object: AnyObject): Health {
  const name = JSON.stringify(object.metadata.name);
  const asked = isDeclined(object) ? undefined : text(object, 'spec', 'planExecution', 'planName');
  const running = asked ?? text(object, 'status', 'execution', 'plan');
  if (running !== undefined) return waiting(`instance ${name} runs plan ${running}`);
  if (at(object, ['status', 'planStatus']) === undefined || !isObserved(object)) {
    return waiting(`instance ${name} has not been looked at yet`);
  }
  const refusal = refusalOf(object);
  if (refusal !== undefined) return failed(`instance ${name} refuses its parameters: ${refusal}`);
  const pending = condition(object, 'Waiting');
  if (pending?.status === 'True') return waiting(`instance ${name}: ${pending.message}`);
  const { plan, outcome = 'COMPLETE' } = lastAsked(object);
  return outcome === 'COMPLETE' ? healthy : failed(`instance ${name}: plan ${plan} ended in ${outcome}`);
}

/** Why an Instance does not take the specification that it has now. A plan that it declined to run is no part of that. */
export function refusalOf(object: AnyObject): string | undefined {
  const accepted = condition(object, 'Accepted');
  if (accepted?.status !== 'False' || !isObserved(object)) return undefined;
  return isDeclined(object) && aboutLetters.has(accepted.reason) ? undefined : accepted.message;
}

/** Reasons for which a plan is not run that `spec.planExecution` asks for. */
const aboutLetters: ReadonlySet<string> = new Set(['UnknownPlan', 'CleanupByUser']);

/** Whether the plan that `spec.planExecution` asks for will not be run, however long the wish stands there. */
function isDeclined(object: AnyObject): boolean {
  if (at(object, ['status', 'letter', 'declined']) !== true) return false;
  const same = (field: string): boolean =>
    text(object, 'spec', 'planExecution', field) === text(object, 'status', 'letter', field);
  return same('planName') && same('uid');
}

interface Ended {
  readonly plan?: string | undefined;
  readonly outcome?: string | undefined;
}

/**
 * How the plan ended that ran last for another reason than that somebody triggered it. It has completed as well if somebody
 * then ran it again by hand, and that did.
 */
function lastAsked(object: AnyObject): Ended {
  const history = at(object, ['status', 'history']);
  if (!Array.isArray(history) || history.length === 0) {
    return { plan: text(object, 'status', 'latest', 'plan'), outcome: text(object, 'status', 'latest', 'status') };
  }
  const index = history.findIndex((past) => at(past, ['cause']) !== 'trigger');
  const runs = history
    .slice(0, index + 1)
    .map((past): Ended => ({ plan: word(past, 'plan'), outcome: word(past, 'outcome') }));
  const asked = runs.at(-1) ?? {};
  return runs.find(({ plan, outcome }) => plan === asked.plan && outcome === 'COMPLETE') ?? asked;
}

function word(value: unknown, field: string): string | undefined {
  const found = at(value, [field]);
  return typeof found === 'string' ? found : undefined;
}
