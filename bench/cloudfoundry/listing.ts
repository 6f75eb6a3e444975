import { setTimeout as delay } from 'node:timers/promises';
import type { BenchmarkOptions, Row } from '../benchmark.ts';
import type { Bare } from './bare.ts';
import { comparison } from './requests.ts';
import { timed, type Wire } from './wire.ts';
import type { World } from './world.ts';

interface Listed {
  readonly pagination: { readonly total_results: number };
  readonly resources: readonly unknown[];
}

const floor = 'a bare list of the same objects';

/** All apps of one space, on one page and as the first of many pages, against one list of the same objects. */
export async function measureListing(
  { world, cf, bare, space }: { readonly world: World; readonly cf: Wire; readonly bare: Bare; readonly space: string },
  { count, rounds, progress }: { readonly count: number; readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const names = Array.from({ length: count }, (_, index) => `crowd-${index}`);
  await world.push(space, names, 'STOPPED');
  progress(`${count} apps are there`);
  const pages = [
    { name: `GET /v3/apps, all ${count} of a space`, path: `/v3/apps?space_guids=${space}&per_page=${count}` },
    { name: `GET /v3/apps, 50 of ${count}`, path: `/v3/apps?space_guids=${space}` },
  ].map((page) => ({ ...page, ours: [] as number[], bare: [] as number[] }));
  for (let round = -2; round < rounds; round++) {
    for (const page of pages) {
      await delay(50);
      let answer: Listed | undefined;
      const ms = await timed(async () => {
        answer = await cf.get<Listed>(page.path);
      });
      if (answer?.pagination.total_results !== count) throw new Error(`not all are listed: ${JSON.stringify(answer)}`);
      await delay(50);
      const bareMs = await timed(() => bare.apps());
      if (round < 0) continue;
      page.ours.push(ms);
      page.bare.push(bareMs);
    }
  }
  return pages.flatMap((page) => comparison({ ...page, floor, most: 2 }));
}
