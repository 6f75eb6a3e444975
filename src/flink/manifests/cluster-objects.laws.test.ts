import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { all, workload } from './cluster-objects.fixture.ts';
import { clusterObjects } from './cluster-objects.ts';
import { examplePlan } from './cluster-plan.fixture.ts';
import type { ClusterPlan } from './cluster-plan.ts';

describe('any cluster', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/);
  const configKey = fc.oneof(
    word,
    fc.constantFrom(
      'kubernetes.operator.savepoint.cleanup.enabled',
      'job.autoscaler.enabled',
      'kubernetes.jobmanager.labels',
      'kubernetes.jobmanager.annotations',
      'kubernetes.taskmanager.tolerations',
      'rest.port',
      'high-availability',
      'high-availability.type',
      'high-availability.storageDir',
      '__proto__',
      'constructor',
      'kubernetes.pod-template-file.jobmanager',
    ),
  );
  const configuration = fc.dictionary(
    configKey,
    fc.oneof(fc.string(), fc.constantFrom('a:b', '8081', 'kubernetes', 'true')),
  );
  const template = fc.record(
    {
      metadata: fc.record(
        { labels: fc.dictionary(fc.oneof(word, fc.constantFrom('app', 'component')), word) },
        { requiredKeys: [] },
      ),
      spec: fc.record(
        {
          containers: fc.array(
            fc.record(
              {
                name: fc.oneof(word, fc.constant('flink-main-container')),
                env: fc.array(fc.record({ name: word, value: word })),
              },
              { requiredKeys: ['name'] },
            ),
          ),
          nodeSelector: fc.dictionary(word, word),
          volumes: fc.array(fc.record({ name: word })),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const spec = fc.record(
    {
      mode: fc.constantFrom<('native' | 'standalone')[]>('native', 'standalone'),
      flinkVersion: fc.constantFrom<('v1_16' | 'v1_20' | 'v2_0' | 'v2_3')[]>('v1_16', 'v1_20', 'v2_0', 'v2_3'),
      flinkConfiguration: configuration,
      podTemplate: template,
      jobManager: fc.record(
        { podTemplate: template, resource: fc.constant({ memory: '1g' }) },
        { requiredKeys: ['resource'] },
      ),
    },
    { requiredKeys: [] },
  );
  const plans = spec.map((one) => examplePlan(one as Partial<FlinkDeploymentSpec>));

  it('gives the same objects again', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(outcome(plan)).toBe(outcome(structuredClone(plan)));
      }),
    );
  });

  it('selects its own pods, names its id and owner everywhere, and tells the cluster nothing of the operator', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        if ('problem' in clusterObjects(plan)) return;
        for (const object of all(plan)) {
          expect(object.metadata.annotations?.['cutover.dev/id']).toBe('uid-1/7');
          expect(object.metadata.ownerReferences).toHaveLength(1);
          expect(object.metadata.namespace).toBe('shop');
          expect(JSON.stringify(object)).not.toMatch(/kubernetes\.operator\.|job\.autoscaler\.|pod-template-file/);
          if (object.kind !== 'Deployment') continue;
          const { selector, template: pods } = workload(object);
          expect(pods.metadata?.labels).toMatchObject(selector.matchLabels);
          expect(pods.spec?.containers?.at(-1)?.name).toBe('flink-main-container');
        }
      }),
    );
  });

  it('never fails, whatever the spec looks like', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 4 })), (odd) => {
        const objects = clusterObjects({ ...examplePlan(), spec: { ...examplePlan().spec, ...odd } as never });
        if (!('problem' in objects)) objects.dependents('uid');
      }),
    );
  });
});

const fields = [
  'job',
  'jobManager',
  'taskManager',
  'podTemplate',
  'flinkConfiguration',
  'ingress',
  'logConfiguration',
  'mode',
  'flinkVersion',
  'image',
];

function outcome(plan: ClusterPlan): string {
  const objects = clusterObjects(plan);
  return 'problem' in objects ? objects.problem : JSON.stringify(all(plan));
}
