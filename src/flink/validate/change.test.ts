import { describe, expect, it } from 'vitest';
import { type DeploymentContext, validateDeployment } from './deployment.ts';
import { deployment, type Edits, edited, operator } from './example.fixture.ts';

const recorded = deployment.spec;

describe('redeploy nonces', () => {
  const nonces = (job: Edits, context: Partial<DeploymentContext>): string[] => {
    const edits = Object.fromEntries(Object.entries(job).map(([name, value]) => [`spec.job.${name}`, value]));
    return validateDeployment(edited(deployment, edits), { operator, ...context }).map(({ rule }) => rule);
  };

  it('are not checked at creation', () => {
    expect(nonces({ savepointRedeployNonce: 1, statelessRedeployNonce: 1 }, {})).toEqual([]);
  });

  it('are compared with the value that was acted upon, not with the recorded spec', () => {
    const acted = { recorded, nonces: { savepointRedeploy: 1 } };
    expect(nonces({ savepointRedeployNonce: 1 }, acted)).toEqual([]);
    expect(nonces({ savepointRedeployNonce: 2 }, acted)).toEqual(['savepoint-redeploy-path']);
  });

  it('of a resource that the Java operator deployed are compared with its recorded spec', () => {
    const taken = { recorded: edited(recorded, { 'job.savepointRedeployNonce': 4 }) };
    expect(nonces({ savepointRedeployNonce: 4 }, taken)).toEqual([]);
    expect(nonces({ savepointRedeployNonce: 5 }, taken)).toEqual(['savepoint-redeploy-path']);
  });

  it('ask for nothing when they are removed', () => {
    const acted = { recorded, nonces: { savepointRedeploy: 1, statelessRedeploy: 1 } };
    expect(nonces({}, acted)).toEqual([]);
  });

  it('need no path to drop the state, and ignore one that is left over', () => {
    expect(nonces({ statelessRedeployNonce: 1 }, { recorded })).toEqual([]);
    expect(nonces({ statelessRedeployNonce: 1, initialSavepointPath: 's3://b/old' }, { recorded })).toEqual([]);
  });

  it('are read from the status when nobody hands them in', () => {
    const status = {
      nonces: { savepointRedeploy: 1 },
      reconciliationStatus: {
        lastReconciledSpec: JSON.stringify({ spec: recorded, resource_metadata: { firstDeployment: false } }),
        state: 'DEPLOYED',
      },
    };
    const edits = { 'spec.job.savepointRedeployNonce': 2, status };
    expect(validateDeployment(edited(deployment, edits), { operator }).map(({ rule }) => rule)).toEqual([
      'savepoint-redeploy-path',
    ]);
  });

  it('may still change in every way while the first deployment has not come about', () => {
    const status = {
      reconciliationStatus: {
        lastReconciledSpec: JSON.stringify({ spec: recorded, resource_metadata: { firstDeployment: true } }),
        state: 'UPGRADING',
      },
    };
    const edits = { 'spec.mode': 'standalone', 'spec.job.savepointRedeployNonce': 2, status };
    expect(validateDeployment(edited(deployment, edits), { operator })).toEqual([]);
  });
});
