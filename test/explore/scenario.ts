import type { FlinkBlueGreenDeploymentSpec } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import type { UpgradeMode } from '../../src/flink/resources/job-spec.ts';
import type { Decider } from './decider.ts';
import { type Explored, explore, type Limits } from './explore.ts';
import { type EditName, usersIngress } from './world/edits.ts';
import { calmMove, type Setting } from './world/moves.ts';
import { type Budget, newWorld, type World } from './world/world.ts';

/** A part of what may happen, small enough to be looked at whole. */
export interface Scenario {
  readonly name: string;
  /** What people may do, in any order, as often as the budget allows. */
  readonly edits: readonly EditName[];
  readonly budget: Partial<Budget>;
  /** Begins before anything is deployed; otherwise when blue serves. */
  readonly fromTheStart?: boolean;
  readonly upgradeMode?: UpgradeMode;
  /** Without an Ingress, external routing follows the status. */
  readonly ingress?: boolean;
  /** Keys below `kubernetes.operator.bluegreen.` */
  readonly configuration?: Readonly<Record<string, string>>;
}

const nothing: Budget = { edits: 0, crashes: 0, lost: 0, late: 0, stale: 0, failures: 0, slow: 0 };
const unlimited: Limits = { firstOnly: false, most: Number.POSITIVE_INFINITY };

export function exploreScenario(scenario: Scenario, decide: Decider, limits: Partial<Limits> = {}): Explored {
  const first = specOf(scenario);
  const setting: Setting = {
    decide,
    edits: scenario.edits,
    first,
  };
  const start = newWorld(first, { ...nothing, ...scenario.budget });
  return explore(scenario.fromTheStart ? start : atRest(start, setting), setting, { ...unlimited, ...limits });
}

/** Where a world ends up if nothing goes wrong and nobody wants anything. */
function atRest(start: World, setting: Setting): World {
  let world = start;
  for (let step = 0; step < 100; step++) {
    const move = calmMove(world, setting);
    if (!move) return world;
    world = move.world;
  }
  return world;
}

function specOf({
  upgradeMode = 'savepoint',
  ingress = true,
  configuration = {},
}: Scenario): FlinkBlueGreenDeploymentSpec {
  const keys = Object.entries(configuration).map(([key, value]) => [`kubernetes.operator.bluegreen.${key}`, value]);
  return {
    configuration: Object.fromEntries(keys),
    ...(ingress && { ingress: usersIngress }),
    template: {
      spec: {
        image: 'flink:1',
        flinkVersion: 'v2_3',
        serviceAccount: 'flink',
        flinkConfiguration: {
          'state.checkpoints.dir': 's3://bucket/checkpoints',
          'state.savepoints.dir': 's3://bucket/savepoints',
        },
        jobManager: { resource: { cpu: 1, memory: '2g' } },
        taskManager: { resource: { cpu: 1, memory: '2g' } },
        job: { jarURI: 'local:///opt/flink/usrlib/job.jar', parallelism: 2, upgradeMode, state: 'running' },
      },
    },
  };
}
