import { cloudFoundry } from './cloudfoundry/cloudfoundry.ts';
import { simulation } from './suite.ts';

simulation(cloudFoundry, { stride: 2999, seeds: 1 });
