import { join } from 'node:path';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { FlinkProcess, type Ports } from './flink-process.ts';

const LOOK_EVERY_MS = 250;
const HEARTBEAT_MS = 5_000;
const NODE = 'processes';

export interface ProcessNodeOptions {
  readonly client: Client;
  readonly namespace: string;
  /** A distribution of Flink, and the Java that runs it. */
  readonly flinkHome: string;
  readonly javaHome: string;
  /** Where configuration and logs go. */
  readonly directory: string;
  /** Where the JobManager and its REST interface of a cluster listen: as fixed as the address of a Service. */
  readonly portsOf: (cluster: string) => Promise<Ports>;
}

/** What of a pod matters to a node. */
export type Pod = AnyObject & {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly {
      readonly name: string;
      readonly image: string;
      readonly args?: readonly string[];
    }[];
    readonly volumes?: readonly { readonly configMap?: { readonly name: string } }[];
  };
};

/**
 * A node of the real API server that runs Flink's pods as plain processes of this machine, where containers cannot run. As
 * a kubelet it says when a pod is ready, starts again what ended by itself, and lets a pod go only after its process has.
 */
export class ProcessNode implements AsyncDisposable {
  readonly #options: ProcessNodeOptions;
  readonly #processes = new Map<string, FlinkProcess>();
  readonly #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  private constructor(options: ProcessNodeOptions) {
    this.#options = options;
  }

  static async start(options: ProcessNodeOptions): Promise<ProcessNode> {
    const node = new ProcessNode(options);
    await node.#register();
    node.#working = Promise.all([
      node.#again(LOOK_EVERY_MS, () => node.#look()),
      node.#again(HEARTBEAT_MS, () => node.#beat()),
    ]);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#working;
    await Promise.all([...this.#processes.values()].map((process) => process.end()));
  }

  async #register(): Promise<void> {
    const nodes = this.#options.client.resource(kinds.nodes);
    const amounts = { cpu: '8', memory: '16Gi', pods: '50' };
    await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } } as AnyObject);
    await this.#beat();
    const body = { status: { capacity: amounts, allocatable: amounts } };
    await nodes.status.patch({ name: NODE }, { type: 'merge', body });
  }

  /** A node that is not heard of for a while is taken for dead, and its pods with it. */
  async #beat(): Promise<void> {
    const now = new Date().toISOString();
    const ready = { type: 'Ready', status: 'True', reason: 'Beating', message: '', lastHeartbeatTime: now };
    const body = { status: { conditions: [{ ...ready, lastTransitionTime: now }] } };
    await this.#options.client.resource(kinds.nodes).status.patch({ name: NODE }, { type: 'merge', body });
  }

  async #again(everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // What did not work now, because an object is not there yet or the server is busy, works the next time.
      await work().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  async #look(): Promise<void> {
    const { client, namespace } = this.#options;
    const { items } = await client.resource<Pod>(kinds.pods).list({ namespace });
    const mine = items.filter(({ spec }) => spec.nodeName === NODE);
    await Promise.all(mine.map((pod) => (pod.metadata.deletionTimestamp ? this.#finish(pod) : this.#keep(pod))));
    const gone = [...this.#processes].filter(([uid]) => !mine.some(({ metadata }) => metadata.uid === uid));
    await Promise.all(gone.map(([, process]) => process.end()));
    for (const [uid] of gone) this.#processes.delete(uid);
  }

  async #keep(pod: Pod): Promise<void> {
    const { client, namespace, directory, portsOf, ...homes } = this.#options;
    const { name = '', uid = '', labels = {} } = pod.metadata;
    let process = this.#processes.get(uid);
    if (process === undefined) {
      const configMap = pod.spec.volumes?.find((volume) => volume.configMap)?.configMap?.name ?? '';
      const { data } = await client.resource(kinds.configMaps).get({ namespace, name: configMap });
      const files = data as Readonly<Record<string, string>>;
      const ports = await portsOf(labels.app ?? '');
      const [container] = pod.spec.containers;
      process = new FlinkProcess({
        ...homes,
        args: container?.args ?? [],
        files,
        ports,
        directory: join(directory, name),
      });
      this.#processes.set(uid, process);
    }
    const isReady = await process.isReady();
    if (isReady === this.#isSaidReady(pod)) return;
    await client
      .resource(kinds.pods)
      .status.patch({ namespace, name }, { type: 'merge', body: statusOf(pod, isReady) });
  }

  #isSaidReady({ status }: Pod): boolean {
    const { conditions = [] } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] };
    return conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  }

  async #finish({ metadata: { name = '', uid = '' } }: Pod): Promise<void> {
    const { client, namespace } = this.#options;
    await this.#processes.get(uid)?.end();
    this.#processes.delete(uid);
    await client.resource(kinds.pods).delete({ namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } });
  }
}

function statusOf({ spec }: Pod, ready: boolean): object {
  const status = ready ? 'True' : 'False';
  const now = new Date().toISOString();
  return {
    status: {
      phase: 'Running',
      podIP: '127.0.0.1',
      podIPs: [{ ip: '127.0.0.1' }],
      startTime: now,
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: type.endsWith('Ready') ? status : 'True',
        lastTransitionTime: now,
      })),
      containerStatuses: spec.containers.map(({ name, image }) => ({
        name,
        image,
        imageID: '',
        ready,
        started: ready,
        restartCount: 0,
        state: { running: { startedAt: now } },
      })),
    },
  };
}
