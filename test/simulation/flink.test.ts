import { flink } from './flink/flink.ts';
import { simulation } from './suite.ts';

/** A run of the operator for Flink takes a good part of a second, and there are thousands: a few of them by default. */
simulation(flink, { stride: 499, seeds: 1 });
