import { kudo } from './kudo/kudo.ts';
import { simulation } from './suite.ts';

simulation(kudo, { stride: 499, seeds: 1 });
