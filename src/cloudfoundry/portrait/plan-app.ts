import { diff } from '../../change/diff.ts';
import { show } from '../../change/show.ts';
import { annotations as control, switchedOn } from '../../control/annotations.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Edit, FieldChange, Plan, PlannedRestart, PlannedStep, Risk } from '../../portrait/plan.ts';
import type { Around } from '../../portrait/workload.ts';
import { fieldErrorText } from '../../schema/field-error.ts';
import { annotations } from '../keys.ts';
import { wellFormedApp } from '../observe/well-formed-app.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';
import { wantedInstances } from '../wanted-instances.ts';
import { instances } from './answers.ts';
import { wantedOf } from './instances.ts';
import { type Scene, sceneOf } from './scene.ts';
import { historyOf } from './steps.ts';
import { subjectOf } from './summarize-app.ts';

/** What becomes of the instances when an app is edited. */
type Effect =
  /** It is read when the next revision is made. */
  | 'later'
  | 'nothing'
  | 'stop'
  | 'start'
  /** Another revision takes over, instance by instance. */
  | 'roll'
  /** Everything ends and begins anew. */
  | 'renew';

/**
 * What an edit of a CFApp does: the same two numbers decide as for real (`revision.ts`). What else stands in its spec is taken
 * into the next revision, and restarts nothing by itself.
 */
export function planApp({ before, after }: Edit<AnyObject>, around: Around): Plan {
  const wanted = wellFormedApp(after as unknown as CfApp);
  const present = before && wellFormedApp(before as unknown as CfApp);
  const scene = sceneOf(before ?? after, around);
  const changes = changesOf(present, wanted);
  const effect = effectOf(present, wanted, changes);
  const pods = scene.pods.flatMap(({ metadata }) => metadata.name ?? []);
  const past = historyOf(scene).filter(({ good }) => good);
  const estimate = effect === 'roll' ? estimated(past) : undefined;
  const told = tellings(effect, scene, present, wanted);
  const paused = switchedOn(wanted, control.paused) && (effect === 'start' || effect === 'roll' || effect === 'renew');
  return {
    subject: subjectOf(wanted),
    ...told,
    risk: changes.length === 0 && before ? 'none' : told.risk,
    line: changes.length === 0 && before ? 'nothing changes' : told.line,
    changes,
    restarts: restartsOf(effect, scene, pods),
    undo: undoOf(effect, scene),
    ...(estimate && { estimate }),
    ...(paused && { waitsFor: `the annotation ${control.paused} is removed: no new revision starts before` }),
    warnings: effect === 'renew' ? ['cf restart --strategy rolling does the same without downtime'] : [],
    problems: cfApp
      .validate(after)
      .map((error) => ({ field: error.path, rule: error.reason, message: fieldErrorText(error) })),
  };
}

function changesOf(before: CfApp | undefined, after: CfApp): readonly FieldChange[] {
  if (!before) return [];
  const fields = diff(cfApp.spec.field, before.spec, after.spec).map(({ path, from, to }): FieldChange => {
    const demands = path === 'spec.desiredState' ? (to === 'STOPPED' ? 'stop' : 'start') : 'the next revision';
    return {
      path,
      ...(from !== undefined && { from: show(from) }),
      ...(to !== undefined && { to: show(to) }),
      demands: path === 'spec.displayName' ? 'nothing' : demands,
    };
  });
  const [old, now] = [revisionsOf(before), revisionsOf(after)];
  const [held, holds] = [before, after].map((app) => switchedOn(app, control.paused));
  const pause = {
    path: `metadata.annotations[${control.paused}]`,
    from: `${held}`,
    to: `${holds}`,
    demands: 'nothing',
  };
  const numbers = [
    { key: annotations.appRev, from: old.appRev, to: now.appRev, demands: 'restart' },
    { key: annotations.lastStopAppRev, from: old.lastStopAppRev, to: now.lastStopAppRev, demands: 'stop' },
  ].filter(({ from, to }) => from !== to);
  const marks = numbers.map(({ key, from, to, demands }) => ({
    path: `metadata.annotations[${key}]`,
    from: String(from),
    to: String(to),
    demands,
  }));
  return [...fields, ...marks, ...(held === holds ? [] : [pause])];
}

function effectOf(before: CfApp | undefined, after: CfApp, changes: readonly FieldChange[]): Effect {
  const started = after.spec.desiredState === 'STARTED';
  if (!before) return started ? 'start' : 'nothing';
  const ran = before.spec.desiredState === 'STARTED';
  if (ran && !started) return 'stop';
  if (!ran && started) return 'start';
  const [old, now] = [revisionsOf(before), revisionsOf(after)];
  if (started && now.lastStopAppRev !== old.lastStopAppRev) return 'renew';
  if (started && now.appRev !== old.appRev) return 'roll';
  // What was to run and had nothing to run.
  if (started && !before.spec.currentDropletRef?.name && after.spec.currentDropletRef?.name) return 'start';
  // What was asked for during a pause is done when it ends.
  const waited = before.status?.revision?.appRev !== String(now.appRev);
  if (started && waited && switchedOn(before, control.paused) && !switchedOn(after, control.paused)) {
    return before.status?.actualState === 'STARTED' ? 'roll' : 'start';
  }
  return changes.some(({ demands }) => demands === 'the next revision') ? 'later' : 'nothing';
}

type Told = Pick<Plan, 'risk' | 'line' | 'steps' | 'state' | 'availability' | 'extra'>;

const stateless = { outcome: 'none', sentence: 'Instances of an app keep nothing on their disks.' } as const;
const step = (symbol: PlannedStep['symbol'], what: string, detail?: string): PlannedStep => ({
  symbol,
  what,
  ...(detail !== undefined && { detail }),
});

function tellings(effect: Effect, scene: Scene, before: CfApp | undefined, after: CfApp): Told {
  const count = instances(wantedOf({ ...scene, app: after }) || scene.pods.length);
  const { appRev } = revisionsOf(after);
  const told = (risk: Risk, line: string, steps: readonly PlannedStep[], availability: Plan['availability']): Told => ({
    risk,
    line,
    steps,
    state: stateless,
    availability,
  });
  const throughout = (sentence: string): Plan['availability'] => ({ serves: 'throughout', sentence });
  const interrupted = (sentence: string): Plan['availability'] => ({ serves: 'interrupted', sentence });
  switch (effect) {
    case 'nothing':
      return told(
        'quiet',
        before ? 'nothing restarts' : 'the app is made, and does not run until it is started',
        [step('~', before ? 'change the app in place' : 'make the app')],
        throughout('Nothing that runs notices.'),
      );
    case 'later':
      return told(
        'quiet',
        'nothing restarts; it is taken into the next revision',
        [step('~', 'change the app in place'), step('·', 'the next restart or deployment takes it up')],
        throughout('Nothing that runs notices until the app is restarted.'),
      );
    case 'start':
      return told(
        'quiet',
        `${count} start`,
        [step('+', `make revision ${appRev}`), step('+', `start ${count}`)],
        throughout('Nothing ran before.'),
      );
    case 'stop':
      return told(
        'disruption',
        'all instances end; the app does not serve until it is started again',
        [step('-', `end ${instances(scene.pods.length)}`), step('·', 'the next start makes another revision')],
        interrupted('The app does not serve from the moment its instances end until it is started again.'),
      );
    case 'renew':
      return told(
        'disruption',
        'all instances end, then new ones start',
        [step('-/+', `replace all instances at once with revision ${appRev}`)],
        interrupted('The app does not serve while its instances end and start.'),
      );
    case 'roll': {
      const surge = Math.max(1, ...scene.workloads.map(({ spec }) => spec.rollout?.maxInFlight ?? 1));
      const memory = memoryOf(scene);
      return {
        ...told(
          'restart',
          `revision ${appRev} replaces ${count} one by one; it serves throughout`,
          [
            step('+', `make revision ${appRev}`),
            step('+/-', `replace ${count}`, 'an old instance ends only when a new one is ready'),
          ],
          throughout('An old instance ends only when a new one is ready.'),
        ),
        extra: `${instances(surge)} more than usual while it rolls${memory === undefined ? '' : ` (${memory * surge} MB)`}`,
      };
    }
  }
}

function memoryOf({ processes }: Scene): number | undefined {
  const memory = processes.map(({ spec }) => spec.memoryMB ?? 0);
  return memory.length === 0 ? undefined : Math.max(...memory) || undefined;
}

function restartsOf(effect: Effect, scene: Scene, pods: readonly string[]): readonly PlannedRestart[] {
  if (effect !== 'roll' && effect !== 'renew' && effect !== 'stop') return [];
  const because = {
    roll: 'another revision takes their place one by one',
    renew: 'a stop and a start replace all of them',
    stop: 'the app is stopped',
  }[effect];
  return scene.processes
    .filter(({ spec }) => wantedInstances(spec) > 0)
    .map(({ spec, metadata }) => ({
      kind: 'CFProcess',
      name: spec.processType,
      pods: pods.filter((pod) => ofProcess(scene, pod, metadata.name ?? '')),
      because,
    }));
}

function ofProcess({ pods }: Scene, name: string, process: string): boolean {
  const pod = pods.find(({ metadata }) => metadata.name === name);
  return pod?.metadata.labels?.['korifi.cloudfoundry.org/guid'] === process;
}

function undoOf(effect: Effect, { appRev }: Scene): Plan['undo'] {
  switch (effect) {
    case 'roll':
      return { possible: true, sentence: `Until it is done, abort brings revision ${appRev} back, byte for byte.` };
    case 'stop':
    case 'renew':
      return { possible: false, sentence: 'The instances that end do not come back; a start makes another revision.' };
    default:
      return { possible: true, sentence: 'Edit it back: nothing was restarted.' };
  }
}

function estimated(past: ReturnType<typeof historyOf>): Plan['estimate'] | undefined {
  const times = past
    .map(({ startedAt, endedAt }) => Date.parse(endedAt ?? '') - Date.parse(startedAt ?? ''))
    .filter((ms) => Number.isFinite(ms) && ms >= 0);
  if (times.length === 0) return undefined;
  const ms = Math.round(times.reduce((sum, one) => sum + one, 0) / times.length);
  return { ms, basis: times.length === 1 ? 'the last deployment' : `the last ${times.length} deployments` };
}
