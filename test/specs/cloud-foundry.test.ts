import { it } from 'vitest';
import { cloudFoundryGrounds, openCloudFoundry } from './cloud-foundry-grounds.ts';
import { formOf } from './form.ts';
import { fuzzGrounds } from './fuzz-grounds.ts';

it('whatever is written in a spec of Cloud Foundry becomes true, is refused or is told, and can be taken back', {
  timeout: 4 * 3_600_000,
}, async () => {
  const form = formOf({ lanes: 8, most: 6, chains: 0 });
  await using stage = await openCloudFoundry();
  await fuzzGrounds('cloudfoundry', stage, cloudFoundryGrounds(stage, form.lanes), form);
});
