import type { Change, World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { annotations, labels } from '../../../src/kudo/keys.ts';
import { type Instance, type InstanceStatus, instance } from '../../../src/kudo/resources/instance.ts';
import type { Oracle } from '../subject.ts';
import { WriteCount } from '../write-count.ts';
import { essential } from './essential.ts';
import { name, namespace } from './person.ts';

type Workload = KubeObject & {
  readonly spec: { readonly replicas?: number; readonly template: AnyObject };
  readonly status?: { readonly readyReplicas?: number };
};

const objects = [kinds.configMaps, kinds.secrets, kinds.statefulSets, kinds.jobs];

/** What must never be the case with Instances, their plans and their pods. */
export class KudoOracle implements Oracle {
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #count = new WriteCount();
  readonly #begun = new Set<string>();
  readonly #ended = new Map<string, string>();
  /** By workload (its uid): the demands that have restarted it. */
  readonly #restarted = new Map<string, Set<string>>();
  /** Jobs that were made by the cluster or by Pipe tasks leave pods behind under names of chance. */
  #collected = 0;

  constructor(world: World) {
    this.#world = world;
    for (const type of [instance.type, ...objects]) world.watch(type, (change) => this.#written(change));
    world.watch<Instance>(instance.type, ({ before, after }) => {
      if (before && after && before.metadata.uid === after.metadata.uid) this.#instance(before, after);
    });
    world.watch<Workload>(kinds.statefulSets, ({ before, after }) => {
      if (after) this.#workload(before, after);
    });
  }

  get writes(): Oracle['writes'] {
    return this.#count.writes;
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  judgeCall(id: string): void {
    this.#collected += 1;
    const calls = this.#instances().flatMap(({ status }) => status?.execution?.calls ?? []);
    if (!calls.includes(id)) this.violate(`${id} was called although no stored status holds it`);
  }

  judgeEnd(): void {
    for (const { metadata, status } of this.#instances()) {
      if (status?.execution) this.violate(`${status.execution.plan} of ${metadata.name} still runs`);
      if (status?.restart) this.violate(`a restart is owed to ${metadata.name}: ${JSON.stringify(status.restart)}`);
    }
  }

  isIdle(): boolean {
    return false;
  }

  /** To fetch files twice is allowed: that the artifacts are the same is seen in the end. */
  effects(): Readonly<Record<string, number>> {
    return this.#collected > 0 ? { collected: 1 } : {};
  }

  end(): unknown {
    return essential([instance.type, ...objects, kinds.pods].flatMap((type) => this.#world.list(type)));
  }

  #instances(): readonly Instance[] {
    return this.#world.list<Instance>(instance.type);
  }

  #written(change: Change): void {
    const { before, after } = change;
    const object = after ?? before;
    const { kind, metadata } = object ?? {};
    if (kind !== 'Instance' && metadata?.labels?.[labels.instance] === undefined) return;
    // The status of what the cluster runs is the cluster's.
    const runs = kind === 'StatefulSet' || kind === 'Job';
    if (runs && before && after && before.metadata.generation === after.metadata.generation) return;
    this.#count.count(`${kind} ${metadata?.name}`, change);
  }

  #instance(before: Instance, after: Instance): void {
    const [was, is] = [before.status ?? {}, after.status ?? {}];
    const [ran, runs] = [was.execution, is.execution];
    const grown = (is.executions ?? 0) - (was.executions ?? 0);
    if (grown < 0 || grown > 1) this.violate(`executions went from ${was.executions} to ${is.executions}`);
    if (runs && runs.uid !== ran?.uid) {
      if (grown !== 1) this.violate(`${runs.plan} began, and was not counted`);
      if (this.#begun.has(runs.uid)) this.violate(`${runs.plan} began twice`);
      this.#begun.add(runs.uid);
    } else if (grown !== 0) this.violate('an execution was counted that did not begin');
    this.#ends(was, is);
    if (ran && ran.uid !== runs?.uid && !this.#ended.has(ran.uid)) this.violate(`${ran.plan} ended without an outcome`);
    if (runs && this.#ended.has(runs.uid)) this.violate(`${runs.plan} has ended, and runs`);
  }

  #ends(was: InstanceStatus, { history = [] }: InstanceStatus): void {
    for (const { uid, plan, outcome } of history) {
      const known = this.#ended.get(uid);
      if (known !== undefined && known !== outcome) this.violate(`${plan} ended ${known}, and then ${outcome}`);
      const listed = was.history?.some((past) => past.uid === uid) ?? false;
      if (known !== undefined && !listed) this.violate(`${plan} ended twice`);
      this.#ended.set(uid, outcome);
    }
  }

  /** Pods restart only on account of a plan that demands it, and once for each demand. */
  #workload(before: Workload | undefined, after: Workload): void {
    const uid = after.metadata.uid ?? '';
    const mark = markOf(after);
    const marks = this.#restarted.get(uid) ?? new Set(mark === undefined ? [] : [mark]);
    this.#restarted.set(uid, marks);
    if (!before || JSON.stringify(before.spec.template) === JSON.stringify(after.spec.template)) return;
    const execution = this.#world.get<Instance>(instance.type, namespace, name)?.status?.execution;
    const { name: workload } = after.metadata;
    if (!execution) this.violate(`the pods of ${workload} restart, and no plan runs`);
    else if (execution.restartUID === undefined) this.violate(`${execution.plan} is quiet, and restarts ${workload}`);
    if (mark === undefined || mark === markOf(before)) return;
    if (mark !== execution?.restartUID) this.violate(`${workload} is marked for another demand than that of its plan`);
    if (marks.has(mark)) this.violate(`${workload} was restarted twice on one demand`);
    marks.add(mark);
  }
}

function markOf({ spec }: Workload): string | undefined {
  return spec.template.metadata?.annotations?.[annotations.planUid];
}
