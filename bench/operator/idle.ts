import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import type { Controller, View } from '../../src/control/controller.ts';
import { createLog } from '../../src/control/log.ts';
import { metered } from '../../src/control/metered.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { runOperator } from '../../src/control/operator.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';

/** The operator with ten watched kinds and nothing to do; says `ready` when it has seen everything. */
const reading = [
  kinds.deployments,
  kinds.replicaSets,
  kinds.statefulSets,
  kinds.pods,
  kinds.services,
  kinds.jobs,
  kinds.endpointSlices,
  kinds.serviceAccounts,
  kinds.namespaces,
];

const access = await findAccess({ env: process.env, clock: realClock });
const metrics = createMetrics({ process: true });
const transport = metered(httpTransport({ ...access, clock: realClock }), metrics, realClock);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
await runOperator({
  client: new Client(transport),
  clock: realClock,
  random: realRandom,
  log: createLog({ level: 'warn' }),
  metrics,
  controllers: {
    idle(caches): Controller {
      const primary = caches.open({ type: kinds.configMaps });
      const reads = reading.map((type) => caches.open({ type }));
      Promise.all([primary, ...reads].map((cache) => cache.synced(stop.signal))).then(() => console.log('ready'));
      return {
        name: 'idle',
        primary,
        reads,
        observe: (_, { now }): View => ({ now }) as View,
        decide: () => ({ actions: [], because: 'there is nothing to do' }),
      };
    },
  },
  signal: stop.signal,
  instance: 'bench',
  lease: { namespace: 'default', name: 'bench' },
  health: { host: '127.0.0.1', port: 0 },
});
transport.close();
