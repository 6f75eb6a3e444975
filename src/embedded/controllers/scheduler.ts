import type { Node } from '../kinds/objects/cluster.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { PersistentVolumeClaim } from '../kinds/objects/storage.ts';
import { amountOf } from '../kinds/quantity.ts';
import { claims, nodes, pods } from '../kinds/resource-types.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import { withCondition } from './condition.ts';
import { type Controller, keyOf, type Source } from './loop.ts';
import { hasEnded } from './pods.ts';
import { recorder } from './recorder.ts';
import { refusalOf, requestOf } from './scheduling.ts';
import { writeStatus } from './write-status.ts';

/** Gives every pod without a node the emptiest one that takes it, or says why none does. */
export function scheduler(world: World): Controller {
  const tell = recorder(world, { component: 'default-scheduler' });
  return {
    name: 'scheduler',
    sources: [unplaced(world)(pods), unplaced(world)(nodes), unplaced(world)(claims)],
    async reconcile({ namespace, name }) {
      const pod = world.get<Pod>(pods, namespace, name);
      if (!pod || !needsNode(pod)) return undefined;
      const claim = unboundClaim(world, pod);
      const found = claim ? { refusal: claim } : place(world, pod);
      if ('node' in found) {
        await world.bind(pod, found.node);
        tell(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${found.node}`);
        return undefined;
      }
      const conditions = withCondition(pod.status?.conditions, {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: timestamp(world.clock.now()),
        reason: 'Unschedulable',
        message: found.refusal,
        observedGeneration: pod.metadata.generation ?? 0,
      });
      const before = pod.status;
      const after = await writeStatus(world, pods, pod, { ...before, conditions });
      if (after !== pod) tell(pod, 'Warning', 'FailedScheduling', found.refusal);
      return undefined;
    },
  };
}

function needsNode(pod: Pod): boolean {
  const { nodeName, schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec;
  const ours = schedulerName === 'default-scheduler' && schedulingGates.length === 0;
  return !nodeName && ours && !pod.metadata.deletionTimestamp && !hasEnded(pod);
}

/** A new pod concerns itself; any other change may make room for whoever waits. */
const unplaced =
  (world: World) =>
  (type: Source['type']): Source => ({
    type,
    *keys({ before, after }) {
      if (type === pods && after && needsNode(after as unknown as Pod)) {
        yield keyOf(after);
        return;
      }
      const ended = type === pods && (!after || hasEnded(after as unknown as Pod)) && before;
      if (type === pods && !ended) return;
      for (const pod of world.list<Pod>(pods)) if (needsNode(pod)) yield keyOf(pod);
    },
  });

function unboundClaim(world: World, pod: Pod): string | undefined {
  for (const { persistentVolumeClaim: source } of pod.spec.volumes ?? []) {
    if (!source) continue;
    const claim = world.get<PersistentVolumeClaim>(claims, pod.metadata.namespace, source.claimName);
    const total = world.list<Node>(nodes).length;
    if (!claim)
      return `0/${total} nodes are available: persistentvolumeclaim "${source.claimName}" not found. not found`;
    if (claim.status?.phase !== 'Bound') {
      return `0/${total} nodes are available: pod has unbound immediate PersistentVolumeClaims. not found`;
    }
  }
  return undefined;
}

/** The node with the smallest share of its CPU and memory asked for, then with the fewest pods, then by name. */
function place(world: World, pod: Pod): { readonly node: string } | { readonly refusal: string } {
  const all = world.list<Node>(nodes);
  const placed = world.list<Pod>(pods).filter((one) => one.spec.nodeName && !hasEnded(one));
  const refusals = new Map<string, number>();
  let best: { readonly name: string; readonly load: number; readonly count: number } | undefined;
  for (const node of all) {
    const here = placed.filter((one) => one.spec.nodeName === node.metadata.name);
    const refusal = refusalOf(pod, node, here);
    if (refusal) {
      refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
      continue;
    }
    const load = loadOf(node, here);
    const better = !best || load < best.load || (load === best.load && here.length < best.count);
    if (better) best = { name: node.metadata.name ?? '', load, count: here.length };
  }
  if (best) return { node: best.name };
  if (all.length === 0) return { refusal: 'no nodes available to schedule pods' };
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort();
  return {
    refusal: `0/${all.length} nodes are available: ${reasons.join(', ')}. preemption: 0/${all.length} nodes are available: ${all.length} Preemption is not helpful for scheduling.`,
  };
}

function loadOf(node: Node, here: readonly Pod[]): number {
  return ['cpu', 'memory'].reduce((sum, name) => {
    const used = here.reduce((total, pod) => total + requestOf(pod, name), 0);
    const room = requestable(node, name);
    return sum + (room > 0 ? used / room : 0);
  }, 0);
}

const requestable = (node: Node, name: string): number => amount(node.status?.allocatable?.[name]);
const amount = (text: string | undefined): number => (text === undefined ? 0 : (amountOf(text) ?? 0));
