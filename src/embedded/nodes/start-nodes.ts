import type { Transport } from '../../kube/transport.ts';
import { recorder } from '../controllers/recorder.ts';
import type { Node } from '../kinds/objects/cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { claims, configMaps, nodes, pods, secrets } from '../kinds/resource-types.ts';
import { FlinkWorld } from '../programs/flink/flink-world.ts';
import type { Program } from '../programs/program.ts';
import { builtInPrograms } from '../programs/programs.ts';
import type { PodRuntime } from '../runtime.ts';
import { StatusError } from '../status-error.ts';
import type { Change, World } from '../world.ts';
import { Addresses } from './addresses.ts';
import type { Host } from './host.ts';
import { addressOf, nodeObject } from './node-object.ts';
import { podRuntime } from './pod-runtime.ts';
import { PodWorker } from './pod-worker.ts';
import { type Timing, usualTiming } from './timing.ts';

export interface NodesOptions {
  /** How many nodes there are. Default 3, named `node-1` and up. */
  readonly count?: number;
  /** What each node offers. Default 8 CPUs and 32Gi. */
  readonly cpu?: string;
  readonly memory?: string;
  /** How long things take. Default: a rollout can be watched. */
  readonly timing?: Timing;
  /** Programs beyond the built-in ones; they are asked first. */
  readonly programs?: readonly Program[];
  /** What the Flink clusters in these pods share: storage, and the record of what they did. Default: an own one. */
  readonly flink?: FlinkWorld;
  /** The API server with the rights of a pod's ServiceAccount, for programs that use it. Default none. */
  readonly apiFor?: (pod: Pod) => Transport | undefined;
  /** The ServiceAccount token that a pod finds mounted. Default: a text that authenticates nobody. */
  readonly tokenFor?: (pod: Pod) => string;
}

/**
 * Starts simulated nodes that run the pods bound to them. Pods that were running in a durable store are taken over as
 * they are; nodes that exist already are left as they are.
 */
export function startNodes(world: World, options: NodesOptions = {}): { readonly runtime: PodRuntime; stop(): void } {
  const hosts = new Map<string, Host>();
  const addresses = new Map<string, Addresses>();
  const workers = new Map<string, PodWorker>();
  const programs = [...(options.programs ?? []), ...builtInPrograms(options.flink ?? new FlinkWorld())];
  const count = options.count ?? 3;
  for (let index = 0; index < count; index++) addHost(`node-${index + 1}`, index);
  let cancelRegistration = (): void => {};
  void register();

  function addHost(name: string, index: number): void {
    const pool = new Addresses(index);
    addresses.set(name, pool);
    hosts.set(name, {
      world,
      nodeName: name,
      address: addressOf(index),
      timing: options.timing ?? usualTiming,
      programs,
      images: new Set(),
      tell: recorder(world, { component: 'kubelet', host: name }),
      takeAddress: () => pool.take(),
      returnAddress: (address) => pool.giveBack(address),
      apiFor: options.apiFor ?? (() => undefined),
      tokenFor: options.tokenFor ?? ((pod) => `embedded:${pod.metadata.namespace}:${pod.spec.serviceAccountName}`),
    });
  }

  async function register(): Promise<void> {
    for (let index = 0; index < count; index++) {
      const name = `node-${index + 1}`;
      if (world.get<Node>(nodes, undefined, name)) continue;
      const { cpu = '8', memory = '32Gi' } = options;
      const spec = { name, index, cpu, memory, pods: 110, labels: {} };
      try {
        await world.create(nodes, nodeObject(spec, world.clock.now()));
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        cancelRegistration = world.clock.after(1000, () => void register());
        return;
      }
    }
  }

  function podChanged({ before, after }: Pick<Change<Pod>, 'before' | 'after'>): void {
    const uid = (after ?? before)?.metadata.uid ?? '';
    const worker = workers.get(uid);
    const gone = before && (!after || after.metadata.uid !== before.metadata.uid);
    if (gone) {
      workers.get(before.metadata.uid ?? '')?.abandon();
      workers.delete(before.metadata.uid ?? '');
    }
    if (!after) return;
    if (worker) {
      worker.update(after);
      return;
    }
    const host = hosts.get(after.spec.nodeName ?? '');
    if (!host) return;
    if (after.status?.podIP) addresses.get(host.nodeName)?.mark(after.status.podIP);
    const fresh = new PodWorker(host, after);
    workers.set(uid, fresh);
    fresh.start();
  }

  const surroundingsChanged = ({ before, after }: Change): void => {
    const namespace = (after ?? before)?.metadata.namespace;
    for (const worker of workers.values()) {
      if (worker.pod().metadata.namespace === namespace) worker.surroundingsChanged();
    }
  };

  const stops = [
    world.watch<Pod>(pods, podChanged),
    ...[configMaps, secrets, claims].map((type) => world.watch(type, surroundingsChanged)),
  ];
  for (const pod of world.list<Pod>(pods)) podChanged({ before: undefined, after: pod });

  return {
    runtime: podRuntime(world, (pod) => workers.get(pod.metadata.uid ?? '')),
    stop() {
      cancelRegistration();
      for (const stop of stops) stop();
      for (const worker of workers.values()) worker.abandon();
      workers.clear();
    },
  };
}
