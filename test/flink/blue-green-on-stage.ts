import { expect } from 'vitest';
import { annotations } from '../../src/control/annotations.ts';
import type { Audit } from '../../src/embedded/programs/flink/audit.ts';
import type { Run } from '../../src/embedded/programs/flink/run.ts';
import type {
  BlueGreenState,
  FlinkBlueGreenDeployment,
  FlinkBlueGreenDeploymentStatus,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { namespace } from './manifests.ts';
import type { FlinkStage } from './stage.ts';

type Side = 'blue' | 'green';
type Status = FlinkBlueGreenDeploymentStatus;

/** A blue/green deployment on a stage: what a person does to it, and what is to be seen of it. */
export class BlueGreenOnStage {
  readonly stage: FlinkStage;
  readonly name: string;
  /** The states that it has been in, each once in a row. */
  readonly states: BlueGreenState[] = [];
  /** Moments at which traffic went to a side on which no job runs, since `watchTraffic`. */
  readonly gaps: string[] = [];

  constructor(stage: FlinkStage, name: string) {
    this.stage = stage;
    this.name = name;
    stage.embedded.world.watch<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type, ({ after }) => {
      const state = after?.metadata.name === name ? after.status?.blueGreenState : undefined;
      if (state && state !== this.states.at(-1)) this.states.push(state);
    });
  }

  /** Deploys it, waits until blue serves, and gives that a while. */
  static async serving(stage: FlinkStage, resource: FlinkBlueGreenDeployment, ms = 35_000): Promise<BlueGreenOnStage> {
    const deployed = await BlueGreenOnStage.applied(stage, resource);
    await deployed.active('blue');
    await stage.clock.advance(ms);
    return deployed;
  }

  static async applied(stage: FlinkStage, resource: FlinkBlueGreenDeployment): Promise<BlueGreenOnStage> {
    const deployed = new BlueGreenOnStage(stage, resource.metadata.name ?? '');
    await stage.apply(resource);
    return deployed;
  }

  // What a person does.

  /** A merge patch of the template's spec. */
  async edit(spec: object): Promise<void> {
    await this.patch({ spec: { template: { spec } } });
  }

  /** A merge patch of the template's `spec.job`. */
  async editJob(job: object): Promise<void> {
    await this.edit({ job });
  }

  /** Another version of the job. */
  async release(label: string, job: object = {}): Promise<void> {
    await this.editJob({ args: ['--rate', '10', '--label', label], ...job });
  }

  async patch(body: object): Promise<void> {
    const { name } = this;
    await this.stage.person.resource(flinkBlueGreenDeployment.type).patch({ namespace, name }, { type: 'merge', body });
  }

  /** Says something about the transition under way, by its id. */
  async annotate(annotation: 'promote' | 'rollback'): Promise<void> {
    const { id = '' } = this.status.transition ?? {};
    await this.patch({ metadata: { annotations: { [`cutover.dev/${annotation}`]: id } } });
  }

  /** A merge patch of the spec of a side, behind the back of the resource. */
  async editSide(side: Side, spec: object): Promise<void> {
    await this.stage.edit(this.sideName(side), spec);
  }

  async removeSide(side: Side): Promise<void> {
    await this.stage.remove(this.sideName(side));
  }

  /** Somebody's finalizer, which nobody ever removes by himself. */
  async hold(side: Side, finalizers: readonly string[]): Promise<void> {
    const present = this.side(side)?.metadata.finalizers ?? [];
    const others = present.filter((finalizer) => !finalizer.startsWith('test/'));
    const name = this.sideName(side);
    const body = { metadata: { finalizers: [...others, ...finalizers] } };
    await this.stage.person.resource(flinkDeployment.type).patch({ namespace, name }, { type: 'merge', body });
  }

  // What is to be seen.

  get status(): Status {
    return this.stage.blueGreen(this.name)?.status ?? {};
  }

  condition(type: string) {
    return this.status.conditions?.find((condition) => condition.type === type);
  }

  sideName(side: Side): string {
    return `${this.name}-${side}`;
  }

  side(side: Side): FlinkDeployment | undefined {
    return this.stage.find<FlinkDeployment>(flinkDeployment.type, this.sideName(side));
  }

  /** The id that a side carries. */
  idOf(side: Side): string | undefined {
    return this.side(side)?.metadata.annotations?.[annotations.id];
  }

  /** The runs of both sides, in the order in which they began. */
  get runs(): readonly Run[] {
    const mine = new Set((['blue', 'green'] as const).map((side) => `${namespace}/${this.sideName(side)}`));
    return this.stage.flink.runs().filter(({ origin }) => mine.has(origin.cluster));
  }

  /** `blue v1`, `green v2`: what ran, in order. */
  get ran(): readonly string[] {
    return this.runs.map(({ origin }) => `${origin.cluster.split('-').at(-1)} ${origin.label}`);
  }

  get live(): readonly string[] {
    return this.runs.filter(({ isLive }) => isLive).map(({ origin }) => origin.cluster.split('-').at(-1) ?? '');
  }

  lastRun(side: Side): Run {
    return this.stage.lastRun(this.sideName(side));
  }

  /** What became of the records. Both sides run side by side for a while, so that some are counted by both. */
  counted(): Audit {
    return this.stage.counted(this.name, this.runs);
  }

  savepoints(): readonly string[] {
    return this.stage.savepoints(this.name);
  }

  /** The service that the Ingress of this name leads to. */
  leadsTo(ingress = this.name): string | undefined {
    const spec = this.stage.find(kinds.ingresses, ingress)?.spec;
    const { rules } = (spec ?? {}) as { rules?: { http?: { paths?: { backend?: Backend }[] } }[] };
    return rules?.[0]?.http?.paths?.[0]?.backend?.service?.name;
  }

  /** From now on looks every quarter of a second where traffic goes. */
  watchTraffic(): void {
    const { clock } = this.stage;
    const look = (): void => {
      const gap = this.#gap();
      if (gap !== undefined) this.gaps.push(`${new Date(clock.now()).toISOString()} ${gap}`);
      clock.after(250, look);
    };
    look();
  }

  #gap(): string | undefined {
    const service = this.leadsTo();
    if (service === undefined) return 'there is no Ingress';
    if (!this.stage.find(kinds.services, service)) return `there is no ${service}`;
    const cluster = `${namespace}/${service.replace(/-rest$/, '')}`;
    return this.stage.flink.runs({ cluster }).some(({ isLive }) => isLive)
      ? undefined
      : `nothing runs behind ${service}`;
  }

  // Waiting.

  /** Until a side serves and nothing is under way. */
  async active(side: Side, ms?: number): Promise<void> {
    const state = `ACTIVE_${side.toUpperCase()}`;
    const isActive = (): boolean => {
      const { blueGreenState, transition, observedGeneration } = this.status;
      const current = observedGeneration === this.stage.blueGreen(this.name)?.metadata.generation;
      return blueGreenState === state && !transition && current;
    };
    await this.stage.until(`${this.name} is ${state}`, isActive, ms);
  }

  async state(state: BlueGreenState, ms?: number): Promise<void> {
    await this.stage.until(`${this.name} is ${state}`, () => this.status.blueGreenState === state, ms);
  }

  async phase(phase: string, ms?: number): Promise<void> {
    await this.stage.until(`${this.name} is ${phase}`, () => this.status.transition?.phase === phase, ms);
  }

  /** Until it is seen that something is the matter, or no longer. */
  async jobState(state: string | undefined, ms?: number): Promise<void> {
    await this.stage.until(`the job is ${state}`, () => this.status.jobStatus?.state === state, ms);
  }

  async sideGone(side: Side, ms?: number): Promise<void> {
    await this.stage.gone(this.sideName(side), 'FlinkDeployment', ms);
  }

  /** Acts in the very moment in which a status is stored that holds: before anybody else has seen it. */
  async atOnceWhen(holds: (status: Status) => boolean, act: () => Promise<void>): Promise<void> {
    let acting: Promise<void> | undefined;
    const stop = this.stage.embedded.world.watch<FlinkBlueGreenDeployment>(
      flinkBlueGreenDeployment.type,
      ({ after }) => {
        if (!acting && after?.metadata.name === this.name && holds(after.status ?? {})) acting = act();
      },
    );
    await this.stage.until(`a status of ${this.name} to act on`, () => acting !== undefined);
    stop();
    await acting;
  }

  /** That nothing is written about it any more. */
  async expectQuiet(ms = 10 * 60_000): Promise<void> {
    const mine = (): readonly string[] =>
      this.stage.writes.filter((write) => /flinkbluegreendeployments|ingresses/.test(write));
    const before = mine().length;
    await this.stage.clock.advance(ms);
    expect(mine().slice(before)).toEqual([]);
  }

  objects(type: ResourceType): readonly AnyObject[] {
    return this.stage.embedded.world.list(type, { namespace });
  }
}

interface Backend {
  readonly service?: { readonly name?: string };
}
