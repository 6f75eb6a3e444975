import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { annotations, nestedAnnotations } from '../../../src/kudo/keys.ts';
import { type Instance, type InstanceStatus, instance } from '../../../src/kudo/resources/instance.ts';
import { type OperatorVersion, operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { name, type WalkStage } from './walk-stage.ts';

type Workload = KubeObject & { readonly spec: { readonly template: AnyObject; readonly replicas?: number } };

/** Quiet parameters of the package. */
const quiet = new Set(['NODES', 'NOTE', 'EXTRA']);

/** Which workloads a plan applies. */
const applies: Readonly<Record<string, readonly string[]>> = {
  deploy: ['node', 'side'],
  upgrade: ['node', 'side'],
  side: ['side'],
};

/** Sees every change in the cluster, in order, and notes what must never happen. */
export class Witness {
  readonly wrong: string[] = [];
  readonly #stage: WalkStage;
  /** By workload (its uid): which demands have restarted it. */
  readonly #restarted = new Map<string, Set<string>>();
  /** By `node` and `side`: when its pods were last made new, all of them. */
  readonly #renewedAt = new Map<string, number>();
  /** By `node` and `side`: since when a restart is owed to it. */
  readonly #owedAt = new Map<string, number>();
  /** By uid of a pod: what stood in its ConfigMap when it was made. */
  readonly #read = new Map<string, string>();
  /** Somebody changed or deleted ConfigMaps by hand: pods may have read anything. */
  #byHand = false;
  /** Versions restart, or did, only what reads something that changed: then a demand may come to nothing. */
  #sparing = false;
  /** By uid of the Instance: all executions that were begun, and that have ended. */
  readonly #begun = new Set<string>();
  readonly #ended = new Map<string, string>();

  constructor(stage: WalkStage) {
    this.#stage = stage;
    const { world } = stage.embedded;
    for (const type of [kinds.statefulSets, kinds.deployments]) {
      world.watch<Workload>(type, ({ before, after }) => this.#workload(before, after));
    }
    for (const pod of world.list<AnyObject>(kinds.pods)) this.#pod(pod);
    world.watch(kinds.pods, ({ before, after }) => {
      if (after && !before) this.#pod(after);
    });
    world.watch<Instance>(instance.type, ({ before, after }) => {
      if (after?.metadata.name === name) this.#instance(before, after);
    });
    world.watch<OperatorVersion>(operatorVersion.type, ({ before, after }) => {
      if (after?.spec.restartPolicy !== 'onDependencyChange') return;
      this.#sparing = true;
      // What was read before is not known then: turning it on restarts nothing, not even what was about to.
      const { execution, restart } = stage.one()?.status ?? {};
      if (execution || restart) this.#byHand ||= before?.spec.restartPolicy !== 'onDependencyChange';
    });
    const { status } = stage.instance(name);
    for (const { uid, outcome } of status?.history ?? []) this.#ends(uid, outcome);
  }

  /** What is owed to a workload, and was not given to it. */
  owed(which: string): boolean {
    const owedAt = this.#owedAt.get(which);
    return !this.#sparing && owedAt !== undefined && (this.#renewedAt.get(which) ?? 0) < owedAt;
  }

  /** From now on what pods read is no longer only what plans applied. */
  excuseReading(): void {
    this.#byHand = true;
  }

  /** Pods that run with a setting that was replaced with a restart. */
  outdated(): readonly string[] {
    if (this.#byHand) return [];
    return this.#stage.pods().flatMap((pod) => {
      const [read, now] = [this.#read.get(pod.metadata.uid ?? ''), this.#settingOf(pod)];
      return read === now || now === undefined ? [] : [`${pod.metadata.name} runs with ${read}, and it is ${now}`];
    });
  }

  note(what: string): void {
    this.wrong.push(`${new Date(this.#stage.clock.now()).toISOString()} ${what}`);
  }

  #pod(pod: AnyObject): void {
    this.#read.set(pod.metadata.uid ?? '', this.#settingOf(pod) ?? 'nothing');
  }

  /** What of the ConfigMap of a pod changes only with a restart. */
  #settingOf({ metadata }: AnyObject): string | undefined {
    const which = metadata.labels?.app ?? '';
    const found = this.#stage.find<AnyObject & { data?: Record<string, string> }>(kinds.configMaps, which)?.data;
    return found && (found['app.conf'] ?? found['side.conf'])?.split(' ')[0];
  }

  #workload(before: Workload | undefined, after: Workload | undefined): void {
    if (!after) return;
    const which = after.metadata.name?.replace(`${name}-`, '') ?? '';
    const now = this.#stage.clock.now();
    if (!before) {
      this.#renewedAt.set(which, now);
      const mark = markOf(after);
      this.#restarted.set(after.metadata.uid ?? '', new Set(mark === undefined ? [] : [mark]));
      return;
    }
    if (JSON.stringify(before.spec.template) === JSON.stringify(after.spec.template)) return;
    this.#renewedAt.set(which, now);
    const execution = this.#stage.one()?.status?.execution;
    const rendered = withoutOurs(before) !== withoutOurs(after);
    if (!execution) {
      this.note(`the template of ${which} changed, and no plan runs`);
      return;
    }
    const { plan, restartUID } = execution;
    if (restartUID === undefined && ours(before) !== ours(after)) {
      this.note(`${plan} is quiet, and marked ${which}: ${ours(before)} → ${ours(after)}`);
    }
    const mark = markOf(after);
    if (mark === undefined || mark === markOf(before)) {
      if (!rendered && !hashed(after)) this.note(`the template of ${which} changed: ${ours(before)} → ${ours(after)}`);
      return;
    }
    if (mark !== restartUID) this.note(`${which} was marked with ${mark}, and ${plan} carries ${restartUID}`);
    const marks = this.#restarted.get(after.metadata.uid ?? '') ?? new Set();
    this.#restarted.set(after.metadata.uid ?? '', marks);
    if (marks.has(mark) && !rendered) this.note(`${which} was restarted twice for ${mark}`);
    marks.add(mark);
  }

  #instance(before: Instance | undefined, after: Instance): void {
    const [was, is] = [before?.status ?? {}, after.status ?? {}];
    if (before?.metadata.uid !== after.metadata.uid) return;
    const [ran, runs] = [was.execution, is.execution];
    const grown = (is.executions ?? 0) - (was.executions ?? 0);
    if (grown < 0 || grown > 1) this.note(`executions went from ${was.executions} to ${is.executions}`);
    if ((is.history ?? []).length > 10) this.note('the history has more than ten');
    if (runs && runs.uid !== ran?.uid) {
      if (grown !== 1) this.note(`${runs.uid} began, and was not counted`);
      if (this.#begun.has(runs.uid)) this.note(`${runs.uid} began twice`);
      this.#begun.add(runs.uid);
      this.#begins(was, is);
    } else if (grown !== 0) this.note('an execution was counted that did not begin');
    for (const { uid, outcome } of is.history ?? []) {
      if (!was.history?.some((past) => past.uid === uid)) this.#ends(uid, outcome);
      else if (this.#ended.get(uid) !== outcome) this.note(`${uid} ended ${this.#ended.get(uid)}, and then ${outcome}`);
    }
    if (ran && ran.uid !== runs?.uid && !this.#ended.has(ran.uid)) this.note(`${ran.plan} ended without an outcome`);
    if (runs && this.#ended.has(runs.uid)) this.note(`${runs.uid} ended, and runs`);
  }

  #begins(was: InstanceStatus, { execution, accepted }: InstanceStatus): void {
    if (!execution) return;
    const { plan, cause, forced, changed = [] } = execution;
    if (cause === 'parameters') {
      const [before, after] = [was.accepted?.parameters ?? {}, accepted?.parameters ?? {}];
      const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const differ = names.filter((one) => before[one] !== after[one]);
      if (JSON.stringify(differ.sort()) !== JSON.stringify([...changed].sort())) {
        this.note(`${differ} differ, and ${changed} are said to`);
      }
      const demanded = changed.some((one) => !quiet.has(one));
      if (forced !== demanded) this.note(`${changed} changed, and forced is ${forced}`);
    }
    if (!forced || cause === 'trigger') return;
    for (const which of applies[plan] ?? []) this.#owedAt.set(which, this.#stage.clock.now());
  }

  #ends(uid: string, outcome: string): void {
    if (this.#ended.has(uid)) this.note(`${uid} ended twice`);
    this.#ended.set(uid, outcome);
  }
}

function markOf({ spec }: Workload): string | undefined {
  return spec.template.metadata?.annotations?.[annotations.planUid];
}

function ours({ spec: { template } }: Workload): string {
  const { annotations: all = {} } = template.metadata ?? {};
  return JSON.stringify(nestedAnnotations.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
}

/** Whether its pods restart by what they read. */
function hashed(workload: Workload): boolean {
  return ours(workload).includes('hash');
}

function withoutOurs({ spec: { template } }: Workload): string {
  const others = Object.entries(template.metadata?.annotations ?? {}).filter(
    ([key]) => !(nestedAnnotations as readonly string[]).includes(key),
  );
  return JSON.stringify({ ...template, metadata: { ...template.metadata, annotations: others } });
}
