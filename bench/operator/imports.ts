import { Agent } from 'node:https';
import { pino, stdTimeFunctions } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { parse } from 'yaml';
import { z } from 'zod';

/** The floor: what the idle operator imports from others, and nothing done with it. */
const held = [Agent, pino, stdTimeFunctions, Counter, collectDefaultMetrics, Gauge, Histogram, Registry, parse, z];

// Held until the end, or the bundler would leave out what nobody uses.
process.on('SIGTERM', () => process.exit(held.length > 0 ? 0 : 1));
setInterval(() => {}, 1 << 30);
console.log('ready');
