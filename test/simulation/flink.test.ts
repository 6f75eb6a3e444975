import { expect, it } from 'vitest';
import { flink } from './flink/flink.ts';
import { simulation } from './suite.ts';

/** A run of the operator for Flink takes half a second, and there are thousands: a few of them by default. */
const { reference, mustHold, limit, replaying } = simulation(flink, { stride: 1499, seeds: 1 });

it.runIf(!replaying)('a namespace goes while a deletion in it is about to record its savepoint', limit, async () => {
  const { calls } = await reference('deletion', 1);
  const record = calls.findIndex((call) => /^POST .*\/flinkstatesnapshots\?/.test(call));
  expect(record).toBeGreaterThan(0);
  const acts = { [record + 1]: 'delete the namespace' };
  await mustHold({ subject: 'flink', workload: 'deletion', seed: 1, faults: {}, acts });
});
