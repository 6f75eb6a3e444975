import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blueGreenChange, isSameTemplate } from './blue-green-change.ts';
import type { FlinkBlueGreenDeploymentSpec } from './flink-blue-green-deployment.ts';
import type { FlinkDeploymentSpec } from './flink-deployment.ts';
import type { JobSpec } from './job-spec.ts';
import { deploymentSpecs } from './spec.fixture.ts';

type Spec = FlinkBlueGreenDeploymentSpec;

const wrapped = (spec: FlinkDeploymentSpec): Spec => ({ template: { spec } });
const job = (job: JobSpec): Spec => wrapped({ job });
const running: JobSpec = { jarURI: 'local:///a.jar', parallelism: 2, upgradeMode: 'savepoint' };
const edited = (change: JobSpec): Spec => job({ ...running, ...change });
const configured = (flinkConfiguration: Record<string, string>): Spec => wrapped({ job: running, flinkConfiguration });
const pod = (property: string) => ({ spec: { hostname: 'a' }, [property]: 'x' });

describe('what an edit of a blue/green deployment is', () => {
  it.each<[what: string, before: Spec, desired: Spec, type: string]>([
    ['nothing for identical specs', job(running), job(running), 'IGNORE'],
    [
      'nothing for another metadata of the template',
      { template: { metadata: { labels: { a: '1' } }, spec: { job: running } } },
      { template: { metadata: { labels: { a: '2' } }, spec: { job: running } } },
      'IGNORE',
    ],
    ['nothing for another configuration', job(running), { ...job(running), configuration: { a: '1' } }, 'IGNORE'],
    ['nothing for another ingress', job(running), { ...job(running), ingress: { template: '/x' } }, 'IGNORE'],
    ['nothing for defaults spelled out', job({}), job({ state: 'running', args: [], parallelism: 0 }), 'IGNORE'],
    [
      'nothing for what a pod template only contains',
      wrapped({ podTemplate: pod('a'), jobManager: { podTemplate: pod('a') }, taskManager: { podTemplate: pod('a') } }),
      wrapped({ podTemplate: pod('b'), jobManager: { podTemplate: pod('b') }, taskManager: { podTemplate: pod('b') } }),
      'IGNORE',
    ],
    ['nothing for a nonce taken away', edited({ savepointRedeployNonce: 1 }), job(running), 'IGNORE'],

    ['a suspension', job(running), edited({ state: 'suspended' }), 'SUSPEND'],
    ['a suspension, whatever else changes', job(running), edited({ state: 'suspended', parallelism: 4 }), 'SUSPEND'],
    [
      'a suspension, also with a nonce',
      job(running),
      edited({ state: 'suspended', statelessRedeployNonce: 4 }),
      'SUSPEND',
    ],
    ['a suspension of what was running by default', wrapped({}), job({ state: 'suspended' }), 'SUSPEND'],
    ['a resumption', edited({ state: 'suspended' }), edited({ state: 'running' }), 'RESUME'],
    ['a resumption by taking the state away', edited({ state: 'suspended' }), job(running), 'RESUME'],
    [
      'a transition while suspended',
      edited({ state: 'suspended' }),
      edited({ state: 'suspended', jarURI: 'b' }),
      'TRANSITION',
    ],

    ['a savepoint redeploy', job(running), edited({ savepointRedeployNonce: 1 }), 'SAVEPOINT_REDEPLOY'],
    ['a stateless redeploy', job(running), edited({ statelessRedeployNonce: 1 }), 'STATELESS_REDEPLOY'],
    [
      'a savepoint redeploy before a new jar',
      edited({ savepointRedeployNonce: 1 }),
      edited({ savepointRedeployNonce: 2, jarURI: 'local:///b.jar', initialSavepointPath: 's3://a' }),
      'SAVEPOINT_REDEPLOY',
    ],
    [
      'a savepoint redeploy before another scale',
      edited({ savepointRedeployNonce: 1 }),
      edited({ savepointRedeployNonce: 2, parallelism: 9 }),
      'SAVEPOINT_REDEPLOY',
    ],
    [
      'a stateless redeploy before one from a savepoint',
      job(running),
      edited({ savepointRedeployNonce: 1, statelessRedeployNonce: 1 }),
      'STATELESS_REDEPLOY',
    ],

    ['a patch for another upgrade mode', job(running), edited({ upgradeMode: 'stateless' }), 'PATCH_CHILD'],
    ['a patch for dropped state', job(running), edited({ allowNonRestoredState: true }), 'PATCH_CHILD'],
    ['a patch for another path', job(running), edited({ initialSavepointPath: 's3://a' }), 'PATCH_CHILD'],
    ['a patch for a savepoint', job(running), edited({ savepointTriggerNonce: 1 }), 'PATCH_CHILD'],
    ['a patch for an operator key', configured({}), configured({ 'kubernetes.operator.x': '1' }), 'PATCH_CHILD'],
    [
      'a patch for an ignorable field beside the template',
      job(running),
      { ...edited({ upgradeMode: 'last-state' }), configuration: { a: '1' } },
      'PATCH_CHILD',
    ],

    ['a transition for another parallelism', job(running), edited({ parallelism: 3 }), 'TRANSITION'],
    [
      'a transition for another version',
      wrapped({ flinkVersion: 'v1_20' }),
      wrapped({ flinkVersion: 'v2_0' }),
      'TRANSITION',
    ],
    ['a transition for a key of Flink', configured({}), configured({ 'rest.port': '1' }), 'TRANSITION'],
    [
      'a transition for an ingress of the sides',
      job(running),
      wrapped({ job: running, ingress: { template: '/x' } }),
      'TRANSITION',
    ],
    ['a transition for a restart nonce', job(running), wrapped({ job: running, restartNonce: 1 }), 'TRANSITION'],
    ['a transition for another mode', wrapped({ mode: 'native' }), wrapped({ mode: 'standalone' }), 'TRANSITION'],
    [
      'a transition for a patch and more',
      job(running),
      edited({ upgradeMode: 'stateless', parallelism: 3 }),
      'TRANSITION',
    ],
  ])('%s', (_, before, desired, type) => {
    expect(blueGreenChange(before, desired).type).toBe(type);
  });

  it('is a transition for another scale in standalone mode, too', () => {
    const [before, desired] = [1, 2].map((parallelism) => wrapped({ mode: 'standalone', job: { parallelism } }));
    expect(blueGreenChange(before as Spec, desired as Spec)).toMatchObject({ type: 'TRANSITION', transition: true });
  });

  it('takes a spec without a template for an empty one', () => {
    expect(blueGreenChange({}, {}).type).toBe('IGNORE');
    expect(blueGreenChange({}, job(running)).type).toBe('TRANSITION');
    expect(blueGreenChange({ template: {} }, {}).type).toBe('IGNORE');
  });

  it('tells fields as a FlinkDeployment has them', () => {
    expect(blueGreenChange(job(running), edited({ parallelism: 5 }))).toMatchObject({
      changes: [{ path: 'spec.job.parallelism', from: 2, to: 5 }],
      text: 'FlinkDeploymentSpec[job.parallelism : 2 -> 5]',
    });
  });
});

describe('what a suspension brings along', () => {
  const change = (desired: JobSpec) => blueGreenChange(job(running), edited({ state: 'suspended', ...desired }));

  it.each<[string, JobSpec, redeploy: string | undefined, transition: boolean]>([
    ['nothing', {}, undefined, false],
    ['an ignorable field', { upgradeMode: 'stateless' }, undefined, false],
    ['a transition', { jarURI: 'local:///b.jar' }, undefined, true],
    ['a redeploy nonce', { savepointRedeployNonce: 3 }, 'savepoint', false],
    ['both', { statelessRedeployNonce: 3, parallelism: 9 }, 'stateless', true],
  ])('%s', (_, desired, redeploy, transition) => {
    expect(change(desired)).toMatchObject({ type: 'SUSPEND', redeploy, transition });
  });
});

describe('redeploy nonces', () => {
  const nonces = { savepointRedeploy: 5, statelessRedeploy: 7 };

  it('are compared with the last value acted upon, not with the record', () => {
    const change = (before: JobSpec, desired: JobSpec) => blueGreenChange(job(before), job(desired), { nonces }).type;
    expect(change({}, { savepointRedeployNonce: 5, statelessRedeployNonce: 7 })).toBe('IGNORE');
    expect(change({ savepointRedeployNonce: 6 }, { savepointRedeployNonce: 6 })).toBe('SAVEPOINT_REDEPLOY');
    expect(change({ statelessRedeployNonce: 8 }, { statelessRedeployNonce: 8 })).toBe('STATELESS_REDEPLOY');
    expect(change({ savepointRedeployNonce: 9 }, { savepointRedeployNonce: 5 })).toBe('IGNORE');
  });

  it('that were never acted upon are compared with the record', () => {
    const { type } = blueGreenChange(job({ statelessRedeployNonce: 1 }), job({ statelessRedeployNonce: 1 }), {
      nonces: { savepointRedeploy: 5 },
    });
    expect(type).toBe('IGNORE');
  });

  it('act once through 1, none, 1, and three times through 1, 2, 1', () => {
    const acted = (values: readonly (number | undefined)[]) => {
      let last: number | undefined;
      return values.filter((value) => {
        const desired = job(value === undefined ? {} : { savepointRedeployNonce: value });
        const { redeploy } = blueGreenChange(job({}), desired, {
          nonces: last === undefined ? {} : { savepointRedeploy: last },
        });
        if (redeploy) last = value;
        return redeploy;
      }).length;
    };
    expect(acted([1, undefined, 1])).toBe(1);
    expect(acted([1, 2, 1])).toBe(3);
  });
});

describe('an edit that was taken back', () => {
  it.each<[what: string, before: Spec, desired: Spec, same: boolean]>([
    ['is the same template', edited({ savepointRedeployNonce: 1 }), edited({ savepointRedeployNonce: 1 }), true],
    ['may leave ignorable fields changed', job(running), edited({ initialSavepointPath: 's3://a' }), true],
    ['may leave configuration and ingress changed', job(running), { ...job(running), configuration: { a: '1' } }, true],
    ['has the same state', job(running), edited({ state: 'suspended' }), false],
    ['has the same jar', job(running), edited({ jarURI: 'local:///b.jar' }), false],
    ['has the same nonce', edited({ savepointRedeployNonce: 1 }), edited({ savepointRedeployNonce: 2 }), false],
    ['has a nonce that was there', job(running), edited({ statelessRedeployNonce: 2 }), false],
    ['has no nonce that was not there', edited({ statelessRedeployNonce: 2 }), job(running), false],
    ['has the restart nonce that was there', wrapped({ restartNonce: 1 }), wrapped({}), false],
  ])('%s', (_, before, desired, same) => {
    expect(isSameTemplate(before, desired)).toBe(same);
  });
});

describe('any two specs', () => {
  it('agree with the diff of the FlinkDeployment, and are the same in both directions or in none', () => {
    fc.assert(
      fc.property(deploymentSpecs, deploymentSpecs, (left, right) => {
        const [before, desired] = [wrapped(left), wrapped(right)];
        const { type, redeploy, transition, changes } = blueGreenChange(before, desired);
        expect(type === 'IGNORE').toBe(changes.length === 0);
        if (type === 'PATCH_CHILD') expect([redeploy, transition]).toEqual([undefined, false]);
        if (type === 'TRANSITION') expect([redeploy, transition]).toEqual([undefined, true]);
        if (isSameTemplate(before, desired)) expect(['IGNORE', 'PATCH_CHILD']).toContain(type);
        expect(isSameTemplate(before, desired)).toBe(isSameTemplate(desired, before));
        expect(isSameTemplate(before, before)).toBe(true);
      }),
    );
  });
});
