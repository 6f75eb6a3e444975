import type { AnyObject } from '../../kube/object.ts';
import type { FieldChange } from '../../portrait/plan.ts';
import type { Fact, PodPortrait, Side } from '../../portrait/portrait.ts';
import type { Summary } from '../../portrait/summary.ts';
import { own } from '../graph/own.ts';
import { annotations } from '../keys.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { becauseOf, restartsPods } from './because.ts';
import type { Read } from './instance-in.ts';
import { progressOf } from './progress.ts';
import { type Situation, waitingOf } from './situation.ts';
import { shownValues } from './values.ts';
import { brief } from './wording.ts';

export interface SidesInput {
  readonly read: Read;
  readonly situation: Situation;
  readonly summary: Summary;
  readonly version: OperatorVersion | undefined;
  readonly pods: readonly PodPortrait[];
  /** Workloads of the Instance as they are. */
  readonly workloads: readonly AnyObject[];
  /** What stands in the spec and is not accepted. */
  readonly pending: readonly FieldChange[];
}

/** What there is now, then what a plan makes of it, then what waits or is refused. */
export function sidesOf(input: SidesInput): readonly Side[] {
  const { read, situation, pending } = input;
  const waits = waitingOf(read);
  return [
    present(input),
    ...(situation.is === 'running' ? [applied(input, situation)] : []),
    ...(waits !== undefined && pending.length > 0 ? [next('waiting change', 'waiting', pending)] : []),
    ...(situation.is === 'refused' ? [next('refused change', 'failed', pending, situation.message)] : []),
  ];
}

function present({ read, summary, pods, workloads, version, situation }: SidesInput): Side {
  const running = situation.is === 'running';
  const ready = pods.filter((pod) => pod.ready).length;
  const versions = [
    ...new Set(workloads.flatMap((one) => one.metadata.annotations?.[annotations.operatorVersion] ?? [])),
  ];
  const count = pods.length > 0 ? `${ready} of ${pods.length} pods ready` : (summary.state ?? 'nothing installed');
  const nothing = summary.serving === 'nothing';
  return {
    name: running ? 'now' : (read.status.accepted?.operatorVersion.name ?? 'nothing'),
    role: nothing ? 'idle' : 'serving',
    phase: running ? (ready === pods.length && !nothing ? 'healthy' : 'progressing') : summary.phase,
    state: count,
    facts: [
      ...(versions.length > 0 ? [{ label: 'version of its workloads', value: versions.sort().join(', ') }] : []),
      ...(running ? [] : parametersOf(read, version)),
    ],
  };
}

function applied({ read, version, pods }: SidesInput, { execution }: Extract<Situation, { is: 'running' }>): Side {
  const { steps, done } = progressOf(read.status, execution.plan);
  const shown = shownValues(version);
  const values = read.status.accepted?.parameters ?? {};
  const open = pods.filter(({ reasons }) => reasons.some(({ when }) => when === 'will')).length;
  return {
    name: `plan ${execution.plan}`,
    role: 'next',
    phase: 'progressing',
    state: `${done} of ${steps.length} steps done`,
    facts: [
      { label: 'because', value: becauseOf(execution) },
      { label: 'operator version', value: read.status.accepted?.operatorVersion.name ?? '' },
      ...(execution.changed ?? []).map((name) => ({ label: name, value: shown.text(name, values) ?? '(none)' })),
      { label: 'pods', value: restartsPods(execution) ? 'restart' : 'restart only if their template changes' },
      ...(open > 0 ? [{ label: 'pods still to restart', value: String(open) }] : []),
    ],
  };
}

function next(name: string, phase: Side['phase'], pending: readonly FieldChange[], why?: string): Side {
  return {
    name,
    role: phase === 'failed' ? 'idle' : 'next',
    phase,
    state: phase === 'failed' ? 'refused' : 'waits',
    facts: [
      ...(why !== undefined ? [{ label: 'why', value: brief(why) }] : []),
      ...pending.map(({ path, from = '(none)', to = '(none)' }) => ({ label: path, value: `${from} → ${to}` })),
    ],
  };
}

/** The parameters whose values are not the defaults of the package. */
export function parametersOf({ status }: Read, version: OperatorVersion | undefined): readonly Fact[] {
  const values = status.accepted?.parameters ?? {};
  const shown = shownValues(version);
  const defaults = new Map((version?.spec.parameters ?? []).map((one) => [one.name, one.default ?? undefined]));
  return Object.keys(values)
    .filter((name) => own(values, name) !== defaults.get(name))
    .sort()
    .map((name) => ({ label: name, value: shown.text(name, values) ?? '' }));
}
