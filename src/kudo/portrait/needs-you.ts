import { refusalOf } from '../health/instance-health.ts';
import { commandOf } from './command.ts';
import type { Read } from './instance-in.ts';
import { progressOf } from './progress.ts';
import { conditionOf, type Situation, situationOf } from './situation.ts';
import { brief, names } from './wording.ts';

/** A step that failed so often will hardly get on by itself. */
const enough = 3;

/** Why a person is needed and what they can do; `undefined` when nobody is. */
export function needsYou(read: Read, situation: Situation = situationOf(read)): string | undefined {
  return ofSituation(read, situation) ?? declined(read);
}

function ofSituation(read: Read, situation: Situation): string | undefined {
  switch (situation.is) {
    case 'deleting': {
      if (!situation.stuck) return undefined;
      const why = brief(situation.stuck.message ?? situation.stuck.outcome);
      return `plan cleanup failed: ${why}; mend it and run \`${commandOf('retry', read)}\`, or remove the finalizer kudo.dev.instance.cleanup to do without`;
    }
    case 'aside':
      return situation.paused ? undefined : brief(situation.message);
    case 'running': {
      const { plan, failures = 0 } = situation.execution;
      const refusal = refusalOf(read);
      if (refusal !== undefined) return `what stands in the spec is refused: ${brief(refusal)}`;
      const { failing } = progressOf(read.status, plan);
      if (!failing || failures < enough) return undefined;
      return `step ${failing.place} of plan ${plan} has failed ${failures} times: ${brief(failing.message ?? failing.status)}; mend it, or end the plan with \`${commandOf('abort', read)}\``;
    }
    case 'refused':
      return `the change is refused: ${brief(situation.message)}; correct the spec${read.status.accepted ? `, or take it back with \`${commandOf('rollback', read)}\`` : ''}`;
    case 'failed': {
      const { plan, message } = situation.past;
      return `plan ${plan} failed: ${brief(message ?? 'see its steps')}; mend it, then run \`${commandOf('retry', read)}\``;
    }
    case 'cancelled':
      return `plan ${situation.past.plan} was stopped half way; finish it with \`${commandOf('retry', read)}\``;
    case 'drifted':
      return situation.repairs ? undefined : brief(situation.condition.message);
    case 'owed': {
      const { plan, changed = [] } = situation.restart;
      const why = changed.length > 0 ? `${names(changed)} changed` : `plan ${plan} demanded it and did not end well`;
      return `a restart is pending because ${why}; \`${commandOf('restart', read)}\` does it now, else the next run of plan ${plan} does`;
    }
    case 'outdated':
      return brief(situation.condition.message);
    case 'unseen':
    case 'changed':
    case 'unwell':
    case 'resting':
      return undefined;
    default:
      return situation satisfies never;
  }
}

/** A plan that was asked for and will not be run. */
function declined({ status }: Read): string | undefined {
  const accepted = conditionOf(status, 'Accepted');
  return accepted?.status === 'False' && status.letter?.declined
    ? `a plan that was asked for does not run: ${brief(accepted.message)}`
    : undefined;
}
