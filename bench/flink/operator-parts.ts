import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import type { OperatorOptions } from '../../src/control/operator.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { operatorOptions } from '../../src/flink/config/operator-options.ts';
import { flinkControllers } from '../../src/flink/controllers.ts';
import { openWire } from '../../src/flink/ports/open-wire.ts';
import type { Client } from '../../src/kube/client.ts';

/** How many FlinkDeployments the operator works on at once, unless it is configured otherwise. */
export const workers = operatorOptions.reconcileParallelism.otherwise;

/** The Flink controllers as `cutover operator` runs them, with the stub behind all JobManagers. */
export function operatorParts(client: Client, stubPort: number): OperatorOptions['controllers'] {
  const config = defaultOperatorConfig();
  const way = `http://127.0.0.1:${stubPort}/clusters/{namespace}/{name}`;
  const wire = openWire({ way, client, clock: realClock, env: {} });
  return flinkControllers({ client, wire, operator: () => config, clock: realClock, random: realRandom, env: {} });
}
