import { timestamp } from '../../timestamp.ts';
import type { Surroundings } from '../program.ts';
import type { Checkpoints, Retained } from './checkpoints.ts';
import { apiOf, ConfigMaps } from './config-maps.ts';
import type { Configuration } from './configuration.ts';
import type { FlinkWorld } from './flink-world.ts';
import type { JobGraph } from './job-graph.ts';
import { normalPath } from './storage.ts';

const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const leaderKey = 'org.apache.flink.k8s.leader.';
const checkpointKey = 'checkpointID-';

/** A held lease outlives a killed process for so long. */
const leaseMs = 15_000;

export function isHighlyAvailable(configuration: Configuration): boolean {
  const type = configuration.text('high-availability.type')?.toLowerCase() ?? 'none';
  return type === 'kubernetes' || type.includes('kuberneteshaservicesfactory');
}

/** How the API shows a stored object: a pointer into the HA storage directory, opaque to everybody but Flink. */
const pointer = (path: string): string => Buffer.from(JSON.stringify({ stateHandle: path })).toString('base64');

const target = (value: string): string => JSON.parse(Buffer.from(value, 'base64').toString('utf8')).stateHandle;

/**
 * Flink's Kubernetes high availability: who leads, which jobs there are and which checkpoints they would restart from,
 * in ConfigMaps `C-cluster-config-map` and `C-<job id>-config-map` that point into `high-availability.storageDir`.
 *
 * The lease is not renewed by writing every few seconds, as real ones are: whether its holder lives is known.
 *
 * @throws Error when the storage directory is not configured
 */
export class HighAvailability {
  readonly #here: Surroundings;
  readonly #world: FlinkWorld;
  readonly #maps: ConfigMaps;
  readonly #clusterId: string;
  readonly #directory: string;
  readonly #identity: string;
  readonly #graphKey: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(here: Surroundings, world: FlinkWorld, configuration: Configuration, version: string) {
    const directory = configuration.text('high-availability.storageDir');
    if (!directory) {
      throw new Error('Configuration is missing the mandatory parameter: high-availability.storageDir');
    }
    this.#here = here;
    this.#world = world;
    this.#clusterId = configuration.text('kubernetes.cluster-id') ?? here.pod.metadata.labels?.app ?? '';
    this.#directory = `${normalPath(directory)}/${configuration.text('high-availability.cluster-id') ?? this.#clusterId}`;
    this.#identity = here.random.uuid();
    this.#graphKey = version.startsWith('1.') ? 'jobGraph-' : 'executionPlan-';
    const namespace = configuration.text('kubernetes.namespace') ?? here.pod.metadata.namespace ?? '';
    this.#maps = new ConfigMaps(apiOf(here), namespace, {
      app: this.#clusterId,
      'configmap-type': 'high-availability',
      type: 'flink-native-kubernetes',
    });
  }

  get #clusterMap(): string {
    return `${this.#clusterId}-cluster-config-map`;
  }

  #jobMap(jobId: string): string {
    return `${this.#clusterId}-${jobId}-config-map`;
  }

  /** Tries to become the leader. Resolves to true, or to how long to wait: `undefined` means until something changes. */
  async elect(): Promise<true | number | undefined> {
    const { clock } = this.#here;
    let verdict: true | number | undefined = true;
    await this.#maps.update(this.#clusterMap, true, (map) => {
      const record = JSON.parse(map.annotations[leaderAnnotation] ?? '{}') as Record<string, unknown>;
      const holder = String(record.holderIdentity ?? '');
      const lease = holder && holder !== this.#identity ? this.#world.leaseOf(holder) : undefined;
      if (lease === 'held') verdict = undefined;
      else if (lease !== undefined && lease > clock.monotonic()) verdict = lease - clock.monotonic();
      else verdict = true;
      if (verdict !== true) return undefined;
      const now = timestamp(clock.now());
      const leader = {
        holderIdentity: this.#identity,
        leaseDuration: leaseMs / 1000,
        acquireTime: now,
        renewTime: now,
        leaderTransitions: holder ? Number(record.leaderTransitions ?? 0) + 1 : Number(record.leaderTransitions ?? 0),
      };
      return { ...map, annotations: { ...map.annotations, [leaderAnnotation]: JSON.stringify(leader) } };
    });
    if (verdict === true) this.#world.holdLease(this.#identity);
    return verdict;
  }

  /** The process ends: gracefully, the lease is free at once; killed, it runs out. */
  giveUp(graceful: boolean): void {
    if (this.#world.leaseOf(this.#identity) !== 'held') return;
    this.#world.endLease(this.#identity, this.#here.clock, graceful ? 0 : leaseMs);
  }

  /** Tells everybody where the leader is. */
  announce(address: string, restPort: number): Promise<void> {
    const rpc = `pekko.tcp://flink@${address}:6123/user/rpc`;
    const session = this.#here.random.uuid();
    return this.#inTurn(async () => {
      await this.#maps.update(this.#clusterMap, true, (map) => ({
        ...map,
        data: {
          ...map.data,
          [`${leaderKey}dispatcher`]: `${session},${rpc}/dispatcher_1`,
          [`${leaderKey}resourcemanager`]: `${session},${rpc}/resourcemanager_0`,
          [`${leaderKey}restserver`]: `${session},http://${address}:${restPort}`,
        },
      }));
    });
  }

  /** Jobs that were submitted and have not ended. */
  async graphs(): Promise<readonly JobGraph[]> {
    const map = await this.#maps.read(this.#clusterMap);
    const found: JobGraph[] = [];
    for (const [key, value] of Object.entries(map?.data ?? {})) {
      if (!key.startsWith(this.#graphKey)) continue;
      const text = this.#world.storage.read(target(value));
      if (text !== undefined) found.push(JSON.parse(text) as JobGraph);
    }
    return found;
  }

  storeGraph(graph: JobGraph, address: string): Promise<void> {
    const path = `${this.#directory}/submittedJobGraph${this.#suffix()}`;
    this.#world.unsettled.write(path, JSON.stringify(graph));
    const leader = `${this.#here.random.uuid()},pekko.tcp://flink@${address}:6123/user/rpc/jobmanager_2`;
    return this.#inTurn(async () => {
      await this.#maps.update(this.#clusterMap, true, (map) => ({
        ...map,
        data: {
          ...map.data,
          [`${leaderKey}job-${graph.id}`]: leader,
          [`${this.#graphKey}${graph.id}`]: pointer(path),
        },
      }));
    });
  }

  /** What a job would restart from, newest last. Makes the job's ConfigMap when it has none yet. */
  async checkpointsOf(jobId: string): Promise<{ readonly retained: readonly Retained[]; readonly counter: number }> {
    await this.#maps.update(this.#jobMap(jobId), true, ({ data, ...map }) =>
      data.counter === undefined ? { ...map, data: { ...data, counter: '1' } } : undefined,
    );
    const map = await this.#maps.read(this.#jobMap(jobId));
    const keys = Object.keys(map?.data ?? {}).filter((key) => key.startsWith(checkpointKey));
    const texts = keys.sort().map((key) => this.#world.storage.read(target(map?.data[key] ?? '')));
    const retained = texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Retained]));
    return { retained, counter: Number(map?.data.counter ?? 1) };
  }

  /** Writes which checkpoints are retained now. A ConfigMap that somebody deleted is not made again. */
  storeCheckpoints(jobId: string, checkpoints: Checkpoints): Promise<boolean> {
    const wanted = new Map(
      checkpoints.retained.map((one) => [`${checkpointKey}${String(one.id).padStart(19, '0')}`, one]),
    );
    const counter = String(checkpoints.counter);
    return this.#inTurn(() =>
      this.#maps.update(this.#jobMap(jobId), false, (map) => {
        const known = Object.keys(map.data).filter((key) => key.startsWith(checkpointKey));
        const isSame = known.length === wanted.size && known.every((key) => wanted.has(key));
        if (isSame && map.data.counter === counter) return undefined;
        const data: Record<string, string> = { counter };
        for (const [key, one] of wanted) data[key] = map.data[key] ?? this.#storeRetained(one);
        for (const key of known) if (!wanted.has(key)) this.#world.unsettled.remove(target(map.data[key] ?? ''));
        const others = Object.entries(map.data).filter(([key]) => !key.startsWith(checkpointKey) && key !== 'counter');
        return { ...map, data: { ...Object.fromEntries(others), ...data } };
      }),
    );
  }

  /** A job has ended for good: nothing of it is kept here. */
  forget(jobId: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#maps.remove(this.#jobMap(jobId));
      await this.#maps.update(this.#clusterMap, false, (map) => {
        const gone = [`${leaderKey}job-${jobId}`, `${this.#graphKey}${jobId}`];
        const graph = map.data[`${this.#graphKey}${jobId}`];
        if (graph) this.#world.unsettled.remove(target(graph));
        return { ...map, data: Object.fromEntries(Object.entries(map.data).filter(([key]) => !gone.includes(key))) };
      });
    });
  }

  #storeRetained(one: Retained): string {
    const path = `${this.#directory}/completedCheckpoint${this.#suffix()}`;
    this.#world.unsettled.write(path, JSON.stringify(one));
    return pointer(path);
  }

  #suffix(): string {
    return this.#here.random.uuid().replaceAll('-', '').slice(0, 12);
  }

  /** One write after the other, in the order they were asked for. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(action);
    this.#queue = result.catch(() => {});
    return result;
  }
}

/** Where the leader says it is, as TaskManagers read it; undefined when nobody leads. */
export async function leaderAddress(here: Surroundings, configuration: Configuration): Promise<string | undefined> {
  const clusterId = configuration.text('kubernetes.cluster-id') ?? '';
  const namespace = configuration.text('kubernetes.namespace') ?? here.pod.metadata.namespace ?? '';
  const map = await new ConfigMaps(apiOf(here), namespace, {}).read(`${clusterId}-cluster-config-map`);
  return /@([^:]+):/.exec(map?.data[`${leaderKey}resourcemanager`] ?? '')?.[1];
}
