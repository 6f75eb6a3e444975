import type { Condition } from '../../kinds/objects/condition.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../kinds/objects/workload.ts';
import { deployments, pods, replicaSets } from '../../kinds/resource-types.ts';
import type { World } from '../../world.ts';
import { claimed } from '../adopt.ts';
import { conditionOf, withCondition } from '../condition.ts';
import { type Controller, controllerOf, itself, type Source } from '../loop.ts';
import { orphansOf } from '../orphans-of.ts';
import { hasEnded, managerOf } from '../pods.ts';
import { recorder, type Tell } from '../recorder.ts';
import { writeStatus } from '../write-status.ts';
import { currentReplicaSet } from './current-replica-set.ts';
import { isComplete, progressing, statusOf, untilStuck, withProgress } from './progress.ts';
import { type Generations, generationsOf, revisionOf } from './revisions.ts';
import { growCurrent, shrinkOld } from './rolling.ts';
import { resize, scaleTo, wasResized } from './scale.ts';
import { sizeOf, wantedBy } from './sizes.ts';

/** Rolls Deployments from one template to the next by growing one ReplicaSet and shrinking the others. */
export function deploymentController(world: World): Controller {
  const tell = recorder(world, { component: 'deployment-controller' });
  return {
    name: 'deployment',
    sources: [
      itself(deployments),
      controllerOf(replicaSets, 'Deployment'),
      orphansOf(world, replicaSets, deployments),
      vanishedPods(world),
    ],
    async reconcile({ namespace, name }) {
      const deployment = world.get<Deployment>(deployments, namespace, name);
      if (!deployment) return undefined;
      return new Rollout(world, tell, deployment).proceed();
    },
  };
}

/** A Deployment that recreates waits for its last old pod to be gone, not for its ReplicaSet to say so. */
const vanishedPods = (world: World): Source => ({
  type: pods,
  *keys({ before, after }) {
    if (after || !before) return;
    const set = managerOf(before);
    const namespace = before.metadata.namespace ?? '';
    if (set?.kind !== 'ReplicaSet') return;
    const owner = world.get<ReplicaSet>(replicaSets, namespace, set.name);
    const manager = owner && managerOf(owner);
    if (manager?.kind === 'Deployment') yield { namespace, name: manager.name };
  },
});

/** One look at one Deployment. */
class Rollout {
  readonly #world: World;
  readonly #tell: Tell;
  #deployment: Deployment;

  constructor(world: World, tell: Tell, deployment: Deployment) {
    this.#world = world;
    this.#tell = tell;
    this.#deployment = deployment;
  }

  async proceed(): Promise<number | undefined> {
    const generations = await this.#generations();
    if (this.#deployment.metadata.deletionTimestamp) return this.#finish(generations);
    await this.#notePause();
    if (this.#deployment.spec.paused || wasResized(this.#deployment, all(generations))) {
      const synced = await this.#withCurrent(generations, false);
      await resize(this.#world, this.#tell, this.#deployment, synced);
      if (this.#deployment.spec.paused) await this.#forgetOld(synced.old);
      return this.#finish(await this.#generations());
    }
    const progressed =
      this.#deployment.spec.strategy?.type === 'Recreate'
        ? await this.#recreate(generations)
        : await this.#roll(await this.#withCurrent(generations, true));
    return this.#finish(progressed);
  }

  async #generations(): Promise<Generations> {
    const sets = await claimed<ReplicaSet>(this.#world, replicaSets, this.#deployment, this.#deployment.spec.selector);
    return generationsOf(this.#deployment, sets);
  }

  /** Finds or makes the ReplicaSet of the present template, and gives it and the Deployment their revision. */
  async #withCurrent(generations: Generations, make: boolean): Promise<Generations> {
    const found = await currentReplicaSet(this.#world, this.#tell, this.#deployment, generations, make);
    this.#deployment = found.deployment;
    return { current: found.set, old: generations.old };
  }

  async #roll(generations: Generations): Promise<Generations> {
    const { current, old } = generations;
    const growth = current && growCurrent(this.#deployment, current, all(generations));
    if (growth) {
      const grown = await scaleTo(this.#world, this.#tell, this.#deployment, growth.set, growth.size);
      return { current: grown, old };
    }
    const shrunk = new Map<ReplicaSet, ReplicaSet>();
    for (const { set, size } of shrinkOld(this.#deployment, current, old)) {
      shrunk.set(set, await scaleTo(this.#world, this.#tell, this.#deployment, set, size));
    }
    return { current, old: old.map((set) => shrunk.get(set) ?? set) };
  }

  /** All old pods go, and only when the last is gone the first new one comes. */
  async #recreate(generations: Generations): Promise<Generations> {
    const known = await this.#withCurrent(generations, false);
    const old: ReplicaSet[] = [];
    for (const set of known.old) {
      old.push(sizeOf(set) > 0 ? await scaleTo(this.#world, this.#tell, this.#deployment, set, 0) : set);
    }
    if (old.some((set) => this.#hasPods(set))) return { current: known.current, old };
    const { current } = await this.#withCurrent({ current: known.current, old }, true);
    if (!current) return { current, old };
    const size = wantedBy(this.#deployment);
    return { current: await scaleTo(this.#world, this.#tell, this.#deployment, current, size), old };
  }

  /** A pod that ended by itself does not count; one that is being deleted does until it is gone. */
  #hasPods(set: ReplicaSet): boolean {
    const where = { namespace: set.metadata.namespace ?? '', owner: set.metadata.uid ?? '' };
    return this.#world.list<Pod>(pods, where).some((pod) => !hasEnded(pod) || pod.metadata.deletionTimestamp);
  }

  async #finish(generations: Generations): Promise<number | undefined> {
    const now = this.#world.clock.now();
    const counted = statusOf(this.#deployment, generations, now);
    const waits = this.#deployment.spec.paused || this.#deployment.metadata.deletionTimestamp;
    const status = waits ? counted : withProgress(this.#deployment, counted, generations.current, now);
    this.#deployment = await writeStatus(this.#world, deployments, this.#deployment, status);
    if (!waits && isComplete(this.#deployment, status)) await this.#forgetOld(generations.old);
    return untilStuck(this.#deployment, status, now);
  }

  /** Drops the oldest empty ReplicaSets beyond the history limit: what `rollout undo` can no longer go back to. */
  async #forgetOld(old: readonly ReplicaSet[]): Promise<void> {
    const limit = this.#deployment.spec.revisionHistoryLimit ?? 10;
    const empty = old.filter(
      (set) => sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !set.metadata.deletionTimestamp,
    );
    const surplus = empty.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, empty.length - limit));
    for (const set of surplus) await this.#world.remove(replicaSets, set);
  }

  /** A paused rollout does not run against its deadline. */
  async #notePause(): Promise<void> {
    const { spec, status = {} } = this.#deployment;
    if (spec.progressDeadlineSeconds === undefined) return;
    const old = conditionOf(status.conditions, 'Progressing');
    if (old?.reason === 'ProgressDeadlineExceeded') return;
    const now = this.#world.clock.now();
    const noted = old?.reason === 'DeploymentPaused';
    let next: Condition | undefined;
    if (spec.paused && !noted) next = progressing('Unknown', 'DeploymentPaused', 'Deployment is paused', now);
    if (!spec.paused && noted) next = progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed', now);
    if (!next) return;
    const paused: DeploymentStatus = { ...status, conditions: withCondition(status.conditions, next) };
    this.#deployment = await writeStatus(this.#world, deployments, this.#deployment, paused);
  }
}

const all = ({ current, old }: Generations): readonly ReplicaSet[] => (current ? [...old, current] : old);
