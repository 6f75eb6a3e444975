import { setTimeout as delay } from 'node:timers/promises';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import type { Bare } from './bare.ts';
import { timed, type Wire } from './wire.ts';
import type { World } from './world.ts';

/** One request of the CF API, and the same by hand. */
interface Pair {
  readonly name: string;
  readonly most: number;
  readonly floor: string;
  ours(): Promise<unknown>;
  bare(): Promise<unknown>;
  /** Resolves when all that followed is over, or the next would share the processors with it. */
  settled(): Promise<unknown>;
}

/** The app that is ours to change, and its twin for whoever writes by hand. */
const twins = ['twin-ours', 'twin-bare'] as const;
const sameRequests = 'the same reads and writes, bare';
/** Ours and the floor in turn, the first changing from round to round, so that both meet the same machine. */
export async function measureRequests(
  { world, cf, bare, space }: { readonly world: World; readonly cf: Wire; readonly bare: Bare; readonly space: string },
  { rounds, progress }: { readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const [mine, other] = twins;
  await world.push(space, twins);
  await world.quiet(space, twins);
  const quiet = (): Promise<void> => world.quiet(space, twins);
  const post = (path: string, body?: object): Promise<unknown> => cf.send('POST', path, body);
  const deployment = { strategy: 'rolling', relationships: { app: { data: { guid: mine } } } };
  const stats = `/v3/processes/${processGuid(mine, 'web')}/stats`;
  const writing = { most: 2.5, floor: sameRequests, settled: quiet };
  const pairs: readonly Pair[] = [
    {
      ...writing,
      name: 'POST /v3/deployments',
      ours: () => post('/v3/deployments', deployment),
      bare: () => bare.deploy(other),
    },
    { ...writing, name: 'stop', ours: () => post(`/v3/apps/${mine}/actions/stop`), bare: () => bare.stop(other) },
    { ...writing, name: 'start', ours: () => post(`/v3/apps/${mine}/actions/start`), bare: () => bare.start(other) },
    {
      ...writing,
      name: 'restart',
      ours: () => post(`/v3/apps/${mine}/actions/restart`),
      bare: () => bare.restart(other),
    },
    {
      name: 'stats',
      most: 2,
      floor: 'the same reads, bare',
      ours: () => cf.get(stats),
      bare: () => bare.stats(other),
      settled: () => delay(20),
    },
  ];
  const took = new Map(pairs.map(({ name }) => [name, { ours: [] as number[], bare: [] as number[] }]));
  // The first rounds are for connections, caches and compilers.
  const warmUps = Math.min(3, rounds - 1);
  for (let round = -warmUps; round < rounds; round++) {
    for (const pair of pairs) {
      const sides = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
      for (const side of sides) {
        const ms = await timed(pair[side]);
        if (round >= 0) took.get(pair.name)?.[side].push(ms);
        await pair.settled();
      }
    }
  }
  return pairs.flatMap(({ name, most, floor }) => {
    const { ours = [], bare: theirs = [] } = took.get(name) ?? {};
    const rows = comparison({ name, ours, bare: theirs, floor, most });
    progress(`${name}: ${rows.map((row) => `${row.ours.toFixed(1)} ms (${row.ratio?.toFixed(2)}×)`).join(', ')}`);
    return rows;
  });
}

/**
 * The middle and the slowest one of a hundred. The ratio of the first is the middle of the ratios of two that followed each
 * other; the second has no goal, for it is what else the machine was doing.
 */
export function comparison(sides: {
  readonly name: string;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly floor: string;
  readonly most: number;
}): readonly [Row, Row] {
  const { name, ours, bare, floor, most } = sides;
  const ratio = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  const figure = (metric: string, value: number) => ({ metric: `${name}, ${metric}`, unit: 'ms', ours: value });
  const slowest = ratioRow(figure('p99', p99(ours)), { name: floor, value: p99(bare) }, { most });
  return [
    ratioRow(figure('p50', median(ours)), { name: floor, value: median(bare), ratio }, { most }),
    { ...slowest, goal: '', holds: null },
  ];
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
