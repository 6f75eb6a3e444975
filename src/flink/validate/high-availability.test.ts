import { describe, expect, it } from 'vitest';
import { validateDeployment } from './deployment.ts';
import { deployment, type Edits, edited, operator, session } from './example.fixture.ts';

const conf = (key: string): string => `spec.flinkConfiguration[${key}]`;
const directories: Edits = {
  [conf('state.checkpoints.dir')]: 's3://b/cp',
  [conf('state.savepoints.dir')]: 's3://b/sp',
};
const rollback: Edits = { [conf('kubernetes.operator.deployment.rollback.enabled')]: 'true' };

const rules = (base: typeof deployment, edits: Edits): string[] =>
  validateDeployment(edited(base, edits), { operator }).map(({ rule }) => rule);

describe('metadata for recovery outside of Kubernetes', () => {
  it.each(['zookeeper', 'ZOOKEEPER', 'com.example.OwnServicesFactory'])('in %s is neither read nor removed', (type) => {
    const elsewhere = { ...directories, [conf('high-availability.type')]: type };
    expect(rules(deployment, { ...elsewhere, 'spec.job.upgradeMode': 'last-state' })).toEqual(['last-state-metadata']);
    expect(rules(deployment, { ...elsewhere, ...rollback })).toEqual(['rollback-metadata']);
    expect(rules(deployment, { ...elsewhere, 'spec.job.upgradeMode': 'savepoint' })).toEqual([]);
    expect(rules(deployment, elsewhere)).toEqual([]);
  });

  it.each(['kubernetes', 'org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory'])(
    'is not meant by %s',
    (type) => {
      const here = { ...directories, ...rollback, [conf('high-availability')]: type };
      expect(rules(deployment, { ...here, 'spec.job.upgradeMode': 'last-state' })).toEqual([]);
    },
  );

  it('does not concern a session cluster, which only Flink itself recovers', () => {
    expect(rules(session, { ...rollback, [conf('high-availability.type')]: 'zookeeper' })).toEqual([]);
  });

  it('concerns redeploy nonces only when they change', () => {
    const zookeeper = edited(deployment, {
      [conf('high-availability.type')]: 'zookeeper',
      'spec.job.statelessRedeployNonce': 4,
    });
    expect(validateDeployment(zookeeper, { operator })).toEqual([]);
    const acted = { operator, recorded: deployment.spec, nonces: { statelessRedeploy: 4 } };
    expect(validateDeployment(zookeeper, acted)).toEqual([]);
    expect(validateDeployment(zookeeper, { ...acted, nonces: {} }).map(({ field }) => field)).toEqual([
      'spec.job.statelessRedeployNonce',
    ]);
  });
});
