import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Benchmark, median, type Row, ratioRow } from './benchmark.ts';
import { Floor, type Rest } from './flink/floor.ts';
import { workers } from './flink/operator-parts.ts';
import { type Subject, startOurs, startPeer } from './flink/subject.ts';
import { World } from './flink/world.ts';

interface Sizes {
  readonly single: number;
  readonly burst: number;
  readonly restMs: number;
}

/** What one operator, or the floor, needs. */
interface Figures {
  readonly singleMs: number;
  readonly burstMs: number;
}

/** What only an operator has. */
interface OperatorFigures extends Figures {
  readonly idleMiB: number;
  readonly burstCpuSeconds: number;
  readonly peakMiB: number;
  readonly restWrites: number | undefined;
  readonly restCores: number;
}

/** Created one after the other, so that nothing waits for anything else; created all at once, so that everything does. */
export const flink: Benchmark = {
  name: 'flink',
  about:
    'FlinkDeployments become JobManager Deployments on a real API server with simulated nodes; the floor sends the same writes bare',
  async run({ peer, smoke, progress }) {
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const sizes = smoke ? { single: 3, burst: 20, restMs: 3_000 } : { single: 30, burst: 1_000, restMs: 120_000 };
    progress('the floor');
    const floor = await measureFloor(sizes, progress);
    progress('ours');
    const ours = await measure(startOurs, sizes, progress);
    if (peer) progress(peer);
    const theirs = peer ? await measure((world) => startPeer(peer, world), sizes, progress) : undefined;
    return rows(ours, floor, theirs, sizes);
  },
};

function rows(ours: OperatorFigures, floor: Figures, theirs: OperatorFigures | undefined, { burst }: Sizes): Row[] {
  const againstFloor = (metric: string, figure: keyof Figures, most: number): Row =>
    ratioRow(
      { metric, unit: 'ms', ours: ours[figure] },
      { name: 'the same writes, bare', value: floor[figure] },
      { most },
    );
  const againstPeer = (metric: string, unit: string, figure: keyof OperatorFigures, most: number): Row => {
    const value = theirs?.[figure];
    const peer = value === undefined ? undefined : { name: 'the other operator', value };
    return ratioRow({ metric, unit, ours: ours[figure] ?? Number.NaN }, peer, { most });
  };
  const bound = (metric: string, unit: string, value: number, most: number): Row => ({
    metric,
    unit,
    ours: value,
    peer: null,
    peerName: null,
    ratio: null,
    goal: `≤ ${most} ${unit}`,
    holds: value <= most,
  });
  return [
    againstFloor('one at a time, p50', 'singleMs', 2.5),
    againstPeer('one at a time, p50', 'ms', 'singleMs', 0.15),
    againstFloor(`${burst} at once, all deployed`, 'burstMs', 2),
    againstPeer(`${burst} at once, all deployed`, 'ms', 'burstMs', 0.15),
    againstPeer(`${burst} at once, CPU`, 's', 'burstCpuSeconds', 0.15),
    againstPeer(`${burst} at once, peak memory`, 'MiB', 'peakMiB', 0.12),
    againstPeer('idle, resident memory', 'MiB', 'idleMiB', 1),
    bound('at rest, writes', 'requests', ours.restWrites ?? Number.NaN, 0),
    bound('at rest, CPU', 'cores', ours.restCores, 0.02),
  ];
}

type Progress = (line: string) => void;

async function measure(
  start: (world: World) => Promise<Subject>,
  sizes: Sizes,
  progress: Progress,
): Promise<OperatorFigures> {
  await using world = await World.open();
  await using subject = await start(world);
  // Until it has deployed something it may not even have started to watch.
  await world.create('warm-up');
  await world.deployed(['warm-up']);
  await delay(2_000);
  const idleMiB = subject.cost().residentMiB;
  const singleMs = await single(world, sizes.single, async () => async () => {});
  progress(`one at a time: ${Math.round(singleMs)} ms; ${sizes.burst} at once`);
  const before = subject.cost().cpuSeconds;
  const burstMs = await burst(world, sizes.burst, () => {});
  const burstCpuSeconds = subject.cost().cpuSeconds - before;
  progress(`${Math.round(burstMs)} ms, ${burstCpuSeconds} CPU seconds; until all are stable`);
  await world.stable();
  const peakMiB = subject.peakMiB();
  progress(`at rest for ${sizes.restMs / 1000} s`);
  // The last statuses and events are on their way.
  await delay(Math.min(sizes.restMs, 20_000));
  const [writes, cpu, began] = [await subject.writes(), subject.cost().cpuSeconds, performance.now()];
  await delay(sizes.restMs);
  const seconds = (performance.now() - began) / 1000;
  const after = await subject.writes();
  return {
    singleMs,
    burstMs,
    idleMiB,
    burstCpuSeconds,
    peakMiB,
    restWrites: writes === undefined || after === undefined ? undefined : after - writes,
    restCores: (subject.cost().cpuSeconds - cpu) / seconds,
  };
}

async function measureFloor(sizes: Sizes, progress: Progress): Promise<Figures> {
  await using world = await World.open();
  const floor = await Floor.record(world);
  const singleMs = await single(world, sizes.single, (created) => floor.deploy(created));
  progress(`one at a time: ${Math.round(singleMs)} ms; ${sizes.burst} at once`);
  // As many at a time as the operator has workers; what brings a Deployment goes before what can wait.
  const urgent: Rest[] = [];
  const later: Rest[] = [];
  const working: Promise<void>[] = [];
  let busy = 0;
  const work = async (): Promise<void> => {
    busy += 1;
    for (let next = urgent.shift() ?? later.shift(); next; next = urgent.shift() ?? later.shift()) await next();
    busy -= 1;
  };
  const burstMs = await burst(world, sizes.burst, (created) => {
    urgent.push(async () => void later.push(await floor.deploy(created)));
    if (busy < workers) working.push(work());
  });
  later.length = 0;
  await Promise.all(working);
  return { singleMs, burstMs };
}

type Created = Awaited<ReturnType<World['create']>>;

/** By then all that follows from a Deployment is over: its pods are ready, and its resource says so. */
const settleMs = 500;

/**
 * Milliseconds from the answer to the creation until the Deployment is seen; the middle of `count`, one after the other.
 * What follows from one Deployment keeps the same two or three processors busy: the next waits until that is over.
 */
async function single(world: World, count: number, then: (created: Created) => Promise<Rest>): Promise<number> {
  const took: number[] = [];
  for (let index = 0; index < count; index++) {
    const created = await world.create(`single-${index}`);
    const began = performance.now();
    const rest = await then(created);
    took.push((await world.deployed([`single-${index}`])) - began);
    await Promise.all([rest(), delay(settleMs)]);
  }
  return median(took);
}

/** Milliseconds from the first creation until the last Deployment is seen, when all are created at once. */
async function burst(world: World, count: number, then: (created: Created) => void): Promise<number> {
  const names = Array.from({ length: count }, (_, index) => `burst-${index}`);
  const began = performance.now();
  let at = 0;
  const person = async (): Promise<void> => {
    for (let name = names[at++]; name !== undefined; name = names[at++]) then(await world.create(name));
  };
  await Promise.all(Array.from({ length: 16 }, person));
  return (await world.deployed(names)) - began;
}
