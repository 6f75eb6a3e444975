import type { Plan } from '../../../portrait/plan.ts';
import { at } from '../../graph/workload.ts';
import { names } from '../wording.ts';
import type { Fate } from './consequences.ts';
import { replicasOf } from './replicas-of.ts';

/** What becomes of the volumes of an Instance. Claims outlive pods, and StatefulSets too, unless somebody asked otherwise. */
export function stateOf(fates: readonly Fate[]): Plan['state'] {
  const dropped = fates.filter(dropsState).map(({ kind, name }) => `${kind} ${name}`);
  if (dropped.length > 0) {
    return { outcome: 'dropped', sentence: `the volumes of ${names(dropped)} go, and what is in them` };
  }
  const kept = fates.filter(hasState).map(({ kind, name }) => `${kind} ${name}`);
  if (kept.length > 0) return { outcome: 'kept', sentence: `volume claims of ${names(kept)} stay as they are` };
  const restarts = fates.some(({ restart }) => restart !== undefined);
  const lost = restarts ? '; what pods hold outside of volumes goes when they restart' : '';
  return { outcome: 'none', sentence: `it touches no volume claims${lost}` };
}

function hasState({ kind, wanted }: Fate): boolean {
  return kind === 'PersistentVolumeClaim' || (kind === 'StatefulSet' && hasClaims(wanted));
}

function dropsState(fate: Fate): boolean {
  const { kind, does, wanted } = fate;
  const live = fate.live ?? fate.before;
  const goes = does === 'delete' || does === 'renew';
  if (kind === 'PersistentVolumeClaim') return goes;
  if (kind !== 'StatefulSet' || !hasClaims(live)) return false;
  const policy = (when: string): boolean =>
    at(live, ['spec', 'persistentVolumeClaimRetentionPolicy', when]) === 'Delete';
  if (goes) return policy('whenDeleted');
  const fewer = (replicasOf(wanted) ?? 1) < (replicasOf(live) ?? 1);
  return does === 'change' && fewer && policy('whenScaled');
}

function hasClaims(object: unknown): boolean {
  const claims = at(object, ['spec', 'volumeClaimTemplates']);
  return Array.isArray(claims) && claims.length > 0;
}
