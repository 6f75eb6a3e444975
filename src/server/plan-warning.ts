import type { Clock } from '../clock/clock.ts';
import type { Log } from '../control/log.ts';
import type { Hook, Verdict } from '../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../control/webhooks/admission-review.ts';
import type { Plan } from '../portrait/plan.ts';
import type { Around, Workload } from '../portrait/workload.ts';

export interface PlanWarningOptions {
  readonly workloads: readonly Workload[];
  /** What is known around a namespace, without asking anybody: whoever writes waits for it. */
  readonly around: (namespace: string) => Around;
  readonly clock: Clock;
  readonly log: Log;
}

/** API servers cut longer ones, and command lines wrap them. */
const longest = 200;
/** A larger object has no plan: nothing that walks it may hold up the write. */
const mostValues = 20_000;
/** Planning takes at most one part in so many of the time. */
const share = 10;

/**
 * Hooks whose verdicts also say in one line what an accepted change will do, so that `kubectl apply` prints it. The verdict is
 * the hook's own: a plan that fails, or would take too long, is left out.
 */
export function withPlanWarnings(
  hooks: Readonly<Record<string, Hook>>,
  options: PlanWarningOptions,
): Readonly<Record<string, Hook>> {
  const lineOf = planner(options);
  return Object.fromEntries(
    Object.entries(hooks).map(([path, hook]): [string, Hook] => {
      // What is changed by one hook is judged by another: it is said once.
      if (!('validate' in hook)) return [path, hook];
      return [path, { validate: async (request) => warned(await hook.validate(request), () => lineOf(request)) }];
    }),
  );
}

function warned(verdict: Verdict, lineOf: () => string | undefined): Verdict {
  const line = verdict.allowed ? lineOf() : undefined;
  return line === undefined ? verdict : { ...verdict, warnings: [...(verdict.warnings ?? []), line] };
}

function planner({
  workloads,
  around,
  clock,
  log,
}: PlanWarningOptions): (request: AdmissionRequest) => string | undefined {
  let restUntil = Number.NEGATIVE_INFINITY;
  return ({ operation, kind, subResource, namespace, object: after, oldObject: before }) => {
    if (!after || subResource || after.metadata.deletionTimestamp !== undefined) return undefined;
    if (operation !== 'CREATE' && !(operation === 'UPDATE' && before)) return undefined;
    const workload = workloads.find(({ type }) => type.kind === kind.kind && type.group === kind.group);
    const begun = clock.monotonic();
    if (!workload || begun < restUntil || isLarger(after, mostValues)) return undefined;
    try {
      const edit = operation === 'UPDATE' && before ? { before, after } : { after };
      return lineIn(workload.plan(edit, around(namespace ?? after.metadata.namespace ?? '')));
    } catch (error) {
      log.error(
        { error, kind: kind.kind, namespace, name: after.metadata.name },
        'a bug: a change could not be planned',
      );
      return undefined;
    } finally {
      restUntil = begun + (clock.monotonic() - begun) * share;
    }
  };
}

function lineIn({ risk, line, problems }: Plan): string | undefined {
  if (risk === 'none' || problems.length > 0 || line === '') return undefined;
  const text = harmless(`cutover (${risk}): ${line}`);
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text;
}

const spelled: Readonly<Record<string, string>> = {
  '→': '->',
  '↻': 'restart',
  '…': '...',
  '–': '-',
  '’': "'",
  '×': 'x',
};

/** It travels in a header: letters of ASCII, and no quotes or backslashes that somebody would have to escape. */
function harmless(text: string): string {
  return text
    .slice(0, 4 * longest)
    .replace(/[^\x20-\x7e]/gu, (one) => spelled[one] ?? (/\s/.test(one) ? ' ' : '?'))
    .replaceAll('"', "'")
    .replaceAll('\\', '/');
}

/** Whether a JSON value holds more than `most` values. Stops counting there. */
function isLarger(value: unknown, most: number): boolean {
  const pending = [value];
  let count = 0;
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (++count > most) return true;
    if (typeof one === 'object' && one !== null)
      for (const member of Object.values(one)) if (member !== undefined) pending.push(member);
  }
  return false;
}
