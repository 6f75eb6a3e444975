import { describe, expect, it } from 'vitest';
import type { RestoreMode, Transition } from '../resources/transition.ts';
import { validateDeployment } from './deployment.ts';
import { deployment, edited, operator } from './example.fixture.ts';

const recorded = deployment.spec;

describe('a change of the version', () => {
  const lastState = {
    'spec.flinkConfiguration[state.checkpoints.dir]': 's3://b/cp',
    'spec.flinkConfiguration[state.savepoints.dir]': 's3://b/sp',
    'spec.job.upgradeMode': 'last-state',
    'spec.flinkVersion': 'v2_0',
  };

  it('is refused while only the metadata of Flink tells where the state is, not once a path is known', () => {
    const judged = (mode: RestoreMode) => {
      const transition = { phase: 'clearing', stop: { mode: 'none' }, restore: { mode } } as Transition;
      return validateDeployment(edited(deployment, lastState), { operator, recorded, transition });
    };
    expect(judged('last-state').map(({ rule }) => rule)).toEqual(['flink-version-after-last-state']);
    expect(judged('savepoint')).toEqual([]);
  });

  it('of a job that runs is left to the upgrade', () => {
    expect(validateDeployment(edited(deployment, lastState), { operator, recorded })).toEqual([]);
  });
});
