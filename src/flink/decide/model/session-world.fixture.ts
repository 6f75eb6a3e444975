import type { Action, Decision } from '../../../control/decision.ts';
import type { Outcome } from '../../../control/outcome.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import type { FlinkCalls } from '../../calls.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob, FlinkSessionJobSpec } from '../../resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { SessionJobView } from '../../view.ts';
import { decideSessionJob } from '../session-job.ts';
import { FlinkProcess, type ModelJob, type ModelStorage } from './flink-cluster.fixture.ts';
import { checkpointsOf } from './world.fixture.ts';

const namespace = 'ns';

/** A session cluster that runs, and one FlinkSessionJob for it. Deterministic, one second at a time. */
export class SessionWorld {
  now = Date.parse('2026-01-01T00:00:00Z');
  resource: FlinkSessionJob;
  session: FlinkDeployment | undefined = sessionCluster;
  readonly storage: ModelStorage = { files: new Map(), ha: new Map() };
  process: FlinkProcess | undefined = new FlinkProcess(this.storage, false);
  outcomes: Record<string, Outcome> = {};
  readonly events: string[] = [];
  readonly deeds: string[] = [];
  readonly snapshots: FlinkStateSnapshot[] = [];
  submitRefused: string | undefined;
  submitUnavailable: string | undefined;
  /** The API server says no to FlinkStateSnapshots. */
  snapshotsRefused = false;
  gone = false;
  /** What the session said of its jobs is as old as this. */
  toldAt: number | undefined;
  #version = 1;

  constructor(spec: FlinkSessionJobSpec) {
    this.resource = {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkSessionJob',
      metadata: { name: 'job', namespace, uid: 'uid-2', resourceVersion: '1', generation: 1 },
      spec,
    };
  }

  get job(): ModelJob | undefined {
    return this.process?.jobs.get(this.resource.status?.jobStatus?.jobId ?? '');
  }

  edit(change: Partial<FlinkSessionJobSpec['job']>): void {
    const { metadata, spec } = this.resource;
    const generation = (metadata.generation ?? 0) + 1;
    this.#write({
      ...this.resource,
      spec: { ...spec, job: { ...spec.job, ...change } },
      metadata: { ...metadata, generation },
    });
  }

  delete(): void {
    const deletionTimestamp = new Date(this.now).toISOString();
    this.#write({ ...this.resource, metadata: { ...this.resource.metadata, deletionTimestamp } });
  }

  view(): SessionJobView {
    const { process, now } = this;
    const told = <T>(value: T) => ({ at: now, value });
    const { toldAt = now } = this;
    const jobs = [...(process?.jobs.values() ?? [])]
      .filter(({ startedAt }) => this.toldAt === undefined || startedAt < this.toldAt)
      .map(({ id, state, startedAt }) => ({ id, name: id, state, startedAt }));
    const callId = this.resource.status?.transition?.stop.callId;
    const nothing = { exceptions: undefined, failure: undefined, metrics: undefined, requirements: undefined };
    return {
      now,
      outcomes: this.outcomes,
      resource: this.resource,
      operator: { settings: {}, logFiles: {} },
      session: this.session,
      cluster: {
        jobManager: this.session && {
          ref: {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            namespace,
            name: 'session',
            uid: 'd',
            resourceVersion: '1',
          },
          owners: ['uid-session'],
          id: 'x',
          generation: 1,
          createdAt: 0,
          terminating: false,
          replicas: 1,
          available: process ? 1 : 0,
          conditions: [],
        },
        taskManager: undefined,
        pods: [],
        dependents: {},
        ingress: undefined,
        ha: { available: false, withCheckpoint: false, configMaps: [], submitted: [] },
      },
      rest: {
        asked: process !== undefined,
        trouble: undefined,
        jobs: process && { at: toldAt, value: jobs },
        version: undefined,
        taskManagers: undefined,
        job: { ...nothing, checkpoints: this.job && told(checkpointsOf(this.job)) },
        operations:
          process && callId !== undefined
            ? { [callId]: told(process.operations.get(callId) ?? { is: 'unknown' as const }) }
            : {},
      },
      snapshots: { installed: true, items: [...this.snapshots] },
    };
  }

  /** One look, and what was decided on it is done. */
  look(): void {
    this.#act(decideSessionJob(this.view()), Number.POSITIVE_INFINITY);
  }

  /** The operator dies, and another comes. */
  die(): void {
    this.outcomes = {};
  }

  /** Lets time pass. The operator dies before its n-th action, if told so, and comes back. */
  run(seconds = 20, dieBefore = Number.POSITIVE_INFINITY): number {
    let acted = 0;
    for (let second = 0; second < seconds && !this.gone; second++) {
      for (let look = 0; look < 6 && !this.gone; look++) {
        const decision = decideSessionJob(this.view());
        if (decision.actions.length === 0) break;
        acted += this.#act(decision, acted < dieBefore ? dieBefore - acted : Number.POSITIVE_INFINITY);
      }
      this.now += 1000;
      this.process?.tick(this.now);
    }
    return acted;
  }

  #act(decision: Decision, limit: number): number {
    let done = 0;
    for (const action of decision.actions) {
      if (done >= limit) break;
      done += 1;
      if (action.do === 'create' && this.snapshotsRefused) {
        this.#refuse(action);
        break;
      }
      this.#perform(action);
    }
    // Dead, also after the last of them, before it knows what came of it.
    if (done >= limit) this.outcomes = {};
    return done;
  }

  #refuse(action: Action): void {
    const [at, since] = [this.now, this.outcomes[outcomeId(action)]?.since ?? this.now];
    const refused = { result: 'refused', at, since, of: actionDigest(action), message: 'exceeded quota' } as const;
    this.outcomes = { ...this.outcomes, [outcomeId(action)]: refused };
  }

  #perform(action: Action): void {
    switch (action.do) {
      case 'status':
        this.#write({ ...this.resource, status: action.status as NonNullable<FlinkSessionJob['status']> });
        return;
      case 'patch': {
        if (action.of.resourceVersion !== this.resource.metadata.resourceVersion) throw new Error('stale patch');
        const change = action.patch.find(({ op }) => op !== 'test');
        this.gone = change?.op === 'remove';
        const finalizers = change?.op === 'add' ? (change.value as string[]) : [];
        this.#write({ ...this.resource, metadata: { ...this.resource.metadata, finalizers } });
        return;
      }
      case 'event':
        this.events.push(`${action.reason}: ${action.note}`);
        return;
      case 'call':
        this.#call(action.verb as keyof FlinkCalls, action.id, action.args as never);
        return;
      case 'create':
        this.deeds.push(`create ${action.object.kind}`);
        this.snapshots.push(action.object as FlinkStateSnapshot);
        return;
      default:
        throw new Error(`a session job must not ${action.do}`);
    }
  }

  #call(verb: keyof FlinkCalls, id: string, args: FlinkCalls['stop'] & FlinkCalls['submit']): void {
    if (!JSON.stringify(this.resource.status).includes(id)) throw new Error(`${verb} ${id} was not written down`);
    this.deeds.push(verb);
    const [at, since] = [this.now, this.now];
    if (verb === 'submit' && this.submitRefused !== undefined) {
      this.outcomes = { ...this.outcomes, [id]: { result: 'refused', at, since, of: '', message: this.submitRefused } };
      return;
    }
    if (verb === 'submit' && this.submitUnavailable !== undefined) {
      const before = this.outcomes[id]?.since ?? since;
      const failed = { result: 'unavailable', at, since: before, of: '', message: this.submitUnavailable } as const;
      this.outcomes = { ...this.outcomes, [id]: failed };
      return;
    }
    if (verb === 'submit') this.process?.start(args.jobId, args.run.savepointPath, this.now);
    if (verb === 'stop') this.process?.stop(args.jobId, id, args.directory ?? 's3://sp', this.now);
    if (verb === 'cancel') this.process?.cancel(args.jobId);
    this.outcomes = { ...this.outcomes, [id]: { result: 'done', at, since, value: null } };
  }

  #write(next: FlinkSessionJob): void {
    this.#version += 1;
    this.resource = { ...next, metadata: { ...next.metadata, resourceVersion: String(this.#version) } };
  }
}

export const sessionCluster: FlinkDeployment = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkDeployment',
  metadata: { name: 'session', namespace, uid: 'uid-session', resourceVersion: '1', generation: 1 },
  spec: {
    image: 'flink:1.20',
    flinkVersion: 'v1_20',
    serviceAccount: 'flink',
    flinkConfiguration: { 'state.checkpoints.dir': 's3://cp', 'state.savepoints.dir': 's3://sp' },
    jobManager: { resource: { cpu: 0.5, memory: '1g' } },
    taskManager: { resource: { cpu: 1, memory: '2g' } },
  },
};
