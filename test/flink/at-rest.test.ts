import { expect, it } from 'vitest';
import { application, session, sessionJob } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const hour = 3_600_000;

it('writes nothing at rest, and asks Flink no more than the slow interval allows', async () => {
  await using stage = await FlinkStage.open({ settings: { 'kubernetes.operator.reconcile.interval': '60 s' } });
  stage.start();
  await stage.running(application({ ha: true }));
  await stage.running(application({ name: 'standalone', mode: 'standalone' }));
  await stage.running(session(), 0);
  await stage.running(sessionJob());
  await stage.clock.advance(5 * 60_000);
  stage.writes.length = 0;
  stage.asked.length = 0;
  await stage.clock.advance(3 * hour);
  expect(stage.writes).toEqual([]);
  const changing = stage.asked.filter((request) => !request.startsWith('GET'));
  expect(changing).toEqual([]);
  const looks = new Map<string, number>();
  for (const request of stage.asked) looks.set(request, (looks.get(request) ?? 0) + 1);
  // Once a minute, give or take a tenth.
  expect(Math.max(...looks.values())).toBeLessThanOrEqual((3 * 60) / 0.9 + 1);
});

it('writes nothing when it is started again and nothing has changed', async () => {
  await using stage = await FlinkStage.open();
  const first = stage.start();
  await stage.running(application({ ha: true }));
  await stage.running(session(), 0);
  await stage.running(sessionJob());
  await first.stop();
  // The size of a cluster is no news while it runs; whoever looks anew writes down what it has become.
  const second = stage.start();
  await stage.clock.advance(3_600_000);
  await second.stop();
  stage.writes.length = 0;
  stage.start();
  await stage.clock.advance(3_600_000);
  expect(stage.writes).toEqual([]);
});
