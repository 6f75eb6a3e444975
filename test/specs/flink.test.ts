import { it } from 'vitest';
import { flinkGrounds, openFlink } from './flink-grounds.ts';
import { formOf } from './form.ts';
import { fuzzGrounds } from './fuzz-grounds.ts';

it('whatever is written in a spec of Flink becomes true, is refused or is told, and can be taken back', {
  timeout: 4 * 3_600_000,
}, async () => {
  const form = formOf({ lanes: 14, most: 1, chains: 0 });
  const { stage, ...savepoints } = await openFlink();
  await using _ = stage;
  await fuzzGrounds('flink', stage, await flinkGrounds({ stage, ...savepoints, lanes: form.lanes }), form);
});
