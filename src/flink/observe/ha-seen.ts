import { type Ref, refTo } from '../../control/decision.ts';
import type { HaSeen, SubmittedSeen } from '../view.ts';
import type { ConfigMap } from './kube-shapes.ts';
import { plainRef } from './refs.ts';

/**
 * Flink's metadata for recovery, among the ConfigMaps that carry its cluster's labels. It outlives its cluster, so it has no
 * owner: what has one (the configuration, what the autoscaler keeps) is not it.
 */
export function haSeen(cluster: string, configMaps: readonly ConfigMap[]): HaSeen {
  const ours = [`flink-config-${cluster}`, `pod-template-${cluster}`];
  const held = configMaps.filter(({ metadata: { name = '', labels = {}, ownerReferences = [] } }) => {
    if (ownerReferences.length > 0 || ours.includes(name)) return false;
    return labels.type === 'flink-native-kubernetes' && labels.component !== 'autoscaler';
  });
  const ofJobs = held.filter((object) => !object.metadata.deletionTimestamp && isOfJob(object));
  return {
    available: ofJobs.length > 0,
    withCheckpoint: ofJobs.some(holdsCheckpoint),
    configMaps: held.map((object): Ref => plainRef(object)).sort((a, b) => a.name.localeCompare(b.name)),
    submitted: held.filter((object) => !object.metadata.deletionTimestamp).flatMap(submittedIn),
  };
}

/** Jobs as they were submitted: `jobGraph-ID`, from Flink 2.0 on `executionPlan-ID`. */
function submittedIn(object: ConfigMap): readonly SubmittedSeen[] {
  const keys = Object.keys(object.data ?? {}).filter((key) => /^(jobGraph|executionPlan)-/.test(key));
  return keys.length > 0 ? [{ ref: refTo(object), keys }] : [];
}

/** Whether it names a completed checkpoint. */
export function holdsCheckpoint({ data = {} }: ConfigMap): boolean {
  return Object.keys(data).some((key) => key.startsWith('checkpointID-'));
}

/** As told by their names: `C-JOBID-config-map`, before Flink 1.15 `C-JOBID-jobmanager-leader`. */
function isOfJob({ metadata: { name = '' } }: ConfigMap): boolean {
  if (name.endsWith('-jobmanager-leader')) return true;
  return name.endsWith('-config-map') && !name.endsWith('-cluster-config-map');
}
