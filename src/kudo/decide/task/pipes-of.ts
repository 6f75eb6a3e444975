import type { OperatorVersion } from '../../resources/operator-version.ts';
import { artifactName, pipePodName } from './pipe-names.ts';
import { pipePlacements } from './pipe-placements.ts';

/** What `.Pipes` yields in the templates of a plan: key → name of the ConfigMap or Secret. */
export function pipesOf(version: OperatorVersion, instance: string, plan: string): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  for (const { pipes, ...where } of pipePlacements(version, plan)) {
    for (const { key = '' } of pipes) {
      if (!names.has(key)) names.set(key, artifactName({ instance, plan, ...where }, key));
    }
  }
  return Object.fromEntries(names);
}

/**
 * Why the Pipe tasks of a plan would write over one another: two with the same key, or two whose names differ only in what
 * names leave out.
 */
export function pipeConflict(version: OperatorVersion, instance: string, plan: string): string | undefined {
  const keys = new Set<string>();
  const artifacts = new Map<string, string>();
  const pods = new Map<string, string>();
  for (const { pipes, ...where } of pipePlacements(version, plan)) {
    const place = { instance, plan, ...where };
    for (const { key = '', kind = '' } of pipes) {
      if (keys.has(key)) return `duplicated pipe key ${key}`;
      keys.add(key);
      const name = artifactName(place, key);
      const other = artifacts.get(`${kind} ${name}`);
      if (other !== undefined) return `pipe keys ${other} and ${key} would both become ${kind} ${name}: rename one`;
      artifacts.set(`${kind} ${name}`, key);
    }
    const pod = pipePodName(place);
    const here = `${where.phase}.${where.step}.${where.task}`;
    const other = pods.get(pod);
    if (other !== undefined) return `pipe tasks ${other} and ${here} would share the pod ${pod}: rename one`;
    pods.set(pod, here);
  }
  return undefined;
}
