import type { Failures } from '../../../src/embedded/programs/flink/failures.ts';
import type { FlinkWorld } from '../../../src/embedded/programs/flink/flink-world.ts';
import type { World } from '../../../src/embedded/world.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import {
  type BlueGreenState,
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import type { Client } from '../../../src/kube/client.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { boundMs, type Patience } from '../patience.ts';
import type { Oracle } from '../subject.ts';

type Job = FlinkDeployment | FlinkSessionJob;
type Kind = 'FlinkDeployment' | 'FlinkSessionJob' | 'FlinkBlueGreenDeployment';

const types = {
  FlinkDeployment: flinkDeployment.type,
  FlinkSessionJob: flinkSessionJob.type,
  FlinkBlueGreenDeployment: flinkBlueGreenDeployment.type,
} as const;

/** Where they live: a namespace that may go. */
export const namespace = 'jobs';

/** What a person can do with Flink jobs, and how to wait for what comes of it; a violation when it does not come. */
export interface Person {
  apply(object: Job | FlinkBlueGreenDeployment): Promise<void>;
  /** A merge patch of the job, and of the configuration. */
  editJob(name: string, job: object, configuration?: object, kind?: Kind): Promise<void>;
  remove(name: string): Promise<void>;
  /** The same of a blue/green template. */
  editTemplate(name: string, job: object, configuration?: object): Promise<void>;
  /** Until a side of a blue/green deployment serves as specified, and nothing is under way. */
  serves(name: string, color: Color): Promise<void>;
  /** Until a blue/green deployment is in this state. */
  state(name: string, state: BlueGreenState): Promise<void>;
  /** Something goes wrong in a cluster from now on; nothing does any more when it is empty. */
  fail(cluster: string, failures: Failures): void;
  /** From now on savepoints take longer than anything else. */
  slowSavepoints(cluster: string): void;
  /** Asks for a savepoint, and waits for it. */
  snapshot(name: string, job: string): Promise<void>;
  /** Until the resource is as specified, nothing is under way, and its job counts. */
  settle(name: string, kind?: Kind): Promise<void>;
  suspended(name: string): Promise<void>;
  phase(name: string, phase: string): Promise<void>;
  /** Until there is one that is to run the job with this nonce. */
  redeployed(name: string, statelessRedeployNonce: number): Promise<void>;
  gone(name: string): Promise<void>;
  pause(ms: number): Promise<void>;
}

export function personWith(
  client: Client,
  world: World,
  flink: FlinkWorld,
  patience: Patience,
  oracle: Oracle,
): Person {
  const find = (kind: Kind, name: string): Job | undefined => world.get<Job>(types[kind], namespace, name);
  const blueGreen = (name: string): FlinkBlueGreenDeployment | undefined =>
    world.get<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type, namespace, name);
  const until = (what: string, holds: () => boolean): Promise<void> =>
    patience.until(holds, (minutes) => {
      const statuses = Object.values(types).flatMap((type) => world.list(type).map(({ status }) => status));
      oracle.violate(`${what} within ${minutes} minutes: ${JSON.stringify(statuses)}`);
    });
  const settled = (job: Job | undefined): boolean => {
    const { observedGeneration, lifecycleState, transition, jobStatus } = job?.status ?? {};
    const counts = flink.runs().some(({ isLive, origin }) => isLive && origin.jobId === jobStatus?.jobId);
    const current = observedGeneration === (job?.metadata.generation ?? Number.NaN);
    return lifecycleState === 'STABLE' && !transition && current && counts;
  };
  return {
    apply: async (object) => {
      const here = { ...object, metadata: { ...object.metadata, namespace } };
      await client.resource<KubeObject>(types[object.kind as Kind]).create(here);
    },
    editTemplate: async (name, job, flinkConfiguration = {}) => {
      const body = { spec: { template: { spec: { job, flinkConfiguration } } } };
      await client.resource(flinkBlueGreenDeployment.type).patch({ namespace, name }, { type: 'merge', body });
    },
    serves: (name, color) =>
      until(`${name} is not served by ${color}`, () => {
        const { metadata, status = {} } = blueGreen(name) ?? {};
        const { blueGreenState, transition, observedGeneration, jobStatus } = status;
        const current = observedGeneration === (metadata?.generation ?? Number.NaN) && !transition;
        return blueGreenState === `ACTIVE_${color}` && current && jobStatus?.state === 'RUNNING';
      }),
    state: (name, state) => until(`${name} was not ${state}`, () => blueGreen(name)?.status?.blueGreenState === state),
    fail: (cluster, failures) => flink.fail(`${namespace}/${cluster}`, failures),
    editJob: async (name, job, flinkConfiguration = {}, kind = 'FlinkDeployment') => {
      const body = { spec: { job, flinkConfiguration } };
      await client.resource(types[kind]).patch({ namespace, name }, { type: 'merge', body });
    },
    remove: async (name) => void (await client.resource(flinkDeployment.type).delete({ namespace, name })),
    slowSavepoints: (cluster) =>
      flink.fail(`${namespace}/${cluster}`, { savepoints: { mode: 'slow', ms: 3 * boundMs } }),
    snapshot: async (name, job) => {
      const jobReference = { kind: 'FlinkDeployment', name: job };
      await client.resource<FlinkStateSnapshot>(flinkStateSnapshot.type).create({
        apiVersion: 'flink.apache.org/v1beta1',
        kind: 'FlinkStateSnapshot',
        metadata: { name, namespace },
        spec: { jobReference, savepoint: {} },
      } as FlinkStateSnapshot);
      const state = (): unknown =>
        world.get<FlinkStateSnapshot>(flinkStateSnapshot.type, namespace, name)?.status?.state;
      await until(`the snapshot ${name} was not made`, () => state() === 'COMPLETED');
    },
    settle: (name, kind = 'FlinkDeployment') =>
      until(`${kind} ${name} did not become as asked`, () => settled(find(kind, name))),
    suspended: (name) =>
      until(`${name} was not suspended`, () => find('FlinkDeployment', name)?.status?.lifecycleState === 'SUSPENDED'),
    phase: (name, phase) =>
      until(`${name} was not ${phase}`, () => find('FlinkDeployment', name)?.status?.transition?.phase === phase),
    redeployed: (name, nonce) =>
      until(`${name} was not redeployed`, () => {
        const deployment = world.get<FlinkDeployment>(flinkDeployment.type, namespace, name);
        return deployment?.spec.job?.statelessRedeployNonce === nonce;
      }),
    gone: (name) => until(`${name} did not go`, () => find('FlinkDeployment', name) === undefined),
    pause: (ms) => patience.pause(ms),
  };
}
