import { equal } from '../../../change/equal.ts';
import { annotations as cutover } from '../../../control/annotations.ts';
import { type Action, type JsonPatchOperation, type Reason, refTo } from '../../../control/decision.ts';
import type { Json } from '../../../kube/object.ts';
import { keptRevisions, keptText, type RevisionSnapshot, snapshotOf } from '../../kept-revisions.ts';
import { annotations, finalizers, labels } from '../../keys.ts';
import { revisionSnapshot } from '../../manifests/revision-snapshot.ts';
import { workloadName } from '../../names.ts';
import { type AppWorkload, type AppWorkloadSpec, appWorkload } from '../../resources/app-workload.ts';
import { rolloutOf } from './rollout.ts';
import type { Situation } from './situation.ts';

/** What must be done so that the workload is as it should be, or why it cannot be yet. */
export type Next =
  | { readonly is: 'done' }
  /** `inWordsOnly`: what runs is as it should be, and only what is kept beside it changes. */
  | {
      readonly is: 'act';
      readonly actions: readonly Action[];
      readonly because: string;
      readonly inWordsOnly?: boolean;
    }
  | { readonly is: 'wait'; readonly reason: Reason; readonly message: string };

/**
 * Brings the workload to the revision that it should run.
 *
 * A revision is a snapshot: while it is unchanged, only the number of instances and the way of replacing them are written.
 * A new one replaces the whole spec in one guarded write; the one before is kept beside it for as long as a cancel may
 * return to it, byte for byte, so that going back restarts no instance that still runs it.
 */
export function nextWorkload(situation: Situation): Next {
  const { workload, instances } = situation;
  if (instances === 0) return { is: 'done' };
  return workload ? updated(situation, workload) : created(situation);
}

function created(situation: Situation): Next {
  const { process, app, revisions, others, settings, instances } = situation;
  const lastStopAppRev = String(revisions.lastStopAppRev);
  const appRev = String(revisions.appRev);
  const guid = process.metadata.name ?? '';
  const name = workloadName(guid, lastStopAppRev);
  if (others.some(({ metadata }) => metadata.name === name)) {
    return { is: 'wait', reason: 'StillRunning', message: 'The instances that ran before are still ending.' };
  }
  const snapshot = newSnapshot(situation, appRev);
  if ('is' in snapshot) return snapshot;
  const { apiVersion, kind, metadata } = process;
  const object: AppWorkload = {
    apiVersion: appWorkload.apiVersion,
    kind: appWorkload.type.kind,
    metadata: {
      name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels: {
        [labels.appGuid]: app.metadata.name ?? '',
        [labels.appRev]: appRev,
        [labels.processGuid]: guid,
        [labels.processType]: process.spec.processType,
      },
      annotations: {
        [annotations.creationVersion]: settings.version,
        [annotations.lastStopAppRev]: lastStopAppRev,
        [cutover.id]: `${metadata.uid}/${lastStopAppRev}`,
      },
      finalizers: [finalizers.workload],
      ownerReferences: [
        { apiVersion, kind, name: guid, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: { ...snapshot, instances, ...rollout(situation, undefined) },
  };
  return { is: 'act', actions: [{ do: 'create', object }], because: `revision ${appRev} is started` };
}

function updated(situation: Situation, workload: AppWorkload): Next {
  const target = targetRevision(situation, workload);
  const kept = keptRevisions(workload);
  const live = snapshotOf(workload);
  const present: AppWorkloadSpec['version'] = workload.spec.version;
  const snapshot = present === target ? live : (kept[target] ?? newSnapshot(situation, target));
  if ('is' in snapshot) return snapshot;
  const spec = {
    ...snapshot,
    instances: situation.instances,
    ...rollout(situation, present === target ? workload : undefined),
  };
  const same = equal(workload.spec, spec);
  const patch = [
    ...(same ? [] : [put('/spec', spec as unknown as Json)]),
    ...(workload.metadata.labels?.[labels.appRev] === target
      ? []
      : [put('/metadata/labels', { ...workload.metadata.labels, [labels.appRev]: target })]),
    ...keeping(situation, workload, { ...kept, [present]: live }, target),
  ];
  if (patch.length === 0) return { is: 'done' };
  const because =
    present === target ? `revision ${target} goes on` : `revision ${target} takes the place of ${present}`;
  return { is: 'act', actions: [{ do: 'patch', of: refTo(workload), patch }], because, inWordsOnly: same };
}

/** Only the web process takes a deployment's revision at once; the others keep theirs until it is through. */
function targetRevision({ active, process, revisions }: Situation, workload: AppWorkload): string {
  const follows = active && !active.goesBack && process.spec.processType !== 'web' && !active.record.status?.webDone;
  return follows ? workload.spec.version : String(revisions.appRev);
}

function rollout(situation: Situation, unchanged: AppWorkload | undefined): Pick<AppWorkloadSpec, 'rollout'> {
  const { active, process, instances } = situation;
  if (active) {
    const { processType: type } = process.spec;
    return { rollout: rolloutOf(active.record, { type, instances, goesBack: active.goesBack }) };
  }
  const before = unchanged?.spec.rollout;
  if (!before) return {};
  const { canaries: _canaries, ...rest } = before;
  return Object.keys(rest).length === 0 ? {} : { rollout: rest };
}

/** Keeps what a cancel of the deployment under way would return to, and nothing else. */
function keeping(
  { active }: Situation,
  workload: AppWorkload,
  known: Readonly<Record<string, RevisionSnapshot>>,
  target: string,
): readonly JsonPatchOperation[] {
  const previous = active?.mark.previous?.appRev;
  const snapshot = previous === undefined || String(previous) === target ? undefined : known[String(previous)];
  const wanted = keptText(snapshot ? { [String(previous)]: snapshot } : {});
  const present = workload.metadata.annotations?.[annotations.keptRevisions];
  if (wanted === present) return [];
  const { [annotations.keptRevisions]: _present, ...others } = workload.metadata.annotations ?? {};
  return [
    put('/metadata/annotations', { ...others, ...(wanted !== undefined && { [annotations.keptRevisions]: wanted }) }),
  ];
}

/** What the revision consists of, or what it waits for. */
function newSnapshot(situation: Situation, appRev: string): RevisionSnapshot | Extract<Next, { is: 'wait' }> {
  const { app, process, droplet, settings } = situation;
  const revision = app.status?.revision;
  if (!droplet) {
    const named = app.spec.currentDropletRef?.name;
    const message = named
      ? `The droplet ${named} cannot be used: there is no staged build of this name.`
      : 'The app has no droplet. Push or stage it, then set its current droplet.';
    return { is: 'wait', reason: named ? 'CannotResolveCurrentDropletRef' : 'DropletNotAssigned', message };
  }
  if (revision?.appRev !== appRev) {
    return {
      is: 'wait',
      reason: 'OutdatedCFAppStatus',
      message: `The environment of revision ${appRev} is being taken.`,
    };
  }
  return revisionSnapshot({
    appGuid: app.metadata.name ?? '',
    appRev,
    processGuid: process.metadata.name ?? '',
    process: {
      ...process.spec,
      ...(droplet.commands && { detectedCommand: droplet.commands[process.spec.processType] ?? '' }),
    },
    lifecycle: app.spec.lifecycle.type,
    droplet,
    env: { secretName: revision.envSecretName, names: revision.envNames },
    settings,
  });
}

function put(path: string, value: Json): JsonPatchOperation {
  return { op: 'add', path, value };
}
