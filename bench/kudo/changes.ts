import { setTimeout as delay } from 'node:timers/promises';
import { instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { timed } from '../cloudfoundry/wire.ts';
import { changeBare } from './bare.ts';
import { Follow } from './follow.ts';
import { type Manager, megabytes } from './manager.ts';
import { namespace, parameter } from './package.ts';
import { openPeer, type Peer } from './peer.ts';
import { isAtRest, twinType, type World } from './world.ts';

/** What follows from a change is written by then. */
const quietMs = 10;
/**
 * KUDO's client sends twenty requests a second, after a first thirty, and a change takes it several: without a pause between
 * rounds it would wait for leave to ask rather than for an answer.
 */
const recoveryMs = 1_000;

/** Changes a parameter, and waits until a watch tells that the plan which it ran is complete. */
export async function change(world: World, follow: Follow, value: string): Promise<void> {
  const { metadata, status } = follow.seen;
  const before = status?.planStatus?.deploy?.uid;
  const ended = follow.until((seen) => {
    const plan = seen.status?.planStatus?.deploy;
    return plan?.status === 'COMPLETE' && plan.uid !== before;
  });
  const path = `/apis/${instance.apiVersion}/namespaces/${namespace}/instances/${metadata.name}`;
  await world.wire.merge(path, { spec: { parameters: { [parameter]: value } } });
  await ended;
}

/** Resolves when all that a change leads to is over, or the next would share the processors with it. */
export async function settled(follow: Follow): Promise<void> {
  await follow.until(isAtRest);
  await delay(quietMs);
}

/** Ours, the floor and, if there is one, the peer in turn, the first changing from round to round, so that all meet the same machine. */
export async function measureChanges(
  { world, manager }: { readonly world: World; readonly manager: Manager },
  { rounds, peer: command, progress }: { readonly rounds: number } & Pick<BenchmarkOptions, 'peer' | 'progress'>,
): Promise<readonly Row[]> {
  await using peer = command === undefined ? undefined : await openPeer(command);
  const name = 'changed';
  await world.deploy([name]);
  await using mine = await Follow.start(world.client, instance.type, name);
  await world.twin(mine.seen);
  await using twin = await Follow.start(world.client, twinType, name);
  await peer?.world.deploy([name]);
  await using theirs = peer && (await Follow.start(peer.world.client, instance.type, name));
  const [ours, bare, other] = [[], [], []] as [number[], number[], number[]];
  const sides = [
    { took: ours, run: (value: string) => change(world, mine, value), rest: () => settled(mine) },
    { took: bare, run: (value: string) => changeBare(world, twin, value), rest: () => delay(quietMs) },
    ...(peer && theirs
      ? [{ took: other, run: (value: string) => change(peer.world, theirs, value), rest: () => settled(theirs) }]
      : []),
  ];
  // The first rounds are for connections, caches and compilers.
  const warmUps = Math.min(30, rounds);
  for (let round = 0; round < warmUps + rounds; round++) {
    const first = round % sides.length;
    for (const { took, run, rest } of [...sides.slice(first), ...sides.slice(0, first)]) {
      const ms = await timed(() => run(String(round)));
      if (round >= warmUps) took.push(ms);
      await rest();
    }
    if (peer) await delay(recoveryMs);
  }
  const floor = { name: 'the same writes, bare', took: bare };
  progress(`a change: ${median(ours).toFixed(1)} ms, bare ${median(bare).toFixed(1)} ms`);
  const rows = beside(ours, floor, 2.5);
  if (!peer) return [...rows, ratioRow(middle(ours), undefined, besideKudo), memory(manager)];
  progress(`${peer.name}: ${median(other).toFixed(1)} ms`);
  return [...rows, ...beside(ours, { name: peer.name, took: other }, besideKudo.most), memory(manager, peer)];
}

const metric = 'parameter change → plan COMPLETE';

/** What is wanted beside KUDO's own manager. */
const besideKudo = { most: 0.9 };

function middle(ours: readonly number[]): Pick<Row, 'metric' | 'unit' | 'ours'> {
  return { metric: `${metric}, p50`, unit: 'ms', ours: median(ours) };
}

/** The middle, and the worst, which has no goal. The ratio is the middle of those of the same round. */
function beside(
  ours: readonly number[],
  { name, took }: { readonly name: string; readonly took: readonly number[] },
  most: number,
): readonly Row[] {
  const ratio = median(ours.map((ms, round) => ms / (took[round] ?? Number.NaN)));
  const worst = { metric: `${metric}, worst of ${ours.length}`, unit: 'ms', ours: Math.max(...ours) };
  const slowest = ratioRow(worst, { name, value: Math.max(...took) }, { most });
  return [
    ratioRow(middle(ours), { name, value: median(took), ratio }, { most }),
    { ...slowest, goal: '', holds: null },
  ];
}

function memory(manager: Manager, peer?: Peer): Row {
  const ours = { metric: 'memory after the changes', unit: 'MB', ours: megabytes(manager.cost()) };
  const theirs = peer && { name: peer.name, value: megabytes(peer.cost()) };
  return { ...ratioRow(ours, theirs, { most: 1 }), goal: '', holds: null };
}
