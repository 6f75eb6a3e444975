import type { FlinkBlueGreenDeploymentStatus } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeploymentStatus } from '../../../src/flink/resources/flink-deployment.ts';
import type { AnyObject } from '../../../src/kube/object.ts';

/** What must be the same after every run: without uids, ids, times, and numbers of checkpoints and attempts. */
export function essential(objects: readonly AnyObject[]): unknown {
  const texts = objects.filter(matters).map((object) => withoutChance(JSON.stringify(essence(object))));
  // Only what is left when chance is out of it may say what comes first: an id begins with any letter.
  return texts.sort().map((text) => JSON.parse(text) as unknown);
}

function withoutChance(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d+)?/g, 'UID')
      .replaceAll(/[0-9a-f]{32}/g, 'HEX')
      .replaceAll(/savepoint-([0-9a-f]{6}-[0-9a-f]{12}|[0-9a-f]{10}\b)/g, 'SAVEPOINT')
      .replaceAll(/chk-\d+/g, 'chk-N')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\d{13}/g, 'TIME')
      // How many edits there were before it was made.
      .replaceAll(/(apache\.org\/generation"?:"?)\d+/g, '$1N')
  );
}

function matters({ kind, metadata }: AnyObject): boolean {
  if (metadata.name === 'kube-root-ca.crt' || metadata.name === 'kubernetes') return false;
  return kind !== 'Pod' || metadata.deletionTimestamp === undefined;
}

function essence(object: AnyObject): unknown {
  const { kind, metadata, spec, status } = object;
  const { name, labels } = metadata;
  // Names of pods are chance, and TaskManagers may be made anew.
  if (kind === 'Pod') return { kind, component: labels?.component };
  if (!kind.startsWith('Flink')) return { kind, name, made: made(object) };
  const known = { kind, name, finalizers: metadata.finalizers, spec };
  if (kind === 'FlinkBlueGreenDeployment') return { ...known, ...essenceOfBlueGreen(status) };
  if (kind === 'FlinkStateSnapshot') {
    const { state, path } = (status ?? {}) as { state?: string; path?: string };
    return { ...known, state, path };
  }
  const { jobStatus, reconciliationStatus, conditions, history, droppedState, ...rest } = (status ??
    {}) as FlinkDeploymentStatus;
  return {
    ...known,
    lifecycleState: rest.lifecycleState,
    jobManager: rest.jobManagerDeploymentStatus,
    taskManager: rest.taskManager,
    nonces: rest.nonces,
    error: rest.error,
    transition: rest.transition,
    observedGeneration: rest.observedGeneration,
    job: { state: jobStatus?.state, path: jobStatus?.upgradeSavepointPath },
    reconciled: {
      state: reconciliationStatus?.state,
      spec: reconciliationStatus?.lastReconciledSpec,
      stable: reconciliationStatus?.lastStableSpec === reconciliationStatus?.lastReconciledSpec,
    },
    // Where the state was that somebody had enough of is told if Flink could be asked at that moment.
    dropped: droppedState !== undefined,
    conditions: conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`).sort(),
    history: history?.map(({ cause }) => cause),
  };
}

/** What an object was made for, as far as the operator wrote it: not what a JobManager keeps, nor addresses. */
function made({ kind, metadata, spec, data }: AnyObject): unknown {
  switch (kind) {
    case 'Deployment':
    case 'Ingress':
      return spec;
    case 'ConfigMap':
      return metadata.labels?.['configmap-type'] === 'high-availability' ? undefined : data;
    case 'Service': {
      const { selector, ports } = spec as { selector?: object; ports?: readonly object[] };
      return { selector, ports };
    }
    default:
      return undefined;
  }
}

function essenceOfBlueGreen(status: unknown): object {
  const { jobStatus, conditions, history, serving, ...rest } = (status ?? {}) as FlinkBlueGreenDeploymentStatus;
  return {
    state: rest.blueGreenState,
    job: jobStatus?.state,
    serving: serving?.color,
    spec: rest.lastReconciledSpec,
    nonces: rest.nonces,
    error: rest.error,
    transition: rest.transition,
    aborted: rest.aborted?.color,
    savepoint: rest.lastSavepoint?.path,
    observedGeneration: rest.observedGeneration,
    conditions: conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`).sort(),
    history: history?.map(({ cause, outcome }) => `${cause} ${outcome}`),
  };
}

/** An end without what tells how often a job was upgraded, and from which state: the savepoint of an upgrade stays on record. */
export function withoutHistory(end: unknown): unknown {
  const text = JSON.stringify(end).replaceAll(/execution\.(savepoint|state-recovery)\.path: .*?\\n/g, '');
  return (JSON.parse(text) as readonly Readonly<Record<string, unknown>>[])
    .filter(({ kind }) => kind !== 'FlinkStateSnapshot')
    .map(({ history: _history, observedGeneration: _generation, job: _job, reconciled: _reconciled, ...rest }) => rest);
}

/**
 * An end, as text, without the savepoints of the operator that failed: one during which somebody takes a TaskManager away
 * does, another is taken instead, and the first stays on record.
 */
export function withoutTries(end: string): string {
  const objects = JSON.parse(end) as readonly Readonly<Record<string, unknown>>[];
  const isTry = ({ kind, name, state }: Readonly<Record<string, unknown>>): boolean =>
    kind === 'FlinkStateSnapshot' && String(name).endsWith('-SAVEPOINT') && state === 'FAILED';
  return JSON.stringify(objects.filter((object) => !isTry(object)));
}
