import type { Suite } from '../suite.ts';

/** The real cf CLI drives Cutover: on the real node under load, and on the embedded Kubernetes. */
export const cloudFoundry: Suite = {
  name: 'cloudfoundry',
  parts: ['cf'],
  cluster: { level: 'node' },
  files: ['test/real/cloudfoundry/'],
};

/** The part of it that needs neither root nor a cluster. */
export const cloudFoundryEmbedded: Suite = {
  name: 'cloudfoundry-embedded',
  parts: ['cf'],
  files: ['test/real/cloudfoundry/embedded.test.ts', 'test/real/cloudfoundry/transcript.test.ts'],
  onlyWhenNamed: true,
};
