import { specialPlans } from '../keys.ts';
import { definitionsOf } from '../parameters/definitions.ts';
import { isForced } from '../parameters/is-forced.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { markOf } from './execution-uid.ts';
import { planOf } from './plan-of.ts';

/** Restarts that were demanded and are not done yet: the newest, and earlier ones of plans that apply something else. */
export type Demand = NonNullable<InstanceStatus['restart']>;

type Single = Omit<Demand, 'earlier'>;

/** What a plan begins with. */
export interface Demanding {
  readonly uid: string;
  readonly plan: string;
  readonly changed: readonly string[];
  /**
   * Whether its own cause restarts pods, and whether that is owed also when this execution does not end well. `never`: not
   * on account of others either.
   */
  readonly forced: 'never' | 'no' | 'now' | 'until-done';
}

/**
 * What is owed once this execution has begun, and which mark it puts on pod templates.
 *
 * A plan carries out the demands of others only if it applies all that they would have: a workload that were marked without
 * its ConfigMap would pass for restarted when that one arrives. It takes over the mark of a single demand, so that what was
 * restarted before is not again; several become one, with a mark of its own.
 */
export function demanded(
  owed: Demand | undefined,
  { uid, plan, changed, forced }: Demanding,
  version: OperatorVersion,
): { readonly restart?: Demand; readonly restartUID?: string } {
  const open = listed(owed);
  if (forced === 'never') return joined(open);
  const [met, left] = [open.filter((one) => covers(version, plan, one.plan)), others(open, plan, version)];
  const own: Single = { uid, plan, ...(changed.length > 0 && { changed: [...changed] }) };
  if (forced === 'until-done') {
    // A plan without templates has no pods to restart, now or later.
    return { restartUID: uid, ...joined(appliedTemplates(version, plan).size > 0 ? [own, ...left] : left) };
  }
  const [one, ...more] = met;
  if (!one) return { ...(forced === 'now' && { restartUID: uid }), ...joined(open) };
  const all = [...new Set(met.flatMap((single) => single.changed ?? []))].sort();
  const single: Single =
    more.length === 0
      ? { ...one, ...(forced === 'now' && { uid }) }
      : { uid, plan, ...(all.length > 0 && { changed: all }) };
  return { restartUID: single.uid, ...joined([single, ...left]) };
}

/**
 * A parameter without a trigger that was changed beside one that has it is stored, and applied by whichever plan comes next
 * (KUDO has it so); so is one that was changed with an upgrade whose plan does not apply it. If it demands a restart, that is
 * owed until then, under a mark of its own: this execution's marks what it applies itself.
 */
export function withLeftOver(
  owed: Demand | undefined,
  { uid, plan, changed }: Pick<Demanding, 'uid' | 'plan' | 'changed'>,
  version: OperatorVersion,
): Demand | undefined {
  const definitions = definitionsOf(version);
  const usual = [specialPlans.update, specialPlans.deploy].find((name) => planOf(version, name));
  const left = new Map<string, string[]>();
  for (const name of changed) {
    const parameter = definitions.get(name);
    const later = parameter && (parameter.trigger || usual);
    if (later === undefined || !isForced([name], version) || covers(version, plan, later)) continue;
    left.set(later, [...(left.get(later) ?? []), name]);
  }
  const singles = [...left].map(([later, names]) => {
    return { uid: markOf(`${uid}/left over/${later}`), plan: later, changed: names };
  });
  return joined([...singles, ...listed(owed)]).restart;
}

/** What is still owed when a plan has completed. */
export function withoutMet(
  owed: Demand | undefined,
  plan: string,
  version: OperatorVersion,
): Pick<InstanceStatus, 'restart'> {
  return joined(others(listed(owed), plan, version));
}

/**
 * Whether completing `plan` carries out what was demanded of `demanded`: it is the same plan, or it applies every template
 * that the other would have applied. A `backup` does not. What a version no longer has plans for is done by those that
 * install all of it.
 */
export function covers(version: OperatorVersion, plan: string, demanded: string): boolean {
  if (plan === demanded) return true;
  const applied = appliedTemplates(version, plan);
  const asked = appliedTemplates(version, demanded);
  if (asked.size === 0) return installing.has(plan);
  return [...asked].every((template) => applied.has(template));
}

const installing = new Set<string>([specialPlans.deploy, specialPlans.update, specialPlans.upgrade]);

function listed(owed: Demand | undefined): readonly Single[] {
  if (!owed) return [];
  const { earlier = [], ...newest } = owed;
  return [newest, ...earlier];
}

function joined([newest, ...earlier]: readonly Single[]): Pick<InstanceStatus, 'restart'> {
  return newest ? { restart: { ...newest, ...(earlier.length > 0 && { earlier }) } } : {};
}

function others(open: readonly Single[], plan: string, version: OperatorVersion): readonly Single[] {
  return open.filter((one) => !covers(version, plan, one.plan));
}

/** The templates whose objects a plan applies, whatever its parameters are. */
function appliedTemplates(version: OperatorVersion, name: string): ReadonlySet<string> {
  const tasks = new Map((version.spec.tasks ?? []).map((task) => [task.name, task]));
  const templates = new Set<string>();
  for (const phase of planOf(version, name)?.phases ?? []) {
    for (const step of phase.steps ?? []) {
      for (const task of step.tasks ?? []) {
        const { kind, spec } = tasks.get(task) ?? {};
        if (kind === 'Apply' || kind === 'Toggle') for (const one of spec?.resources ?? []) templates.add(one);
      }
    }
  }
  return templates;
}
