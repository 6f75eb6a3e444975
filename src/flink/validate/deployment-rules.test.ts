import { describe, expect, it } from 'vitest';
import { type DeploymentContext, deploymentRules, validateDeployment } from './deployment.ts';
import { deploymentExamples } from './deployment-examples.fixture.ts';
import { deployment, type Edits, type Example, edited, expectRefusal, operator } from './example.fixture.ts';

function judge(example: Example<DeploymentContext>, edits: Edits) {
  const resource = edited(deployment, { ...example.with, ...edits });
  return validateDeployment(resource, { operator, ...example.context });
}

describe('every rule for a FlinkDeployment', () => {
  it('has an example', () => {
    expect(Object.keys(deploymentExamples)).toEqual(deploymentRules.map(({ rule }) => rule));
  });

  it.each(deploymentRules.map(({ rule, field }) => [rule, field]))(
    '%s refuses with field, value and way out',
    (rule, field) => {
      const example = deploymentExamples[rule] as Example<DeploymentContext>;
      expectRefusal(judge(example, example.refused), rule, example, field);
    },
  );

  it.each(Object.entries(deploymentExamples))('%s accepts what is next to it', (_rule, example) => {
    expect(judge(example, example.accepted)).toEqual([]);
  });
});
