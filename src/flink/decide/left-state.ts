import { setCondition } from '../../control/conditions.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import type { DroppedState } from '../resources/progress.ts';
import type { Transition } from '../resources/transition.ts';
import { terminal } from '../rest.ts';
import { instantOf, instantText } from './instant-text.ts';
import type { JobCase } from './job-case.ts';
import { warned } from './reasons.ts';
import type { Status } from './status.ts';
import type { Effect } from './step.ts';

type Left = NonNullable<Transition['dropped']>;

/** A status that tells of state that is left behind, and the event that does. */
interface Said {
  readonly status: Status;
  readonly events: readonly Effect[];
}

interface Known {
  readonly path: string;
  readonly at: number;
}

/**
 * Where the state lies that a redeploy leaves behind. Of a job that is known to have ended it is its last state; else the
 * newest that anybody said, best of all Flink after the job was cancelled: as long as it runs, it replaces its checkpoints
 * by newer ones. Else nobody knows.
 */
export function leftState(c: JobCase): Left {
  const last = lastState(c);
  const known = (last ? [last] : [toldByFlink(c), noted(c), remembered(c), ...recorded(c)]).filter(
    (one) => one !== undefined,
  );
  const [newest] = known.sort((a, b) => b.at - a.at);
  return newest ? { location: newest.path, knownAt: instantText(newest.at) } : {};
}

/** What a job that has ended left, if it is known: the change under way carries it over, or status holds it. */
function lastState(c: JobCase): Known | undefined {
  const { transition, jobStatus } = c.status;
  if (!transition) {
    const over = c.recorded?.spec.job.state === 'suspended' || terminal(jobStatus?.state);
    return over ? remembered(c) : undefined;
  }
  const { phase, phaseStartedAt, restore } = transition;
  if ((phase !== 'clearing' && phase !== 'starting') || restore.path === undefined) return undefined;
  return { path: restore.path, at: instantOf(phaseStartedAt) ?? 0 };
}

function toldByFlink({ rest }: JobCase): Known | undefined {
  const { checkpoints } = rest.job;
  const path = checkpoints?.value.last?.path;
  return checkpoints && path !== undefined ? { path, at: checkpoints.at } : undefined;
}

/** What was known before the job was cancelled. */
function noted({ status }: JobCase): Known | undefined {
  const { location, knownAt } = status.transition?.dropped ?? {};
  return location === undefined ? undefined : { path: location, at: instantOf(knownAt) ?? 0 };
}

function remembered({ status }: JobCase): Known | undefined {
  const { upgradeSavepointPath: path, updateTime } = status.jobStatus ?? {};
  if (path === undefined || path === lastStateOnly) return undefined;
  const times = [updateTime, status.reconciliationStatus?.reconciliationTimestamp].map((time) => Number(time ?? 0));
  return { path, at: Math.max(...times.filter(Number.isFinite), 0) };
}

function recorded({ snapshots }: JobCase): readonly Known[] {
  return snapshots.items.flatMap(({ status }) => {
    const at = instantOf(status?.resultTimestamp);
    return status?.state === 'COMPLETED' && status.path && at !== undefined ? [{ path: status.path, at }] : [];
  });
}

/** The state is left behind now: it is remembered where it lies, and said. */
export function dropped(c: JobCase, status: Status, transition: Transition): Said {
  const { location, knownAt } = transition.dropped ?? {};
  const kind = location === undefined ? 'unknown' : location.includes('/chk-') ? 'checkpoint' : 'savepoint';
  const droppedState: DroppedState = {
    kind,
    at: instantText(c.now),
    ...(location !== undefined && { location }),
    ...(knownAt !== undefined && { knownAt }),
  };
  const where = location === undefined ? whereToLook(c) : `Its last known ${kind} is ${location} (as of ${knownAt}).`;
  const message = `The job starts ${origin(transition)}; the state of its predecessor is left behind. ${where}`;
  const finding = { type: 'StateDropped', status: 'True', reason: 'Redeployed', message } as const;
  const conditions = [...setCondition(status.conditions ?? [], finding, c.generation, c.now)];
  return { status: { ...status, droppedState, conditions }, events: [warned(c.resource, 'StateDropped', message)] };
}

/** Nobody said where the state lies. */
function whereToLook({ config }: JobCase): string {
  const { checkpointsDirectory, savepointsDirectory } = flinkOptions;
  const places = [read(config, checkpointsDirectory), read(config, savepointsDirectory)].filter((place) => place);
  if (places.length === 0) return 'No checkpoint or savepoint of it is known, and no directory for them is configured.';
  return `No checkpoint or savepoint of it is known: look in ${places.join(' and ')}.`;
}

/**
 * Recovery metadata that is there before anything was deployed is of an earlier resource of the same name. It is neither
 * restored from nor removed without a word.
 */
export function predecessorForgotten(c: JobCase, status: Status, transition: Transition): Said {
  const { checkpointsDirectory, haStorageDir } = flinkOptions;
  const places = [read(c.config, checkpointsDirectory), read(c.config, haStorageDir)].filter((place) => place);
  const names = c.cluster.ha.configMaps.map(({ kind, name }) => `${kind} ${name}`);
  const shown = `${names.slice(0, 4).join(', ')}${names.length > 4 ? ' …' : ''}`;
  const where = places.length > 0 ? ` What it pointed to stays: look in ${places.join(' and ')}.` : '';
  const message = `Recovery metadata of an earlier FlinkDeployment of this name is removed (${shown}); the job starts ${origin(transition)}.${where}`;
  if (status.conditions?.some(({ reason }) => reason === 'PredecessorForgotten')) return { status, events: [] };
  const finding = { type: 'StateDropped', status: 'True', reason: 'PredecessorForgotten', message } as const;
  const conditions = [...setCondition(status.conditions ?? [], finding, c.generation, c.now)];
  return { status: { ...status, conditions }, events: [warned(c.resource, 'StateDropped', message)] };
}

function origin({ restore }: Transition): string {
  return restore.path === undefined ? 'without state' : `from ${restore.path}`;
}
