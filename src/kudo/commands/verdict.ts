import { CommandError } from '../../portrait/text/command-error.ts';
import { admit } from '../decide/admit/admit.ts';
import type { PlanRequest, Verdict } from '../decide/admit/view.ts';
import type { Instance, InstanceSpec } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';

/** A change of an Instance that somebody thinks of. */
export interface Wish {
  /** As it is; absent: it is to be created. */
  readonly instance?: Instance;
  readonly name: { readonly namespace: string; readonly name: string };
  readonly spec: InstanceSpec;
  readonly versions: { readonly before?: OperatorVersion; readonly after?: OperatorVersion };
  readonly request?: PlanRequest;
  readonly restart?: boolean;
}

/** What would become of it: the same rules as those of the operator and of its webhook. */
export function verdictOf({ instance, name, spec, versions, request = { is: 'none' }, restart }: Wish): Verdict {
  const { accepted, execution } = instance?.status ?? {};
  const { plan, uid } = execution ?? {};
  return admit({
    name,
    ...(accepted && { before: accepted }),
    after: spec,
    deleting: instance?.metadata.deletionTimestamp !== undefined,
    versions,
    ...(plan !== undefined && uid !== undefined && { running: { plan, uid, yields: false } }),
    request,
    ...(restart !== undefined && { restart }),
  });
}

/** The verdict, unless it is a refusal. */
export function admitted(wish: Wish): Exclude<Verdict, { readonly is: 'refused' }> {
  const verdict = verdictOf(wish);
  if (verdict.is === 'refused') throw new CommandError(verdict.message);
  return verdict;
}

/** What a verdict means, in a sentence. */
export function verdictText(verdict: Exclude<Verdict, { readonly is: 'refused' }>): string {
  switch (verdict.is) {
    case 'nothing':
      return 'nothing changes that a plan would have to apply';
    case 'cancel':
      return 'the plan that runs is cancelled';
    case 'waits':
      return verdict.message;
    case 'start':
      return `plan ${verdict.plan} runs; ${verdict.forced ? 'it restarts pods' : 'it restarts only pods whose template changes'}`;
    default:
      return verdict satisfies never;
  }
}
