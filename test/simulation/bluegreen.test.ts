import { blueGreenWorkloads } from './bluegreen/workloads.ts';
import { flinkSubject } from './flink/flink.ts';
import { simulation } from './suite.ts';

simulation(flinkSubject('bluegreen', blueGreenWorkloads), { stride: 1499, seeds: 1 });
