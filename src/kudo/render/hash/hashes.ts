import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { dependenciesHash } from './dependencies-hash.ts';
import { type DependencyReader, dependenciesOf } from './dependency.ts';
import { referencesHash } from './references-hash.ts';

/** What stands for the content that pods read; a part is absent where there is no such content. */
export interface Hashes {
  readonly dependencies?: string;
  readonly references?: string;
}

export function hashesOf(podSpec: unknown, read: DependencyReader): Hashes {
  const { mounted, others } = dependenciesOf(podSpec);
  const dependencies = dependenciesHash(mounted, read);
  const references = referencesHash(others, read);
  return { ...(dependencies !== undefined && { dependencies }), ...(references !== undefined && { references }) };
}

/** As they stand on a pod template. */
export function hashAnnotations(hashes: Hashes): Readonly<Record<string, string>> {
  return {
    ...(hashes.dependencies !== undefined && { [annotations.dependenciesHash]: hashes.dependencies }),
    ...(hashes.references !== undefined && { [annotations.referencesHash]: hashes.references }),
  };
}

/** As the baseline of a workload is written: `<dependencies>/<references>`. */
export function baselineText(hashes: Hashes): string {
  return `${hashes.dependencies ?? ''}/${hashes.references ?? ''}`;
}

/**
 * What is known of the content that the pods of a live workload were started with: by our baseline, else by the hashes on
 * its pod template, which are KUDO's or ours. `unknown` parts cannot have changed, for nobody wrote down what they were.
 */
export interface Baseline {
  readonly dependencies: string | 'none' | 'unknown';
  readonly references: string | 'none' | 'unknown';
}

export function baselineOf(live: KubeObject, nested: Readonly<Record<string, string>>): Baseline {
  const written = /^([0-9a-f]*)\/([0-9a-f]*)$/.exec(live.metadata.annotations?.[annotations.hashBaseline] ?? '');
  if (written) return { dependencies: written[1] || 'none', references: written[2] || 'none' };
  return {
    dependencies: nested[annotations.dependenciesHash] ?? 'unknown',
    references: nested[annotations.referencesHash] ?? 'unknown',
  };
}

/** Which parts are known to be another than they were. */
export function changedParts(baseline: Baseline, hashes: Hashes): { dependencies: boolean; references: boolean } {
  const changed = (before: string, now: string | undefined): boolean =>
    before !== 'unknown' && before !== (now ?? 'none');
  return {
    dependencies: changed(baseline.dependencies, hashes.dependencies),
    references: changed(baseline.references, hashes.references),
  };
}

/** The baseline as it stays: what is not known is from now on what is found now. */
export function kept(baseline: Baseline, hashes: Hashes): Hashes {
  const pick = (before: string, now: string | undefined): string | undefined =>
    before === 'unknown' ? now : before === 'none' ? undefined : before;
  const dependencies = pick(baseline.dependencies, hashes.dependencies);
  const references = pick(baseline.references, hashes.references);
  return { ...(dependencies !== undefined && { dependencies }), ...(references !== undefined && { references }) };
}
