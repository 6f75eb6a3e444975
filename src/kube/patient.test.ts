import { expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import { patient } from './patient.ts';
import type { Response, Transport } from './transport.ts';

const answer = (status: number, headers: Record<string, string> = {}): Response => ({
  status,
  headers,
  body: (async function* () {
    yield new TextEncoder().encode('{}');
  })(),
});

/** Answers in this order, the last one again and again, and notes when it was asked. */
function answering(clock: VirtualClock, ...answers: readonly (() => Response)[]): Transport & { asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    request: () => {
      asked.push(clock.monotonic());
      const give = answers[Math.min(asked.length, answers.length) - 1] ?? (() => answer(500));
      return Promise.resolve(give());
    },
    connect: () => Promise.reject(new Error('nobody connects')),
    close: () => Promise.resolve(),
  };
}

const get = { method: 'GET', path: '/api' } as const;

it('asks again when the server said, and gives the answer', async () => {
  const clock = new VirtualClock();
  const server = answering(
    clock,
    () => answer(429, { 'retry-after': '1' }),
    () => answer(429),
    () => answer(200),
  );
  const asking = patient(server, clock).request(get);
  await clock.advance(2_000);
  expect((await asking).status).toBe(200);
  expect(server.asked.map((at) => at - (server.asked[0] ?? 0))).toEqual([0, 1_000, 1_200]);
});

it('gives up in the end, and never repeats what was answered', async () => {
  const clock = new VirtualClock();
  const busy = answering(clock, () => answer(429));
  const asking = patient(busy, clock).request(get);
  await clock.advance(60_000);
  expect((await asking).status).toBe(429);
  expect(busy.asked).toHaveLength(10);

  const broken = answering(clock, () => answer(503, { 'retry-after': '1' }));
  expect((await patient(broken, clock).request(get)).status).toBe(503);
  expect(broken.asked).toHaveLength(1);
});

it('stops waiting when it is told to', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const asking = patient(
    answering(clock, () => answer(429)),
    clock,
  ).request({ ...get, signal: stop.signal });
  const failed = expect(asking).rejects.toMatchObject({ kind: 'aborted' });
  await clock.advance(100);
  stop.abort();
  await failed;
});
