import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { namespace } from '../kudo/package.ts';
import type { World } from '../kudo/world.ts';
import type { DashboardOperator } from './operator.ts';
import { Visitor } from './visitor.ts';

/** What a change leads to is over by then. */
const quietMs = 40;
const settleMs = 500;
const patienceMs = 30_000;
const name = 'ledger-0';

/**
 * From the moment a status is sent until a bare watch shows it, and until an open dashboard is told of it. Both look at the
 * same change, so the ratio is of the two times of one change.
 */
export async function measureStream(
  world: World,
  operator: DashboardOperator,
  token: string,
  { changes, progress }: { readonly changes: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<Row> {
  await using visitor = await Visitor.login(operator.url, token);
  const waits = new Map<string, () => void>();
  const arrived = (text: string, by: string): void => {
    const word = /mark-\d+-mark/.exec(text)?.[0];
    if (word !== undefined) waits.get(`${word} ${by}`)?.();
  };
  await visitor.open((event, data) => event === 'changed' && arrived(data, 'stream'));
  const stop = new AbortController();
  const { metadata } = await world.client.resource(instance.type).get({ namespace, name });
  const from = { namespace, resourceVersion: metadata.resourceVersion ?? '', signal: stop.signal };
  const watching = (async () => {
    for await (const { object } of world.client.resource(instance.type).watch(from)) {
      arrived(JSON.stringify(object), 'watch');
    }
  })().catch((error) => (stop.signal.aborted ? undefined : Promise.reject(error)));
  const object = `/apis/${instance.apiVersion}/namespaces/${namespace}/instances/${name}`;
  // The operator must not write over what is told here before it was told.
  await world.wire.merge(object, { metadata: { annotations: { 'cutover.dev/paused': 'true' } } });
  const [ended] = (await world.wire.get<Instance>(object)).status?.history ?? [];
  await delay(settleMs);
  const took: { readonly stream: number; readonly watch: number }[] = [];
  const warmUps = Math.min(20, changes);
  for (let round = 0; round < warmUps + changes; round++) {
    const word = `mark-${round}-mark`;
    const begin = performance.now();
    const until = (by: string): Promise<number> =>
      new Promise((resolve) => {
        waits.set(`${word} ${by}`, () => {
          waits.delete(`${word} ${by}`);
          resolve(performance.now() - begin);
        });
      });
    const both = Promise.all([until('stream'), until('watch')]);
    await world.wire.merge(`${object}/status`, { status: { history: [{ ...ended, plan: word }] } });
    const [stream, watch] = await within(patienceMs, both, `${word} was never told`);
    if (round >= warmUps) took.push({ stream, watch });
    await delay(quietMs);
  }
  stop.abort();
  await watching;
  const ratio = median(took.map(({ stream, watch }) => stream / watch));
  const [ours, bare] = [median(took.map(({ stream }) => stream)), median(took.map(({ watch }) => watch))];
  progress(`a changed status: told after ${ours.toFixed(1)} ms, seen by a watch after ${bare.toFixed(1)} ms`);
  return ratioRow(
    { metric: 'a changed status is told to an open dashboard, p50', unit: 'ms', ours },
    { name: 'a bare watch', value: bare, ratio },
    { most: 5 },
  );
}

async function within<T>(ms: number, promise: Promise<T>, otherwise: string): Promise<T> {
  const late = delay(ms, undefined, { ref: false }).then(() => Promise.reject(new Error(otherwise)));
  return Promise.race([promise, late]);
}
