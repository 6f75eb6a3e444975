import { Environment } from '@marcbachmann/cel-js';
import { registerLists } from './lists.ts';
import { registerNetwork } from './network.ts';
import { registerQuantity } from './quantity.ts';
import { registerStrings } from './strings.ts';

let base: Environment | undefined;

/**
 * A new environment with the functions that Kubernetes adds to CEL: lists, sets, strings, regular expressions, URLs,
 * addresses and quantities. A rule that uses one it lacks does not compile, so its definition is refused.
 */
export function baseEnvironment(): Environment {
  base ??= build();
  return base.clone();
}

function build(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    // `format` takes lists of mixed values.
    homogeneousAggregateLiterals: false,
    limits: { maxListElements: 10_000, maxMapEntries: 10_000 },
  });
  registerLists(environment);
  registerStrings(environment);
  registerNetwork(environment);
  registerQuantity(environment);
  return environment;
}
