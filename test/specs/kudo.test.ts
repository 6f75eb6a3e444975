import { it } from 'vitest';
import { formOf } from './form.ts';
import { fuzzGrounds } from './fuzz-grounds.ts';
import { kudoGrounds, openKudo } from './kudo-grounds.ts';

it('whatever is written in a spec of KUDO becomes true, is refused or is told, and can be taken back', {
  timeout: 4 * 3_600_000,
}, async () => {
  const form = formOf({ lanes: 8, most: 24, chains: 0 });
  await using stage = await openKudo();
  await fuzzGrounds('kudo', stage, kudoGrounds(stage, form.lanes), form);
});
