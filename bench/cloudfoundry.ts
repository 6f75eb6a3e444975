import { execFileSync } from 'node:child_process';
import type { Benchmark, BenchmarkOptions, Row } from './benchmark.ts';
import { Bare } from './cloudfoundry/bare.ts';
import { measureListing } from './cloudfoundry/listing.ts';
import { measureMemory } from './cloudfoundry/memory.ts';
import { startOperator } from './cloudfoundry/operator.ts';
import { measurePeer } from './cloudfoundry/peer.ts';
import { measureRequests } from './cloudfoundry/requests.ts';
import { measureRolling } from './cloudfoundry/rolling.ts';
import { Wire } from './cloudfoundry/wire.ts';
import { World } from './cloudfoundry/world.ts';

const small = { requests: 2, listed: 40, lists: 2, instances: 2, rolls: 1, resident: 4, restMs: 300 };
const whole = { requests: 15, listed: 1_000, lists: 15, instances: 10, rolls: 3, resident: 100, restMs: 5_000 };

/** Apps of everyday work, and a space that is crowded: lists of the one do not hold the other. */
const [space, crowd] = ['work', 'crowd'];

/** What a small container takes to be ready. Pods that take no time would compare nothing but who writes less of them. */
const podStartMs = 1_000;

type Progress = BenchmarkOptions['progress'];

/** Ours and the floors in turn, in one run: on another machine both are slower. */
export const cloudfoundry: Benchmark = {
  name: 'cloudfoundry',
  about:
    'the CF API and its controllers on a real API server with simulated nodes; the floors send the same requests bare and roll a copy of the same StatefulSet',
  async run({ peer, smoke, progress }) {
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const sizes = smoke ? small : whole;
    const rows = [...(await everyday(sizes, progress)), await rolling(sizes, progress)];
    return peer ? [...rows, ...(await measurePeer(peer, rows, { rounds: sizes.requests }))] : rows;
  },
};

/** Memory first, while nothing has happened yet; the crowd last. */
async function everyday(sizes: typeof whole, progress: Progress): Promise<readonly Row[]> {
  await using world = await World.open();
  await using operator = await startOperator(world.kubeconfig);
  await world.furnish([space, crowd]);
  using cf = new Wire({ url: operator.url, authorization: world.developer.authorization });
  progress(`memory with ${sizes.resident} apps`);
  const memory = await measureMemory(
    { world, operator, space },
    { apps: sizes.resident, restMs: sizes.restMs, progress },
  );
  progress('requests');
  const work = { world, cf, space, bare: new Bare(world, space) };
  const requests = await measureRequests(work, { rounds: sizes.requests, progress });
  progress(`rolling restarts of ${sizes.instances} instances that start at once`);
  const instant = await measureRolling(work, { instances: sizes.instances, rounds: sizes.rolls, progress });
  progress(`a list of ${sizes.listed} apps`);
  const crowded = { world, cf, space: crowd, bare: new Bare(world, crowd) };
  const listing = await measureListing(crowded, { count: sizes.listed, rounds: sizes.lists, progress });
  const metric = `${instant.metric} that start at once`;
  return [...requests, ...listing, ...memory, { ...instant, metric, goal: '', holds: null }];
}

/** The same where instances take a second to start. */
async function rolling(sizes: typeof whole, progress: Progress): Promise<Row> {
  progress(`rolling restarts of ${sizes.instances} instances that start within ${podStartMs} ms`);
  await using world = await World.open({ podStartMs });
  await using operator = await startOperator(world.kubeconfig);
  await world.furnish([space]);
  using cf = new Wire({ url: operator.url, authorization: world.developer.authorization });
  return await measureRolling({ world, cf, space }, { instances: sizes.instances, rounds: sizes.rolls, progress });
}
