import { type InstancesStatus, mostInstancesShown } from '../../resources/instances-status.ts';
import type { Situation } from './situation.ts';

/**
 * How each wanted instance stands: as many entries as instances are wanted, canaries beyond them, and never RUNNING because of
 * an old revision. The workload's word counts once it speaks of its present spec; until then what was known of this revision does.
 */
export function instancesOf(situation: Situation): InstancesStatus {
  const { workload, process, revisions, instances } = situation;
  const appRev = String(revisions.appRev);
  const entries = Array.from({ length: Math.min(instances, mostInstancesShown) }, (_, index) => String(index));
  if (workload && workload.spec.version !== appRev) {
    const details = `revision ${workload.spec.version} still runs here until it is replaced by revision ${appRev}`;
    return Object.fromEntries(entries.map((index) => [index, { state: 'STARTING', details }]));
  }
  const told = workload?.status?.observedGeneration === workload?.metadata.generation;
  const known = process.status?.observedAppRev === appRev ? process.status.instancesStatus : undefined;
  const source = (told ? workload?.status?.instancesStatus : known) ?? {};
  const beyond = workload?.spec.rollout?.canaries === undefined ? [] : Object.keys(source).slice(instances);
  const shown = [...new Set([...entries, ...beyond])];
  return Object.fromEntries(shown.map((index) => [index, source[index] ?? { state: 'STARTING' }]));
}
