import { annotations } from '../../../control/annotations.ts';
import type { Action, Decision } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { FlinkDeployment, FlinkDeploymentSpec, FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { JobOverview } from '../../rest.ts';
import type { DependentSeen, DeploymentSeen, DeploymentView, NamedResource } from '../../view.ts';
import { sessionCluster } from './session-cluster.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');

export const sessionSpec: FlinkDeploymentSpec = {
  image: 'flink:1.20',
  flinkVersion: 'v1_20',
  serviceAccount: 'flink',
  jobManager: { resource: { memory: '1g', cpu: 1 } },
  taskManager: { resource: { memory: '2g', cpu: 1 } },
};

/**
 * A cluster of one session, as small as can be: what decisions create, delete and patch is there, gone and patched at the
 * next look. Pods take a look longer to go. Nothing becomes ready unless a test says so.
 */
export class SessionWorld {
  now = start;
  resource: FlinkDeployment;
  ready = false;
  /** Pods do not go: their node is gone. */
  hangs = false;
  sessionJobs: readonly NamedResource[] = [];
  /** What runs in the session; undefined while REST is silent. */
  jobs: readonly JobOverview[] | undefined = [];
  /** When REST told them, if not just now. */
  jobsToldAt: number | undefined;
  haConfigMaps: readonly string[] = [];
  pods = 0;
  settings: Readonly<Record<string, string>> = {};
  outcomes: DeploymentView['outcomes'] = {};
  readonly events: string[] = [];
  /** Kinds and names of everything that was ever created. */
  readonly created: string[] = [];
  #jobManager: DeploymentSeen | undefined;
  #taskManager: DeploymentSeen | undefined;
  #dependents: Record<string, DependentSeen> = {};
  #count = 0;

  constructor(spec: FlinkDeploymentSpec = sessionSpec, status?: FlinkDeploymentStatus) {
    this.resource = {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      metadata: {
        name: 'pool',
        namespace: 'shop',
        uid: 'uid-pool',
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: new Date(start).toISOString(),
      },
      spec,
      ...(status && { status }),
    };
  }

  get view(): DeploymentView {
    const at = this.now;
    const asked = this.ready && this.#jobManager !== undefined;
    return {
      now: at,
      outcomes: this.outcomes,
      resource: this.resource,
      operator: { settings: this.settings, logFiles: {} },
      cluster: {
        jobManager: this.#jobManager && { ...this.#jobManager, available: this.ready ? 1 : 0 },
        taskManager: this.#taskManager,
        pods: Array.from({ length: this.pods }, (_, index) => ({
          ref: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: `pool-${index}`, uid: `uid-pod-${index}` },
          createdAt: start,
          terminating: this.#jobManager === undefined,
          ready: this.ready,
          phase: 'Running',
          incarnation: `uid-pod-${index}/0`,
          failure: undefined,
        })),
        dependents: this.#dependents,
        ingress: undefined,
        ha: {
          available: false,
          withCheckpoint: false,
          configMaps: this.haConfigMaps.map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            namespace: 'shop',
            name,
            uid: `uid-${name}`,
          })),
          submitted: [],
        },
      },
      rest: {
        asked,
        trouble: undefined,
        jobs: asked && this.jobs ? { at: this.jobsToldAt ?? at, value: this.jobs } : undefined,
        version: asked ? { at, value: { version: '1.20.5', revision: 'abc' } } : undefined,
        taskManagers: undefined,
        job: {
          checkpoints: undefined,
          exceptions: undefined,
          failure: undefined,
          metrics: undefined,
          requirements: undefined,
        },
        operations: {},
      },
      sessionJobs: this.sessionJobs,
      snapshots: { installed: true, items: [] },
    };
  }

  get status(): FlinkDeploymentStatus {
    return this.resource.status ?? {};
  }

  get jobManager(): DeploymentSeen | undefined {
    return this.#jobManager;
  }

  get taskManager(): DeploymentSeen | undefined {
    return this.#taskManager;
  }

  get objects(): readonly string[] {
    const deployments = [this.#jobManager, this.#taskManager].flatMap((one) =>
      one ? [`Deployment/${one.ref.name}`] : [],
    );
    return [...deployments, ...Object.keys(this.#dependents)].sort();
  }

  /** Decides once, and carries out at most `most` of the actions: a process that dies after them. */
  look(most = Number.POSITIVE_INFINITY): Decision {
    const decision = sessionCluster(this.view);
    if (this.#jobManager === undefined && !this.hangs) this.pods = 0;
    for (const action of decision.actions.slice(0, most)) this.#perform(action);
    this.now += 1000;
    return decision;
  }

  /** Looks until nothing is done any more; returns the last decision. */
  settle(): Decision {
    for (let looks = 0; looks < 30; looks++) {
      const pods = this.pods;
      const decision = this.look();
      if (decision.actions.length === 0 && this.pods === pods) return decision;
    }
    throw new Error('it does not come to rest');
  }

  edit(change: Partial<FlinkDeploymentSpec>): void {
    const { metadata, spec } = this.resource;
    const generation = (metadata.generation ?? 0) + 1;
    this.resource = { ...this.resource, metadata: { ...metadata, generation }, spec: { ...spec, ...change } };
  }

  delete(): void {
    const { metadata } = this.resource;
    const deletionTimestamp = new Date(this.now).toISOString();
    this.resource = { ...this.resource, metadata: { ...metadata, deletionTimestamp } };
  }

  /** Somebody deletes the JobManager's Deployment by hand, and what belongs to it goes too. */
  lose(): void {
    this.#jobManager = undefined;
    this.#dependents = {};
    this.ready = false;
  }

  loseDependent(key: string): void {
    const { [key]: _, ...kept } = this.#dependents;
    this.#dependents = kept;
  }

  terminate(key: string): void {
    const going = this.#dependents[key];
    if (going) this.#dependents = { ...this.#dependents, [key]: { ...going, terminating: true } };
  }

  /** A Deployment of another owner, or of the Java operator. */
  put(jobManager: Partial<DeploymentSeen>): void {
    this.#jobManager = { ...this.#seen('pool', undefined, ['uid-pool'], 1), generation: 1, ...jobManager };
  }

  get released(): boolean {
    return !this.resource.metadata.finalizers?.length;
  }

  #seen(name: string, id: string | undefined, owners: readonly string[], replicas: number): DeploymentSeen {
    this.#count += 1;
    return {
      ref: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name,
        uid: `uid-${this.#count}`,
        resourceVersion: '1',
      },
      owners,
      id,
      generation: this.resource.metadata.generation,
      createdAt: this.now,
      terminating: false,
      replicas,
      available: 0,
      conditions: [],
    };
  }

  #perform(action: Action): void {
    switch (action.do) {
      case 'status':
        this.resource = { ...this.resource, status: action.status as unknown as FlinkDeploymentStatus };
        break;
      case 'create':
        this.#create(action.object);
        break;
      case 'delete':
        this.#delete(action.of.kind, action.of.name);
        break;
      case 'patch':
        this.#patch(action);
        break;
      case 'event':
        this.events.push(`${action.reason}: ${action.note}`);
        break;
      default:
        this.created.push(`${action.do}`);
    }
  }

  #create(object: KubeObject): void {
    const { kind, metadata } = object;
    const key = `${kind}/${metadata.name}`;
    this.created.push(key);
    const id = metadata.annotations?.[annotations.id];
    const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
    const { replicas = 1 } = (object as { spec?: { replicas?: number } }).spec ?? {};
    if (key === 'Deployment/pool') {
      this.#jobManager = this.#seen('pool', id, owners, replicas);
      this.pods = 1;
    } else if (kind === 'Deployment') this.#taskManager = this.#seen(metadata.name ?? '', id, owners, replicas);
    else {
      const ref = { apiVersion: 'v1', kind, namespace: 'shop', name: metadata.name ?? '', uid: `uid-${key}` };
      this.#dependents = { ...this.#dependents, [key]: { ref, owners, id, terminating: false } };
    }
  }

  #delete(kind: string, name: string): void {
    if (kind === 'Deployment' && name === 'pool') {
      this.#jobManager = undefined;
      this.ready = false;
    } else if (kind === 'Deployment') this.#taskManager = undefined;
    else if (this.haConfigMaps.includes(name)) this.haConfigMaps = this.haConfigMaps.filter((one) => one !== name);
    else this.loseDependent(`${kind}/${name}`);
  }

  #patch({ of, patch }: Extract<Action, { do: 'patch' }>): void {
    if (of.kind === 'FlinkDeployment') {
      const adds = patch.some(({ op }) => op === 'add');
      const finalizers = adds ? ['flinkdeployments.flink.apache.org/finalizer'] : [];
      this.resource = { ...this.resource, metadata: { ...this.resource.metadata, finalizers } };
    } else if (this.#taskManager) {
      const replicas = patch.flatMap((one) => ('value' in one ? [Number(one.value)] : []))[0] ?? 0;
      this.#taskManager = { ...this.#taskManager, replicas };
    }
  }
}

/** All objects of a native session cluster. */
export const native = ['ConfigMap/flink-config-pool', 'Deployment/pool', 'Service/pool', 'Service/pool-rest'];
export const standalone = {
  ...sessionSpec,
  mode: 'standalone',
  taskManager: { ...sessionSpec.taskManager, replicas: 3 },
} as const;

/** A session cluster that runs, with nothing said or made since. */
export function running(spec = sessionSpec): SessionWorld {
  const world = new SessionWorld(spec);
  world.settle();
  world.ready = true;
  world.settle();
  world.events.length = 0;
  world.created.length = 0;
  return world;
}

export const job = (id: string, state: JobOverview['state'] = 'RUNNING'): JobOverview => ({
  id,
  name: id,
  state,
  startedAt: 0,
});
/** Its condition `Ready`. */
export const ready = (world: SessionWorld) => world.status.conditions?.find(({ type }) => type === 'Ready');
