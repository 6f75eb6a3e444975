import type { Suite } from './suite.ts';
import { alerts } from './suites/alerts.ts';
import { bluegreenKill } from './suites/bluegreen-kill.ts';
import { cloudFoundry, cloudFoundryEmbedded } from './suites/cloudfoundry.ts';
import { conformance } from './suites/conformance.ts';
import { control } from './suites/control.ts';
import { dashboard } from './suites/dashboard.ts';
import { flink } from './suites/flink.ts';
import { flinkBluegreen } from './suites/flink-bluegreen.ts';
import { flinkProcesses } from './suites/flink-processes.ts';
import { install, installed } from './suites/installed.ts';
import { kubectl } from './suites/kubectl.ts';
import { kubectlNode } from './suites/kubectl-node.ts';
import { kudo } from './suites/kudo.ts';
import { node } from './suites/node.ts';
import { processes } from './suites/processes.ts';
import { reflector } from './suites/reflector.ts';
import { templates } from './suites/templates.ts';

/** Every real suite, in the order in which they run. A new one is a file in `suites/` and a line here. */
export const SUITES: readonly Suite[] = [
  conformance,
  kubectl,
  reflector,
  control,
  processes,
  node,
  kubectlNode,
  flink,
  flinkProcesses,
  flinkBluegreen,
  bluegreenKill,
  cloudFoundry,
  cloudFoundryEmbedded,
  templates,
  alerts,
  kudo,
  dashboard,
  install,
  installed,
];

/**
 * The suites of the given names, or all that run without being named.
 *
 * Errors: a name that no suite has.
 */
export function selectSuites(names: readonly string[], suites: readonly Suite[] = SUITES): readonly Suite[] {
  if (names.length === 0) return suites.filter((suite) => !suite.onlyWhenNamed);
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    throw new Error(`no such suite: ${unknown.join(', ')} (there are ${suites.map((suite) => suite.name).join(', ')})`);
  }
  return suites.filter((suite) => names.includes(suite.name));
}
