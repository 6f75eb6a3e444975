import { cloudFoundry } from './cloudfoundry/cloudfoundry.ts';
import { simulation } from './suite.ts';

/** A run begins with an organization and a space, and takes a second. */
simulation(cloudFoundry, { stride: 5999, seeds: 0 });
