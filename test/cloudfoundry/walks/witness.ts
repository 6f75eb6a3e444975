import { isReady } from '../../../src/cloudfoundry/decide/conclude.ts';
import { deploymentMark } from '../../../src/cloudfoundry/deployment-mark.ts';
import { annotations, labels } from '../../../src/cloudfoundry/keys.ts';
import { processGuid } from '../../../src/cloudfoundry/names.ts';
import type { Pod } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import { type CfApp, cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../../../src/cloudfoundry/resources/cf-deployment.ts';
import { type CfProcess, cfProcess } from '../../../src/cloudfoundry/resources/cf-process.ts';
import { revisionsOf } from '../../../src/cloudfoundry/revision.ts';
import { wantedInstances } from '../../../src/cloudfoundry/wanted-instances.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { space } from '../app-stage.ts';
import { wrongAtRest } from './at-rest.ts';
import { app, type WalkStage } from './walk-stage.ts';

export const processTypes = ['web', 'worker'] as const;

/** After so long, what people did to instances is no excuse any more. */
const memoryMs = 120_000;

type RunningPod = Pod & { readonly spec?: { readonly containers?: readonly object[] } };

/**
 * Sees every change in the cluster, in order, and notes what must never happen.
 *
 * What a step of the walk permits is told before it is taken: `an end` may take all instances, `one less` one of them, and
 * `restarts` may replace them, but never so that fewer serve than did.
 */
export class Witness {
  /** What must not have happened. */
  readonly wrong: string[] = [];
  readonly #stage: WalkStage;
  /** As many web instances serve, whatever happens, until somebody takes them. */
  #floor = 0;
  /** Whether instances may be replaced at all: not when everything was at rest, and only the environment was changed. */
  #restarts = false;
  /** When instances were last taken by a person. */
  #takenAt = Number.NEGATIVE_INFINITY;
  #stops = 0;
  #recordedStops = 0;
  /** What each revision of a process was seen to consist of. */
  readonly #contents = new Map<string, string>();

  constructor(stage: WalkStage) {
    this.#stage = stage;
    const { world } = stage.embedded;
    world.watch<RunningPod>(kinds.pods, ({ before, after }) => this.#pod(before, after));
    world.watch<CfApp>(cfApp.type, ({ before, after }) => before && after && this.#app(before, after));
    world.watch<CfDeployment>(
      cfDeployment.type,
      ({ before, after }) => before && after && this.#deployment(before, after),
    );
    world.watch<CfProcess>(cfProcess.type, ({ after }) => {
      if (after?.spec.processType === 'web') this.#floor = Math.min(this.#floor, wantedInstances(after.spec));
    });
    for (const pod of this.pods()) this.#pod(undefined, pod);
    this.settle();
  }

  permits(what: 'an end' | 'one less' | 'another size' | 'restarts'): void {
    this.#restarts = true;
    if (what === 'restarts') return;
    this.#takenAt = this.#stage.clock.now();
    // As many as are wanted then serve also afterwards: see the watch of processes.
    if (what === 'another size') return;
    this.#floor = what === 'an end' ? 0 : Math.max(0, this.#floor - 1);
  }

  /** If everything is at rest now, what was permitted before is so no more. */
  settle(): void {
    const { status, spec } = this.app();
    const rests = isReady(this.app()) && status?.observedAppRev === String(revisionsOf(this.app()).appRev);
    const all = processTypes.every((type) => {
      const pods = this.pods(type);
      const wanted = spec.desiredState === 'STARTED' ? this.wanted(type) : 0;
      return pods.length === wanted && pods.every(isServing);
    });
    if (rests && all && status?.observedDesiredState === spec.desiredState && !this.#isUnderWay())
      this.#restarts = false;
  }

  /** What is to be said when nothing moves any more. */
  conclude(): void {
    if (this.#stops !== this.#recordedStops) {
      this.#note(`the app was stopped ${this.#stops} times, and ${this.#recordedStops} were recorded`);
    }
    for (const what of wrongAtRest(this.#stage, this)) this.#note(`at rest: ${what}`);
  }

  /** What the API says of deployments. */
  hears(deployments: readonly { readonly guid: string; readonly status?: { readonly value: string } }[]): void {
    const active = deployments.filter(({ status }) => status?.value === 'ACTIVE');
    if (active.length > 1)
      this.#note(`more than one deployment is ACTIVE: ${active.map(({ guid }) => guid).join(', ')}`);
  }

  app(): CfApp {
    return this.#stage.app(app);
  }

  pods(type?: string): readonly RunningPod[] {
    return this.#stage.embedded.world.list<RunningPod>(kinds.pods, { namespace: space }).filter(({ metadata }) => {
      return metadata.labels?.[labels.appGuid] === app && (!type || metadata.labels[labels.processType] === type);
    });
  }

  deployments(): readonly CfDeployment[] {
    return this.#stage.embedded.world
      .list<CfDeployment>(cfDeployment.type, { namespace: space })
      .toSorted((a, b) => made(b).localeCompare(made(a)));
  }

  /** The n-th newest deployment. */
  newest(nth: number): string | undefined {
    return this.deployments()[nth]?.metadata.name;
  }

  /** How many instances of a process should run while the app is started. */
  wanted(type: string): number {
    const process = this.#stage.find<CfProcess>(cfProcess.type, space, processGuid(app, type));
    return process ? wantedInstances(process.spec) : 0;
  }

  #isUnderWay(): boolean {
    return this.deployments().some(({ status }) => status?.value !== 'FINALIZED');
  }

  #note(what: string): void {
    const { clock } = this.#stage;
    this.wrong.push(`${new Date(clock.now()).toISOString()} ${what}`);
  }

  #pod(before: RunningPod | undefined, after: RunningPod | undefined): void {
    const pod = after ?? before;
    if (pod?.metadata.labels?.[labels.appGuid] !== app) return;
    const leaves = before && !before.metadata.deletionTimestamp && (!after || after.metadata.deletionTimestamp);
    if (leaves && !this.#restarts) this.#note(`${pod.metadata.name} was restarted, and nobody had asked for it`);
    if (after) this.#content(after);
    if (pod.metadata.labels[labels.processType] !== 'web') return;
    // What ran before a stop ends, also when the app was started again before it has.
    const { lastStopAppRev } = revisionsOf(this.app());
    const since = (one: RunningPod): boolean => Number(one.metadata.labels?.[labels.version]) >= lastStopAppRev;
    const serving = this.pods('web').filter((one) => isServing(one) && since(one)).length;
    const started = this.app().spec.desiredState === 'STARTED';
    if (!started) this.#floor = 0;
    if (serving < this.#floor) {
      this.#note(`${serving} instances serve, and there were ${this.#floor}`);
      this.#floor = serving;
    }
    if (started && serving >= this.wanted('web')) this.#floor = this.wanted('web');
  }

  #content({ metadata, spec }: RunningPod): void {
    const revision = `${metadata.labels?.[labels.processType]} ${metadata.labels?.[labels.version]}`;
    const { image, env } = (spec?.containers?.[0] ?? {}) as { readonly image?: string; readonly env?: unknown };
    const content = JSON.stringify([image, env]);
    const known = this.#contents.get(revision) ?? content;
    if (known !== content) this.#note(`revision ${revision} was ${known}, and is ${content}`);
    this.#contents.set(revision, content);
  }

  #app(before: CfApp, after: CfApp): void {
    if (after.metadata.name !== app) return;
    const [was, is] = [revisionsOf(before), revisionsOf(after)];
    const canceled = deploymentMark(after)?.canceled && !deploymentMark(before)?.canceled;
    if (is.appRev < was.appRev && !canceled) this.#note(`app-rev went from ${was.appRev} back to ${is.appRev}`);
    if (is.highest < was.highest) this.#note(`${annotations.highestAppRev} went back`);
    if (is.highest > was.highest + 1) this.#note(`revisions were left out: ${was.highest} → ${is.highest}`);
    if (before.spec.desiredState === 'STARTED' && after.spec.desiredState === 'STOPPED') this.#stops += 1;
    if (is.lastStopAppRev === was.lastStopAppRev) return;
    this.#recordedStops += 1;
    this.#floor = 0;
    if (after.spec.desiredState !== 'STOPPED') this.#note('a stop was recorded of an app that is started');
  }

  #deployment(before: CfDeployment, after: CfDeployment): void {
    const { name } = after.metadata;
    const [was, is] = [before.status, after.status];
    const mark = deploymentMark(this.app());
    const overtaken = was?.reason === 'DEPLOYED' && mark?.guid === name && mark?.canceled;
    if (was?.value === 'FINALIZED' && (is?.value !== was.value || is?.reason !== was.reason) && !overtaken) {
      this.#note(`${name} was ${was.reason}, and is ${is?.reason}`);
    }
    if (is?.reason !== 'DEPLOYED' || was?.reason === 'DEPLOYED') return;
    if (this.#stage.clock.now() - this.#takenAt < memoryMs) return;
    for (const type of processTypes) {
      const running = this.pods(type).filter(
        (pod) => isServing(pod) && pod.metadata.labels?.[labels.version] === is.appRev,
      );
      if (running.length < this.wanted(type)) {
        this.#note(
          `${name} says DEPLOYED, and ${running.length} of ${this.wanted(type)} of ${type} run revision ${is.appRev}`,
        );
      }
    }
  }
}

export function isServing({ metadata, status }: Pod): boolean {
  return (
    !metadata.deletionTimestamp && !!status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')
  );
}

function made({ metadata }: CfDeployment): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
