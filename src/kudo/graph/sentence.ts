import type { Cause, Finding } from './restart-reason.ts';

/** So many causes are told; of more, how many. */
const told = 3;

/** Whether pods restart and why, in one sentence. */
export function sentenceOf(finding: Finding): string {
  const { workload, fate, reason, rollout } = finding;
  if (fate === 'created') return `${workload.kind} ${workload.name} is created`;
  if (fate === 'deleted') return `${workload.kind} ${workload.name} is deleted`;
  if (reason === 'none') return `pods of ${workload.name} keep running: ${whyNot(finding)}`;
  switch (rollout) {
    case 'rolls':
      return `pods of ${workload.name} restart because ${why(finding)}`;
    case 'onDelete':
      return `pods of ${workload.name} keep running until they are deleted, and then differ because ${why(finding)}`;
    case 'nextRun':
      return `the next run of ${workload.name} differs because ${why(finding)}`;
    case 'immutable':
      return reason === 'template-changed'
        ? `${workload.kind} ${workload.name} cannot be changed and has to be deleted first, because ${why(finding)}`
        : `pods of ${workload.name} keep running: a ${workload.kind} is never restarted`;
    default:
      return rollout satisfies never;
  }
}

function why({ template, used, demanding }: Finding): string {
  if (template.length > 0) return clauses(template, 'the pod template of ');
  if (used.length > 0) return clauses(used);
  if (demanding.length === 0) return 'the plan demands it';
  return `${names(demanding)} changed, which restarts all pods of the plan`;
}

function whyNot({ used, forced, elsewhere, policy }: Finding): string {
  if (used.length > 0 && !forced) {
    return `${clauses(used)}, which they see at their next restart, for nothing that changed demands one`;
  }
  if (elsewhere.length > 0 && !forced) return `${clauses(elsewhere)}, outside of their template`;
  if (policy === 'onDependencyChange' && forced) return 'no ConfigMap or Secret that they use changes';
  return 'nothing that changed demands a restart';
}

/** `HEAP_SIZE changed cassandra-env.sh in ConfigMap cassandra-conf` */
function clauses(causes: readonly Cause[], place = ''): string {
  const shown = causes.slice(0, told).map(({ parameters, object, what }) => {
    const who = parameters.length > 0 ? names(parameters) : 'the new version';
    const all = what.includes('');
    return all
      ? `${who} changed ${place}${object.kind} ${object.name}`
      : `${who} changed ${names(what)} in ${place}${object.kind} ${object.name}`;
  });
  const rest = causes.length - shown.length;
  return [...shown, ...(rest > 0 ? [`there are ${rest} more changes`] : [])].join(', and ');
}

/** `A`, `A and B`, `A, B and C`, `A, B, C and 4 more` */
function names(list: readonly string[]): string {
  const words = list.length > told + 1 ? [...list.slice(0, told), `${list.length - told} more`] : list;
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}
