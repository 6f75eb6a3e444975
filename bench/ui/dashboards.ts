import { setTimeout as delay } from 'node:timers/promises';
import type { BenchmarkOptions, Row } from '../benchmark.ts';
import { megabytes } from '../kudo/manager.ts';
import type { DashboardOperator } from './operator.ts';
import { Visitor } from './visitor.ts';

const mostMegabytes = 50;
/** Garbage of what went before is collected by then. */
const settleMs = 3_000;

/** What people cost who have the dashboard open and look at it. */
export async function measureDashboards(
  operator: DashboardOperator,
  token: string,
  {
    dashboards,
    idleMs,
    progress,
  }: { readonly dashboards: number; readonly idleMs: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  await delay(Math.min(settleMs, idleMs));
  const before = megabytes(operator.cost());
  const visitors: Visitor[] = [];
  for (let count = 0; count < dashboards; count++) {
    const visitor = await Visitor.login(operator.url, token);
    await visitor.open();
    visitors.push(visitor);
  }
  const asked = await operator.requests();
  await delay(idleMs);
  const [more, requests] = [megabytes(operator.cost()) - before, (await operator.requests()) - asked];
  await Promise.all(visitors.map((visitor) => visitor[Symbol.asyncDispose]()));
  progress(`${dashboards} open dashboards: ${more.toFixed(0)} MB, ${requests} requests to the API server`);
  const alone = { peer: null, peerName: null, ratio: null };
  const what = `${dashboards} open dashboards`;
  return [
    {
      metric: `memory for ${what}`,
      unit: 'MB',
      ours: more,
      ...alone,
      goal: `≤ ${mostMegabytes}`,
      holds: more <= mostMegabytes,
    },
    {
      metric: `API requests of ${what} in ${idleMs / 1000} s after login`,
      unit: '',
      ours: requests,
      ...alone,
      goal: '0',
      holds: requests === 0,
    },
  ];
}
