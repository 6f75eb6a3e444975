import 'commander';
import 'pino';
import 'prom-client';
import 'rfc6902';
import 'yaml';
import 'zod';
import 'node:https';

/** The floor: the operator's dependencies, imported and otherwise left alone. */
console.log('ready');
process.on('SIGTERM', () => process.exit());
setInterval(() => {}, 1 << 30);
