import type { AnyObject } from '../../kube/object.ts';
import { podPortrait } from '../../portrait/of-pod.ts';
import type { PodPortrait, PodReason } from '../../portrait/portrait.ts';
import { labels } from '../keys.ts';
import { wantedInstances } from '../wanted-instances.ts';
import type { Scene } from './scene.ts';

/** How many instances of a revision there are. */
export interface Count {
  readonly ready: number;
  readonly all: number;
}

/** The revision that a pod runs. */
export function revisionOf(pod: AnyObject): string | undefined {
  return pod.metadata.labels?.[labels.version];
}

export function processTypeOf(pod: AnyObject): string {
  return pod.metadata.labels?.[labels.processType] ?? '';
}

/** Instances of a revision, of all processes or of one. */
export function countOf({ pods }: Pick<Scene, 'pods'>, appRev: number, processType?: string): Count {
  const of = pods
    .filter((pod) => revisionOf(pod) === String(appRev))
    .filter((pod) => processType === undefined || processTypeOf(pod) === processType)
    .map((pod) => podPortrait(pod));
  return { ready: of.filter(({ ready, phase }) => ready && phase !== 'deleting').length, all: of.length };
}

/** How many instances the app should have in all. */
export function wantedOf({ processes, app }: Pick<Scene, 'processes' | 'app'>): number {
  if (app.spec.desiredState === 'STOPPED') return 0;
  return processes.reduce((sum, { spec }) => sum + wantedInstances(spec), 0);
}

/** Every pod, with why it was made and why it will go. */
export function podsOf(scene: Scene): readonly PodPortrait[] {
  return scene.pods.map((pod) => {
    const revision = revisionOf(pod);
    return podPortrait(pod, {
      ...(revision !== undefined && { side: `revision ${revision}` }),
      reasons: [...goesBecause(scene, revision), ...madeBecause(scene, pod, revision)],
    });
  });
}

function goesBecause({ app, situation, appRev }: Scene, revision: string | undefined): readonly PodReason[] {
  const will = (sentence: string): readonly PodReason[] => [{ when: 'will', sentence }];
  if (situation.is === 'deleting') return will('the app is being deleted');
  if (app.spec.desiredState === 'STOPPED') return will('the app was stopped');
  if (revision === undefined || revision === String(appRev)) return [];
  if (situation.is === 'canary') return will(`it stays until revision ${appRev} is promoted`);
  if (situation.is === 'returning')
    return will(`revision ${revision} was canceled; revision ${appRev} takes its place`);
  return will(`revision ${appRev} takes its place once an instance of it is ready`);
}

function madeBecause({ deployments }: Scene, pod: AnyObject, revision: string | undefined): readonly PodReason[] {
  if (revision === undefined) return [];
  const made = deployments.find(({ record }) => record.status?.appRev === revision);
  const at = pod.metadata.creationTimestamp;
  const sentence = made
    ? `revision ${revision}, ${whyOf(made.record.spec)}`
    : `revision ${revision} of the app was started`;
  return [{ when: 'did', sentence, ...(at !== undefined && { at }) }];
}

/** What a deployment was for, by what it replaced. */
export function whyOf(spec: {
  readonly strategy: string;
  readonly dropletRef?: { readonly name?: string };
  readonly previousDropletRef?: { readonly name?: string };
}): string {
  const { strategy, dropletRef, previousDropletRef } = spec;
  return dropletRef?.name === previousDropletRef?.name
    ? `a ${strategy} restart of the same droplet`
    : `a ${strategy} deployment of droplet ${dropletRef?.name ?? '(none)'}`;
}
