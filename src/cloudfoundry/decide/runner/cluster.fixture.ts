import { expect } from 'vitest';
import type { Action, Decision, JsonPatch } from '../../../control/decision.ts';
import type { JsonObject, KubeObject } from '../../../kube/object.ts';
import { annotations, finalizers, labels } from '../../keys.ts';
import type { AppWorkloadView } from '../../observe/app-workload-view.ts';
import type { Pod, StatefulSet } from '../../observe/kube-shapes.ts';
import type { AppWorkload, AppWorkloadSpec } from '../../resources/app-workload.ts';
import { defaultSettings, type RunnerSettings } from '../../settings.ts';
import { decideAppWorkload } from '../app-workload.ts';

/** How a Kubernetes replaces the pods of a StatefulSet with policy Parallel. */
export type Kubernetes =
  /** 1.37: what is not ready and outdated goes at once, the rest within `maxUnavailable`. */
  | 'frees stuck pods'
  /** 1.35: within `maxUnavailable`, and what is not ready counts against it, whatever it is. */
  | 'waits for stuck pods'
  /** `maxUnavailable` is dropped: one after the other from the top, each when those above are ready. */
  | 'one by one';

interface ModelPod {
  readonly uid: string;
  readonly ordinal: number;
  readonly template: string;
  readonly version: string;
  rv: number;
  ready: boolean;
  ending: boolean;
}

const now = Date.UTC(2030, 0, 1);
const epoch = '2030-01-01T00:00:00Z';

/** A workload as the process controller writes it. */
function aWorkload(spec: Partial<AppWorkloadSpec> = {}): AppWorkload {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'AppWorkload',
    metadata: {
      name: 'web-b6589fc6ab',
      namespace: 'space',
      uid: 'workload-uid',
      resourceVersion: '1',
      generation: 1,
      finalizers: [finalizers.workload],
      annotations: { [annotations.lastStopAppRev]: '0' },
    },
    spec: {
      GUID: 'web',
      version: '0',
      appGUID: 'app',
      processType: 'web',
      image: 'registry.example/app:0',
      ports: [8080],
      instances: 1,
      runnerName: 'statefulset-runner',
      ...spec,
    },
  };
}

/**
 * A very small Kubernetes around one workload: the API server as far as the runner uses it, the StatefulSet controller in
 * several of its versions, and pods that do the next thing when they are told to.
 */
export class Cluster {
  readonly kubernetes: Kubernetes;
  workload: AppWorkload;
  set: StatefulSet | undefined;
  budget: KubeObject | undefined;
  readonly pods = new Map<number, ModelPod>();
  /** Revisions of the app that never become ready. */
  readonly broken = new Set<string>();
  runner: RunnerSettings = defaultSettings.runner;
  /** Pods that ended although nothing about them had changed. */
  readonly restarted: string[] = [];
  #count = 1;
  #seenGeneration = 0;
  /** Templates by the revision of the app that was first run with them. */
  readonly #recorded = new Map<string, string>();

  constructor(kubernetes: Kubernetes, spec: Partial<AppWorkloadSpec> = {}) {
    this.kubernetes = kubernetes;
    this.workload = aWorkload(spec);
  }

  edit(spec: Partial<AppWorkloadSpec>): void {
    const { metadata } = this.workload;
    this.workload = {
      ...this.workload,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1, resourceVersion: this.#next() },
      spec: { ...this.workload.spec, ...spec },
    };
  }

  /** Somebody deletes the StatefulSet, and with it go its pods and what it ran before. */
  lose(): void {
    this.set = undefined;
    this.pods.clear();
    this.#recorded.clear();
  }

  get ready(): number {
    return [...this.pods.values()].filter((pod) => pod.ready && !pod.ending).length;
  }

  /** Whether all of the first `count` pods are ready. */
  readyBelow(count: number): boolean {
    const first = [...this.pods.values()].filter((pod) => pod.ordinal < count && pod.ready && !pod.ending);
    return first.length === count;
  }

  /** How many pods Kubernetes is told to keep ready, if it has heard of it. */
  get told(): number {
    const { metadata, spec } = this.set ?? {};
    if (metadata?.generation !== this.#seenGeneration) return 0;
    return (spec?.replicas ?? 0) - Number(metadata.annotations?.[annotations.surge] ?? 0);
  }

  view(): AppWorkloadView {
    const { version } = this.workload.spec;
    const returns = this.set && versionOf(this.set) !== version;
    const kept = [...this.pods.values()].some((pod) => pod.version === version);
    const recorded = returns && kept ? this.#recorded.get(version) : undefined;
    return {
      now,
      outcomes: {},
      workload: this.workload,
      statefulSets: this.set ? [this.set] : [],
      pods: [...this.pods.values()].map((pod) => this.#asPod(pod)),
      budgets: this.budget ? [this.budget] : [],
      ...(recorded && { recordedTemplate: JSON.parse(recorded) as JsonObject }),
      settings: { ...defaultSettings, runner: this.runner },
    };
  }

  /** One look of the runner. It dies after `most` actions. */
  operate(most = Number.POSITIVE_INFINITY, view = this.view()): Decision {
    const decision = decideAppWorkload(view);
    for (const action of decision.actions.slice(0, most)) this.#perform(action);
    return decision;
  }

  /** One look of the StatefulSet controller. */
  sync(): void {
    const { set } = this;
    if (!set?.spec) return;
    this.#seenGeneration = set.metadata.generation ?? 0;
    const replicas = set.spec.replicas ?? 1;
    const template = JSON.stringify(set.spec.template);
    this.#recorded.set(versionOf(set), template);
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
    for (let ordinal = 0; ordinal < replicas; ordinal++) {
      if (!this.pods.has(ordinal)) this.#create(ordinal, ordinal < partition ? this.#leaving(template) : template);
    }
    for (const pod of this.pods.values()) if (pod.ordinal >= replicas) this.#end(pod);
    this.#replace(set, replicas, template, partition);
    this.#writeStatus(template);
  }

  /** A pod gets further: what ends is gone, what starts is ready unless its revision is broken. */
  tick(ordinal: number): void {
    const pod = this.pods.get(ordinal);
    if (!pod) return;
    if (pod.ending) this.pods.delete(ordinal);
    else if (!pod.ready && !this.broken.has(pod.version)) {
      pod.ready = true;
      pod.rv = Number(this.#next());
    }
  }

  /** Everything goes on until nothing changes any more. */
  rest(watch: () => void = () => {}): void {
    for (let round = 0; round < 400; round++) {
      const before = this.#text();
      const { actions } = this.operate();
      watch();
      this.sync();
      watch();
      for (const ordinal of [...this.pods.keys()]) {
        this.tick(ordinal);
        watch();
      }
      if (actions.length === 0 && this.#text() === before) return;
    }
    expect.fail(`it never comes to rest: ${this.#text()}`);
  }

  #replace(set: StatefulSet, replicas: number, template: string, partition: number): void {
    const inRange = [...this.pods.values()].filter((pod) => pod.ordinal < replicas);
    const targets = inRange
      .filter((pod) => pod.ordinal >= partition && pod.template !== template && !pod.ending)
      .sort((a, b) => b.ordinal - a.ordinal);
    const unavailable = inRange.filter((pod) => !pod.ready || pod.ending).length;
    if (this.kubernetes === 'one by one') {
      const [next] = targets;
      const above = inRange.filter((pod) => pod.ordinal > (next?.ordinal ?? 0));
      if (next && above.every((pod) => pod.ready && !pod.ending)) this.#replaced(next, template);
      return;
    }
    const most = Number(set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1);
    const frees = this.kubernetes === 'frees stuck pods';
    if (frees) for (const pod of targets.filter(({ ready }) => !ready)) this.#replaced(pod, template);
    const left = frees ? targets.filter(({ ready }) => ready) : targets;
    for (const pod of left.slice(0, Math.max(0, most - unavailable))) this.#replaced(pod, template);
  }

  #replaced(pod: ModelPod, template: string): void {
    const wanted = (JSON.parse(template) as Template).metadata?.labels?.[labels.version];
    if (pod.version === wanted) this.restarted.push(`${pod.ordinal} of revision ${pod.version}`);
    this.#end(pod);
  }

  /** The template that the set had before this one, for pods below the partition. */
  #leaving(template: string): string {
    const others = [...this.#recorded.values()].filter((one) => one !== template);
    return others.at(-1) ?? template;
  }

  #create(ordinal: number, template: string): void {
    const version = (JSON.parse(template) as Template).metadata?.labels?.[labels.version] ?? '';
    const uid = `pod-${this.#next()}`;
    this.pods.set(ordinal, { uid, ordinal, template, version, rv: this.#count, ready: false, ending: false });
  }

  #end(pod: ModelPod): void {
    if (pod.ending) return;
    pod.ending = true;
    pod.rv = Number(this.#next());
  }

  #writeStatus(template: string): void {
    if (!this.set) return;
    const all = [...this.pods.values()];
    const status = {
      observedGeneration: this.#seenGeneration,
      replicas: all.length,
      readyReplicas: all.filter(({ ready }) => ready).length,
      updatedReplicas: all.filter((pod) => pod.template === template && !pod.ending).length,
    };
    if (JSON.stringify(status) === JSON.stringify(this.set.status)) return;
    this.set = { ...this.set, metadata: { ...this.set.metadata, resourceVersion: this.#next() }, status };
  }

  #perform(action: Action): void {
    switch (action.do) {
      case 'status': {
        const metadata = { ...this.workload.metadata, resourceVersion: this.#next() };
        this.workload = { ...this.workload, metadata, status: action.status as NonNullable<AppWorkload['status']> };
        return;
      }
      case 'create': {
        const { object, bornOf } = action;
        const metadata = {
          ...object.metadata,
          ...(bornOf && { ownerReferences: [bornOf] }),
          uid: `${object.kind}-uid`,
          resourceVersion: this.#next(),
          generation: 1,
        };
        if (object.kind === 'StatefulSet') this.set = this.#stored({ ...object, metadata } as StatefulSet);
        else this.budget = { ...object, metadata };
        return;
      }
      case 'patch':
        this.#patch(action.patch, action.of.resourceVersion);
        return;
      case 'delete': {
        if (action.of.kind === 'PodDisruptionBudget') this.budget = undefined;
        const pod = [...this.pods.values()].find(({ uid }) => uid === action.of.uid);
        if (pod && String(pod.rv) === action.of.resourceVersion) this.#end(pod);
        return;
      }
      default:
        expect.fail(`the runner does not ${action.do}`);
    }
  }

  #patch(patch: JsonPatch, resourceVersion: string): void {
    if (this.set?.metadata.resourceVersion !== resourceVersion) return;
    const object = structuredClone(this.set) as unknown as Record<string, Record<string, unknown>>;
    for (const operation of patch) {
      const [, part = '', field = ''] = operation.path.split('/');
      const target = object[part];
      if (operation.op === 'remove') delete target?.[field];
      else if (operation.op !== 'add' || !target) expect.fail(`unexpected ${JSON.stringify(operation)}`);
      else target[field] = structuredClone(operation.value);
    }
    const changed = JSON.stringify(object.spec) !== JSON.stringify(this.set.spec);
    const { metadata } = object as unknown as StatefulSet;
    const generation = (this.set.metadata.generation ?? 0) + (changed ? 1 : 0);
    this.set = this.#stored({
      ...(object as unknown as StatefulSet),
      metadata: { ...metadata, generation, resourceVersion: this.#next() },
    });
  }

  /** As the server keeps it: with its defaults, and without what it does not know. */
  #stored(set: StatefulSet): StatefulSet {
    const { partition = 0, maxUnavailable = 1 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
    const rollingUpdate = this.kubernetes === 'one by one' ? { partition } : { partition, maxUnavailable };
    return { ...set, spec: { ...set.spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate } } };
  }

  #asPod(pod: ModelPod): Pod {
    const { name = '', uid = '' } = this.set?.metadata ?? {};
    const type = 'Ready';
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${name}-${pod.ordinal}`,
        namespace: 'space',
        uid: pod.uid,
        resourceVersion: String(pod.rv),
        labels: { [labels.version]: pod.version },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid, controller: true }],
        ...(pod.ending && { deletionTimestamp: epoch }),
      },
      spec: { nodeName: 'node' },
      status: { conditions: [{ type, status: pod.ready ? 'True' : 'False', lastTransitionTime: epoch }] },
    };
  }

  #text(): string {
    return JSON.stringify([this.set, this.workload.status, [...this.pods.values()], this.budget]);
  }

  #next(): string {
    this.#count += 1;
    return String(this.#count);
  }
}

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

function versionOf(set: StatefulSet): string {
  return set.spec?.template?.metadata?.labels?.[labels.version] ?? '';
}
