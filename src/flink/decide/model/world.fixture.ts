import { parse } from 'yaml';
import type { Action, CreateAction, Decision } from '../../../control/decision.ts';
import type { Outcome } from '../../../control/outcome.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { FlinkCalls } from '../../calls.ts';
import { flatConfig } from '../../config/flink-config.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { CheckpointSeen, Rest } from '../../rest.ts';
import type { DependentSeen, DeploymentSeen, DeploymentView, PodSeen } from '../../view.ts';
import { FlinkProcess, type ModelJob, type ModelStorage } from './flink-cluster.fixture.ts';

export const name = 'app';
const namespace = 'ns';

/**
 * A small Kubernetes with a small Flink, for one FlinkDeployment: deterministic, in memory, one tick at a time. Objects are
 * the real ones that decisions make, and Flink reads its job from the ConfigMap among them, as the real one does.
 */
export class World {
  now = Date.parse('2026-01-01T00:00:00Z');
  resource: FlinkDeployment;
  readonly objects = new Map<string, AnyObject>();
  readonly storage: ModelStorage = { files: new Map(), ha: new Map() };
  outcomes: Record<string, Outcome> = {};
  readonly events: string[] = [];
  /** Every effect that Flink or Kubernetes saw, in order. */
  readonly deeds: string[] = [];
  process: FlinkProcess | undefined;
  /** REST answers as it should. */
  restAnswers = true;
  stopFails: string | undefined;
  /** The API server says no to objects of this kind. */
  refusedKind: string | undefined;
  /** The API server cannot make objects of this kind at the moment. */
  failingKind: string | undefined;
  /** JobManagers of this image never start. */
  brokenImage: string | undefined;
  /** Of the TaskManagers, in standalone mode. */
  replicas = 2;
  /** The resource has been let go. */
  gone = false;
  #podUid: string | undefined;
  #podAge = 0;
  #version = 1;
  #incarnation = 0;

  constructor(spec: FlinkDeploymentSpec) {
    this.resource = {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      metadata: { name, namespace, uid: 'uid-1', resourceVersion: '1', generation: 1 },
      spec,
    };
  }

  edit(change: (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec): void {
    const { metadata } = this.resource;
    const generation = (metadata.generation ?? 0) + 1;
    this.#write({ ...this.resource, spec: change(this.resource.spec), metadata: { ...metadata, generation } });
  }

  delete(): void {
    const deletionTimestamp = new Date(this.now).toISOString();
    this.#write({ ...this.resource, metadata: { ...this.resource.metadata, deletionTimestamp } });
  }

  /** As if somebody else had written it. */
  rewrite(change: (resource: FlinkDeployment) => FlinkDeployment): void {
    this.#write(change(this.resource));
  }

  view(): DeploymentView {
    const jobManager = this.#deployment(name);
    return {
      now: this.now,
      outcomes: this.outcomes,
      resource: this.resource,
      operator: { settings: {}, logFiles: {} },
      cluster: {
        jobManager,
        taskManager: this.#deployment(`${name}-taskmanager`),
        pods: this.#pods(),
        dependents: this.#dependents(),
        ingress: undefined,
        ha: {
          available: this.storage.ha.size > 0,
          withCheckpoint: [...this.storage.ha.values()].some(({ last }) => last !== undefined),
          configMaps: [...this.storage.ha.keys()].map((id) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            namespace,
            name: `${name}-${id}-config-map`,
            uid: `ha-${id}`,
          })),
          submitted: [],
        },
      },
      rest: this.rest(),
      sessionJobs: [],
      snapshots: { installed: true, items: this.#snapshots() },
    };
  }

  rest(): Rest {
    const { process } = this;
    const job = {
      checkpoints: undefined,
      exceptions: undefined,
      failure: undefined,
      metrics: undefined,
      requirements: undefined,
    };
    if (!process || !this.restAnswers) {
      return {
        asked: process !== undefined,
        trouble: process && { kind: 'unreachable', message: 'no answer', since: 0, at: this.now },
        jobs: undefined,
        version: undefined,
        taskManagers: undefined,
        job,
        operations: {},
      };
    }
    const ours = process.jobs.get(this.resource.status?.jobStatus?.jobId ?? '');
    return {
      asked: true,
      trouble: undefined,
      jobs: {
        at: this.now,
        value: [...process.jobs.values()].map(({ id, state, startedAt }) => ({ id, name, state, startedAt })),
      },
      version: undefined,
      taskManagers: undefined,
      job: { ...job, checkpoints: ours && { at: this.now, value: checkpointsOf(ours) } },
      operations: Object.fromEntries(
        [this.resource.status?.transition?.stop.callId]
          .filter((id) => id !== undefined)
          .map((id) => [id, { at: this.now, value: process.operations.get(id) ?? { is: 'unknown' as const } }]),
      ),
    };
  }

  /**
   * Carries out a decision, until something is refused; at most `limit` of its actions, as if the operator died then: also
   * after the last of them, before it knows what came of it. Returns how many there were.
   */
  act(decision: Decision, limit = Number.POSITIVE_INFINITY): number {
    let done = 0;
    for (const action of decision.actions) {
      if (done >= limit) break;
      done += 1;
      if (!this.#perform(action)) break;
    }
    if (done >= limit) this.outcomes = {};
    return done;
  }

  /** `false` when it was refused. */
  #perform(action: Action): boolean {
    if (action.do === 'create') return this.#create(action.object);
    this.#carryOut(action);
    return true;
  }

  #carryOut(action: Exclude<Action, CreateAction>): void {
    switch (action.do) {
      case 'status': {
        if (action.of.resourceVersion !== this.resource.metadata.resourceVersion) throw new Error('stale status');
        this.#write({ ...this.resource, status: action.status as NonNullable<FlinkDeployment['status']> });
        return;
      }
      case 'patch': {
        const change = action.patch.find(({ op }) => op !== 'test');
        if (action.of.kind === 'Deployment') {
          this.deeds.push(`patch ${action.of.name}`);
          this.replicas = Number(change && 'value' in change ? change.value : 0);
          return;
        }
        if (action.of.resourceVersion !== this.resource.metadata.resourceVersion) throw new Error('stale patch');
        const finalizers = change?.op === 'add' ? (change.value as string[]) : [];
        this.gone = change?.op === 'remove';
        this.#write({ ...this.resource, metadata: { ...this.resource.metadata, finalizers } });
        return;
      }
      case 'apply':
        return;
      case 'delete':
      case 'evict':
        this.#delete(action.of.kind, action.of.name, action.of.uid);
        return;
      case 'event':
        this.events.push(`${action.reason}: ${action.note}`);
        return;
      case 'call': {
        this.#call(action.verb as keyof FlinkCalls, action.id, action.args as never);
        this.outcomes = {
          ...this.outcomes,
          [action.id]: { result: 'done', at: this.now, since: this.now, value: null },
        };
        return;
      }
    }
  }

  #create(object: KubeObject): boolean {
    const key = `${object.kind}/${object.metadata.name}`;
    const there = this.objects.get(key);
    if (there) {
      const same = there.metadata.annotations?.['cutover.dev/id'] === object.metadata.annotations?.['cutover.dev/id'];
      if (!same) throw new Error(`${key} exists and is another`);
      return true;
    }
    if (object.kind === this.refusedKind || object.kind === this.failingKind) {
      this.outcomes = { ...this.outcomes, ...this.#denial(object) };
      return false;
    }
    this.deeds.push(`create ${key}`);
    this.#version += 1;
    const metadata = {
      ...object.metadata,
      uid: `object-${this.#version}`,
      resourceVersion: String(this.#version),
      creationTimestamp: new Date(this.now).toISOString(),
    };
    this.objects.set(key, { ...object, metadata } as AnyObject);
    return true;
  }

  #denial(object: KubeObject): Record<string, Outcome> {
    const id = outcomeId({ do: 'create', object });
    const of = actionDigest({ do: 'create', object });
    const failure = { at: this.now, since: this.outcomes[id]?.since ?? this.now, of };
    return object.kind === this.refusedKind
      ? { [id]: { result: 'refused', ...failure, message: 'exceeded quota' } }
      : { [id]: { result: 'unavailable', ...failure, message: 'failed calling webhook' } };
  }

  #delete(kind: string, objectName: string, uid: string): void {
    this.deeds.push(`delete ${kind}/${objectName}`);
    if (uid.startsWith('ha-')) {
      if (this.#podUid !== undefined) throw new Error('HA metadata was deleted under a JobManager pod');
      this.storage.ha.delete(uid.slice(3));
      return;
    }
    const key = `${kind}/${objectName}`;
    if (this.objects.get(key)?.metadata.uid !== uid) return;
    this.objects.delete(key);
    if (kind !== 'Deployment' || objectName !== name) return;
    for (const [other, { metadata }] of this.objects) {
      if (metadata.ownerReferences?.some((owner) => owner.uid === uid)) this.objects.delete(other);
    }
  }

  #call(verb: keyof FlinkCalls, id: string, args: FlinkCalls['stop'] & FlinkCalls['cancel']): void {
    if (!JSON.stringify(this.resource.status).includes(id)) throw new Error(`${verb} ${id} was not written down`);
    this.deeds.push(`${verb} ${id}`);
    if (verb === 'stop' && this.stopFails !== undefined) {
      this.process?.operations.set(id, { is: 'failed', message: this.stopFails });
      return;
    }
    if (verb === 'stop') this.process?.stop(args.jobId, id, args.directory ?? 's3://sp', this.now);
    if (verb === 'cancel') this.process?.cancel(args.jobId);
  }

  /** A second passes. Pods come and go, the JobManager starts its job, the job counts. */
  tick(): void {
    this.now += 1000;
    const wanted = this.objects.get(`Deployment/${name}`)?.metadata.uid;
    const config = this.objects.get(`ConfigMap/flink-config-${name}`);
    if (this.#podUid !== undefined && this.#podUid !== wanted) {
      this.process = undefined;
      this.#podAge -= 1;
      if (this.#podAge <= 0) this.#podUid = undefined;
    } else if (wanted !== undefined && config) {
      this.#podAge = this.#podUid === undefined ? 1 : 2;
      this.#podUid = wanted;
      if (this.#podAge === 2 && !this.process && !this.#isBroken()) this.#startProcess(config);
    }
    this.process?.tick(this.now);
  }

  #isBroken(): boolean {
    const deployment = JSON.stringify(this.objects.get(`Deployment/${name}`) ?? {});
    return this.brokenImage !== undefined && deployment.includes(`"${this.brokenImage}"`);
  }

  /** The JobManager's process dies and comes back, as after an OOM kill. */
  restartJobManager(): void {
    this.process = undefined;
    this.#incarnation += 1;
  }

  #startProcess(config: AnyObject): void {
    const data = config.data as Record<string, string>;
    const text = data['config.yaml'] ?? data['flink-conf.yaml'] ?? '';
    const settings = flatConfig(parse(text));
    const haEnabled = settings.has('high-availability.type') || settings.has('high-availability');
    this.process = new FlinkProcess(this.storage, haEnabled);
    const path = settings.get('execution.savepoint.path') ?? settings.get('execution.state-recovery.path');
    this.process.start(settings.get('$internal.pipeline.job-id') ?? 'none', path, this.now);
  }

  get job(): ModelJob | undefined {
    return this.process?.jobs.get(this.resource.status?.jobStatus?.jobId ?? '');
  }

  #deployment(of: string): DeploymentSeen | undefined {
    const object = this.objects.get(`Deployment/${of}`);
    if (!object) return undefined;
    const { uid = '', resourceVersion = '', annotations, ownerReferences = [], creationTimestamp } = object.metadata;
    const up = of !== name || this.process !== undefined ? 1 : 0;
    const generation = annotations?.['flinkdeployment.flink.apache.org/generation'];
    return {
      ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: of, uid, resourceVersion },
      owners: ownerReferences.map((owner) => owner.uid),
      id: annotations?.['cutover.dev/id'],
      generation: generation === undefined ? undefined : Number(generation),
      createdAt: Date.parse(creationTimestamp ?? ''),
      terminating: false,
      replicas: of === name ? 1 : this.replicas,
      available: up,
      conditions: [],
    };
  }

  /** Somebody deletes an object. */
  vanish(key: string): void {
    const uid = this.objects.get(key)?.metadata.uid;
    this.objects.delete(key);
    for (const [other, { metadata }] of this.objects) {
      if (metadata.ownerReferences?.some((owner) => owner.uid === uid)) this.objects.delete(other);
    }
  }

  /** Somebody takes the labels off an object: no cache shows it any more. */
  unlabel(key: string): void {
    const object = this.objects.get(key);
    if (object) this.objects.set(key, { ...object, metadata: { ...object.metadata, labels: {} } });
  }

  #pods(): PodSeen[] {
    if (this.#podUid === undefined) return [];
    return [
      {
        ref: { apiVersion: 'v1', kind: 'Pod', namespace, name: `${name}-pod`, uid: `pod-${this.#podUid}` },
        createdAt: this.now,
        terminating: !this.process,
        ready: this.process !== undefined,
        phase: 'Running',
        incarnation: `${this.#podUid}-${this.#incarnation}`,
        failure: undefined,
      },
    ];
  }

  /** As caches show them, which go by the label. */
  #dependents(): Record<string, DependentSeen> {
    const found = [...this.objects].filter(
      ([key, { metadata }]) => /^(Service|ConfigMap)\//.test(key) && metadata.labels?.type !== undefined,
    );
    return Object.fromEntries(
      found.map(([key, { apiVersion, kind, metadata }]) => [
        key,
        {
          ref: { apiVersion, kind, namespace, name: metadata.name ?? '', uid: metadata.uid ?? '' },
          owners: (metadata.ownerReferences ?? []).map((owner) => owner.uid),
          id: metadata.annotations?.['cutover.dev/id'],
          terminating: false,
        },
      ]),
    );
  }

  #snapshots(): FlinkStateSnapshot[] {
    return [...this.objects.values()].filter(
      ({ kind }) => kind === 'FlinkStateSnapshot',
    ) as unknown as FlinkStateSnapshot[];
  }

  #write(next: FlinkDeployment): void {
    this.#version += 1;
    this.resource = { ...next, metadata: { ...next.metadata, resourceVersion: String(this.#version) } };
  }
}

export function checkpointsOf({ checkpoints }: ModelJob) {
  const seen = checkpoints.map(({ id, path, at, savepoint }): CheckpointSeen & { savepoint: boolean } => ({
    id,
    path,
    triggeredAt: at,
    sizeBytes: 1,
    savepoint,
  }));
  return {
    last: seen.at(-1),
    lastCompleted: seen.findLast(({ savepoint }) => !savepoint),
    lastSavepoint: seen.findLast(({ savepoint }) => savepoint),
    inProgress: undefined,
    counts: { completed: seen.length, failed: 0 },
  };
}
