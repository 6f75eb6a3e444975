import { flink } from './flink/flink.ts';
import { simulation } from './suite.ts';

/** A run of the operator for Flink takes half a second, and there are thousands: a few of them by default. */
simulation(flink, { stride: 1499, seeds: 1 });
