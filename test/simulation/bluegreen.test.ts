import { blueGreen } from './subjects.ts';
import { simulation } from './suite.ts';

simulation(blueGreen, { stride: 8999, seeds: 0 });
