import { setTimeout as delay } from 'node:timers/promises';
import type { BenchmarkOptions, Row } from '../benchmark.ts';
import type { Bare } from './bare.ts';
import { comparison } from './requests.ts';
import { timed, type Wire } from './wire.ts';
import type { World } from './world.ts';

interface Listed {
  readonly pagination: { readonly total_results: number };
}

/** The garbage of a list is collected by then. */
const quietMs = 100;
const floor = 'a bare list of the same objects';

/** All apps of one space, on one page and as the first of many pages, against one list of the same objects. */
export async function measureListing(
  { world, cf, bare, space }: { readonly world: World; readonly cf: Wire; readonly bare: Bare; readonly space: string },
  { count, rounds, progress }: { readonly count: number; readonly rounds: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const names = Array.from({ length: count }, (_, index) => `crowd-${index}`);
  await world.push(space, names, 'STOPPED');
  await world.quiet(space, names.slice(-1));
  progress(`${count} apps are there`);
  const pages = [
    { name: `GET /v3/apps, all ${count} of a space`, path: `/v3/apps?space_guids=${space}&per_page=${count}` },
    { name: `GET /v3/apps, 50 of ${count}`, path: `/v3/apps?space_guids=${space}` },
  ].map((page) => ({ ...page, ours: [] as number[], bare: [] as number[] }));
  for (let round = -2; round < rounds; round++) {
    for (const page of pages) {
      const took = { ours: 0, bare: 0 };
      for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
        await delay(quietMs);
        took[side] = await timed(() => (side === 'ours' ? listed(cf, page.path, count) : bare.apps()));
      }
      if (round < 0) continue;
      page.ours.push(took.ours);
      page.bare.push(took.bare);
    }
  }
  return pages.flatMap((page) => comparison({ ...page, floor, most: 2 }));
}

/** @throws Error when not all are there: it would be fast for the wrong reason */
async function listed(cf: Wire, path: string, count: number): Promise<void> {
  const { pagination } = await cf.get<Listed>(path);
  if (pagination.total_results !== count) throw new Error(`${pagination.total_results} apps are listed of ${count}`);
}
