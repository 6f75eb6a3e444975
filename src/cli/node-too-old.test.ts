import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeTooOld } from './node-too-old.ts';

it.each(['18.20.4', '20.20.2', '23.11.0'])('names what is needed to Node %s', (version) => {
  expect(nodeTooOld(version, packageJson.engines.node)).toContain(`this is Node ${version}, and Node 24 or newer`);
});

it.each(['24.0.0', '24.21.0', '26.1.0', '100.0.0'])('has nothing to say to Node %s', (version) => {
  expect(nodeTooOld(version, packageJson.engines.node)).toBeUndefined();
});
