import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { runCommand } from '../../../rig/command.ts';
import { realClock } from '../../../src/clock/real.ts';
import { definitions } from '../../../src/flink/family.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { Client } from '../../../src/kube/client.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { untilEstablished } from '../until-established.ts';
import { SERVICE_ACCOUNT } from './manifests.ts';
import { type OperatorProcess, startOperator } from './operator-process.ts';
import { containers, type OpenPlace, type Place } from './place.ts';
import { until } from './until.ts';
import type { Volume } from './volume.ts';

/** Resources that run a job, by the name that kubectl knows them by. */
const JOB_KINDS = { flinkdeployment: flinkDeployment, flinksessionjob: flinkSessionJob } as const;
export type JobKind = keyof typeof JOB_KINDS;
type JobResource = FlinkDeployment | FlinkSessionJob;

/** A namespace of the real cluster with all that Flink needs, an operator, and a person who edits and looks. */
export class FlinkWorld implements AsyncDisposable {
  readonly namespace: string;
  readonly #place: Place;
  readonly #client: Client;
  readonly #kubeconfig: string;
  #operator: OperatorProcess;

  private constructor(namespace: string, kubeconfig: string, client: Client, place: Place, operator: OperatorProcess) {
    this.namespace = namespace;
    this.#place = place;
    this.#kubeconfig = kubeconfig;
    this.#client = client;
    this.#operator = operator;
  }

  static async open(namespace: string, openPlace: OpenPlace = containers): Promise<FlinkWorld> {
    const kubeconfig = process.env.CUTOVER_KUBECONFIG ?? '';
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }), { userAgent: 'person' });
    const kubectl = (args: readonly string[], input: string): Promise<string> =>
      runCommand('kubectl', ['--kubeconfig', kubeconfig, ...args], { input });
    // Server-side: the definitions are too long for the annotation that a plain apply leaves behind.
    await kubectl(
      ['apply', '--server-side', '-f', '-'],
      definitions()
        .map((one) => stringify(one))
        .join('---\n'),
    );
    await untilEstablished((args) => kubectl([...args], ''), ['crd', '--all']);
    await kubectl(['apply', '-f', '-'], surroundings(namespace));
    const place = await openPlace(client, namespace);
    const operator = await startOperator(kubeconfig, place.operatorFlags);
    return new FlinkWorld(namespace, kubeconfig, client, place, operator);
  }

  get volume(): Volume {
    return this.#place.volume;
  }

  /** The counting job, where Flink finds it. */
  get jarURI(): string {
    return this.#place.jarURI;
  }

  /** The operator dies as with its machine, and another one starts and looks at what it finds. */
  async replaceOperator(): Promise<void> {
    await this.#operator.kill();
    await this.#operator[Symbol.asyncDispose]();
    this.#operator = await startOperator(this.#kubeconfig, this.#place.operatorFlags);
    await this.until(
      'the new operator has looked around',
      () => this.#operator.decisions('flinkdeployment'),
      (decisions) => decisions >= 2,
    );
  }

  /** What a person applies. */
  async apply(yaml: string): Promise<void> {
    await this.#kubectl(['apply', '-f', '-'], yaml);
  }

  /** What a person changes: a merge patch of the spec's `job`. */
  async editJob(kind: JobKind, name: string, job: object): Promise<void> {
    await this.#kubectl(['patch', kind, name, '--type=merge', '-p', JSON.stringify({ spec: { job } })]);
  }

  /** Deletes objects by kind and name (`flinkdeployment/orders`), and waits until they are gone. */
  async remove(...names: readonly string[]): Promise<void> {
    await this.#kubectl(['delete', ...names, '--wait', '--timeout=240s']);
  }

  /** Asks for the deletion of an object, and does not wait for it. */
  async askToRemove(name: string): Promise<void> {
    await this.#kubectl(['delete', name, '--wait=false']);
  }

  /** Kills a pod as a failing machine would: at once. */
  async killPod(name: string): Promise<void> {
    await this.#kubectl(['delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']);
  }

  read(kind: JobKind, name: string): Promise<JobResource> {
    return this.#client.resource<JobResource>(JOB_KINDS[kind].type).get({ namespace: this.namespace, name });
  }

  /** Objects of this namespace, those that are going included. */
  async list(type: ResourceType, labels: Readonly<Record<string, string>> = {}): Promise<readonly AnyObject[]> {
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join();
    const selector = labelSelector === '' ? {} : { labelSelector };
    return (await this.#client.resource(type).list({ namespace: this.namespace, ...selector })).items;
  }

  /** The notes of the events of a reason about an object. */
  async events(name: string, reason: string): Promise<readonly { readonly type: string; readonly note: string }[]> {
    const { items } = await this.#client.resource(kinds.events).list({ namespace: this.namespace });
    return (items as readonly (AnyObject & Partial<EventFields>)[])
      .filter((event) => event.regarding?.name === name && event.reason === reason)
      .map(({ type = '', note = '' }) => ({ type, note }));
  }

  /** What Flink itself answers, past the operator. */
  async flink(cluster: string, path: string): Promise<unknown> {
    const { status, text } = await this.#place.ask(cluster, path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  /** The savepoints of a job that the running JobManager has heard of, newest first. */
  async savepointsOf(cluster: string, job: string): Promise<readonly { readonly status: string }[]> {
    const { history } = (await this.flink(cluster, `/jobs/${job}/checkpoints`)) as CheckpointHistory;
    return history.filter((one) => one.is_savepoint);
  }

  /** Waits; fails at once when the operator has ended. */
  until<T>(what: string, look: () => T | Promise<T>, met: (seen: T) => boolean): Promise<T> {
    return until(what, look, met, () => this.#operator.trouble());
  }

  /** Waits until the resource says that its job runs as specified, with these fields of `spec.job` among them. */
  untilRuns(kind: JobKind, name: string, job: object = {}): Promise<JobResource> {
    return this.until(
      `${kind} ${name} runs with ${JSON.stringify(job)}`,
      () => this.read(kind, name),
      (resource) => runs(resource) && holds(recordedJob(resource), job),
    );
  }

  /** Waits until the job itself is in its nth life and has counted for a while. */
  async untilCounts(name: string, life: number): Promise<void> {
    await this.until(
      `${name} counts in life ${life}`,
      () => this.volume.attempts(name),
      (attempts) => attempts.length >= life && atLeast(attempts.at(-1), 50),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.volume.release();
    await this.#operator[Symbol.asyncDispose]();
    await this.#kubectl(['delete', 'namespace', this.namespace, '--wait=false']);
    await this.#place[Symbol.asyncDispose]();
    await this.#client.close();
  }

  #kubectl(args: readonly string[], input = ''): Promise<string> {
    return runCommand('kubectl', ['--kubeconfig', this.#kubeconfig, '--namespace', this.namespace, ...args], { input });
  }
}

interface EventFields {
  readonly regarding: { readonly name?: string };
  readonly reason: string;
  readonly type: string;
  readonly note: string;
}

interface CheckpointHistory {
  readonly history: readonly { readonly is_savepoint: boolean; readonly status: string }[];
}

/** What native Flink needs besides its resource: an account that may make TaskManagers and keep recovery metadata. */
function surroundings(namespace: string): string {
  const metadata = { name: SERVICE_ACCOUNT, namespace };
  const rbac = 'rbac.authorization.k8s.io';
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['*'] },
        { apiGroups: ['apps'], resources: ['deployments', 'deployments/finalizers'], verbs: ['*'] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: SERVICE_ACCOUNT },
      subjects: [{ kind: 'ServiceAccount', name: SERVICE_ACCOUNT, namespace }],
    },
  ];
  return objects.map((object) => stringify(object)).join('---\n');
}

function runs({ metadata, status }: JobResource): boolean {
  const jobManager = status && 'jobManagerDeploymentStatus' in status ? status.jobManagerDeploymentStatus : 'READY';
  return (
    status?.observedGeneration === metadata.generation &&
    status?.lifecycleState === 'STABLE' &&
    status.jobStatus?.state === 'RUNNING' &&
    jobManager === 'READY'
  );
}

/** The job of the spec that the resource says is deployed. */
function recordedJob({ status }: JobResource): Readonly<Record<string, unknown>> {
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  const recorded = JSON.parse(text ?? '{}') as { spec?: { job?: Readonly<Record<string, unknown>> } };
  return recorded.spec?.job ?? {};
}

function holds(whole: Readonly<Record<string, unknown>>, part: object): boolean {
  return Object.entries(part).every(([key, value]) => isDeepStrictEqual(whole[key], value));
}

function atLeast(attempt: { readonly first: Counted; readonly last: Counted } | undefined, records: number): boolean {
  return attempt !== undefined && attempt.last.value - attempt.first.value >= records;
}

interface Counted {
  readonly value: number;
}
