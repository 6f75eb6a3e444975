import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { canonicalStop, canonicalView } from '../../decide/canonical-view.ts';
import { run } from '../../decide/model/run.fixture.ts';
import { running } from '../../decide/model/running.fixture.ts';
import { ha, image } from '../../decide/model/specs.fixture.ts';
import { jobStates } from '../../resources/job-status.ts';
import { phases } from '../../resources/transition.ts';
import { aroundOf, unreadable } from '../around.fixture.ts';
import { operator } from '../blue-green/world.fixture.ts';
import { portrayJob } from './portrait.ts';
import { summarizeJob } from './summary.ts';

const { resource, now } = canonicalView({}, (spec) => spec);
const around = aroundOf(now);
const lifecycles = [
  'CREATED',
  'SUSPENDED',
  'UPGRADING',
  'DEPLOYED',
  'STABLE',
  'ROLLING_BACK',
  'ROLLED_BACK',
  'FAILED',
  'DELETING',
  'DELETED',
];

function withStatus(status: unknown, kind = 'FlinkDeployment'): AnyObject {
  return { ...resource, kind, status } as AnyObject;
}

describe('the five answers about a job', () => {
  it.each(lifecycles)('are never empty in %s, whatever the job does and whatever is under way', (lifecycleState) => {
    for (const kind of ['FlinkDeployment', 'FlinkSessionJob']) {
      for (const state of jobStates) {
        for (const phase of [undefined, ...phases]) {
          const transition = phase && { ...canonicalStop(), phase };
          const status = {
            ...resource.status,
            lifecycleState,
            jobStatus: { state },
            ...(transition && { transition }),
          };
          const { answers, steps } = portrayJob(withStatus(status, kind), around, operator);
          for (const answer of Object.values(answers)) {
            expect(answer.length).toBeGreaterThan(10);
            expect(answer).not.toMatch(/undefined|NaN|\[object/);
          }
          expect(answers.serves.startsWith('Nothing serves')).toBe(state !== 'RUNNING');
          if (phase)
            expect(steps.filter((step) => step.status === 'current')).toHaveLength(
              kind === 'FlinkSessionJob' && phase === 'clearing' ? 0 : 1,
            );
        }
      }
    }
  });

  it('tell of a savepoint that fails, and how to go on', () => {
    const transition = canonicalStop();
    const stop = {
      ...transition.stop,
      failures: 3,
      error: 'the disk is full',
      retryAt: new Date(now + 9000).toISOString(),
    };
    const object = withStatus({ ...resource.status, lifecycleState: 'UPGRADING', transition: { ...transition, stop } });
    const { needsYou, answers, deadlines, phase } = portrayJob(object, around, operator);
    expect(phase).toBe('progressing');
    expect(needsYou).toContain('Its savepoint fails: the disk is full.');
    expect(answers.progress).toContain('It failed 3 times: the disk is full. Tried again in 9s.');
    expect(deadlines).toEqual([{ what: 'ending the job is tried again', at: new Date(now + 9000).toISOString() }]);
  });

  it('count down to a rollback that comes by itself', () => {
    const world = running('savepoint', {
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '10 min',
      ...ha,
    });
    world.brokenImage = 'flink:broken';
    world.edit(image('flink:broken'));
    run(world, 20);
    const { phase, state, deadlines } = portrayJob({ ...world.resource }, aroundOf(world.now), operator);
    expect({ phase, state }).toEqual({ phase: 'progressing', state: 'DEPLOYED' });
    expect(deadlines.map(({ what }) => what)).toEqual(['the specification before is brought back']);
    expect(Date.parse(deadlines[0]?.at ?? '') - world.now).toBeGreaterThan(9 * 60_000);
  });

  it('show the jobs of a session in its tree', () => {
    const session = { ...resource, spec: { ...resource.spec, job: undefined } } as unknown as AnyObject;
    const job = {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkSessionJob',
      metadata: { name: 'sums' },
      spec: { deploymentName: resource.metadata.name },
      status: { lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING' } },
    } as unknown as AnyObject;
    const near = aroundOf(now, { 'flinksessionjobs.flink.apache.org': [job] });
    expect(portrayJob(session, near, operator).tree.children).toMatchObject([
      { kind: 'FlinkSessionJob', name: 'sums', phase: 'healthy', status: 'RUNNING' },
    ]);
  });

  it('lead from a side to the blue/green deployment that made it', () => {
    const ownerReferences = [
      { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkBlueGreenDeployment', name: 'orders', uid: 'u' },
    ];
    const object = { ...resource, metadata: { ...resource.metadata, ownerReferences } } as AnyObject;
    expect(summarizeJob(object).partOf).toEqual({ kind: 'FlinkBlueGreenDeployment', name: 'orders' });
    expect(portrayJob(object, around, operator).answers.next).toContain('bluegreen/orders');
  });

  it('say of a stable job that it is healthy', () => {
    const object = withStatus({ ...resource.status, lifecycleState: 'STABLE' });
    expect(summarizeJob(object)).toMatchObject({
      phase: 'healthy',
      state: 'STABLE',
      serving: 'the job, parallelism 2',
    });
  });

  it('are given for any JSON in place of spec, status and metadata', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (spec, status, metadata) => {
        const odd = { ...resource, spec, status, metadata } as unknown as AnyObject;
        for (const object of [
          odd,
          { ...odd, kind: 'FlinkSessionJob' },
          { ...resource, status } as unknown as AnyObject,
        ]) {
          expect(summarizeJob(object).headline).not.toBe('');
          for (const near of [around, unreadable(now)]) {
            for (const answer of Object.values(portrayJob(object, near, operator).answers)) expect(answer).not.toBe('');
          }
        }
      }),
    );
  });
});
