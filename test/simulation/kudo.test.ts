import { kudo } from './kudo/kudo.ts';
import { simulation } from './suite.ts';

simulation(kudo, { stride: 1499, seeds: 1 });
