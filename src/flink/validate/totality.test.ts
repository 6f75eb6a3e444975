import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import type { Surroundings } from '../../portrait/family.ts';
import { flinkFamily } from '../family.ts';
import { blueGreen, deployment, edited, nowhere, operator, session, sessionJob, snapshot } from './example.fixture.ts';

const family = flinkFamily(() => operator);
const bases: readonly KubeObject[] = [deployment, session, sessionJob, snapshot, blueGreen];

/** Places that rules look at, and some that nobody looks at. */
const paths = [
  'metadata',
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'spec',
  'spec.flinkVersion',
  'spec.mode',
  'spec.imagePullPolicy',
  'spec.ingress',
  'spec.ingress.template',
  'spec.flinkConfiguration',
  'spec.flinkConfiguration[job.autoscaler.enabled]',
  'spec.flinkConfiguration[job.autoscaler.excluded.periods]',
  'spec.flinkConfiguration[high-availability.type]',
  'spec.flinkConfiguration[kubernetes.operator.periodic.savepoint.interval]',
  'spec.logConfiguration',
  'spec.jobManager',
  'spec.jobManager.resources',
  'spec.jobManager.resource.memory',
  'spec.taskManager',
  'spec.taskManager.replicas',
  'spec.job',
  'spec.job.jarURI',
  'spec.job.parallelism',
  'spec.job.upgradeMode',
  'spec.job.savepointRedeployNonce',
  'spec.job.initialSavepointPath',
  'spec.deploymentName',
  'spec.configuration',
  'spec.configuration[kubernetes.operator.bluegreen.abort.grace-period]',
  'spec.template',
  'spec.template.metadata',
  'spec.template.spec',
  'spec.template.spec.job',
  'spec.template.spec.podTemplate',
  'spec.template.spec.ingress.template',
  'status.lastReconciledSpec',
  'spec.jobReference',
  'spec.savepoint',
  'spec.checkpoint',
  'spec.backoffLimit',
  'status',
  'status.nonces',
  'status.transition',
  'status.reconciliationStatus',
  'status.reconciliationStatus.lastReconciledSpec',
];

/** What people write there, by mistake or on purpose. */
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    'v1_20',
    'native',
    'standalone',
    'last-state',
    'savepoint',
    'true',
    'zookeeper',
    '9:00-8:00 && x',
    '0 0 * * * ?',
    '1Gi',
    '90m',
    '1e99',
    'https://[::1]/a',
    's3://b',
    '{{name}}',
    { requests: { memory: '1e999', cpu: '-1' }, limits: { memory: 'x' } },
    JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}'),
    { alreadyExists: true },
    '{"spec":{"job":{"parallelism":1}}}',
    '{"spec":{"flinkVersion":"v1_19","job":{"state":"suspended","upgradeMode":"last-state"}}}',
  ),
);

const edits = fc.dictionary(fc.constantFrom(...paths), values, { maxKeys: 5 });

function tryEdited(base: KubeObject, changes: Readonly<Record<string, unknown>>): KubeObject | undefined {
  try {
    return edited(base, changes);
  } catch {
    return undefined;
  }
}

describe('validation', () => {
  it('answers for resources with anything anywhere, and the same every time', () => {
    const around: Surroundings = { find: ({ kind }) => (kind === 'FlinkDeployment' ? { ...session } : 'absent') };
    fc.assert(
      fc.property(fc.constantFrom(...bases), edits, (base, changes) => {
        const object = tryEdited(base, changes);
        if (!object) return;
        const before = JSON.stringify(object);
        const problems = family.validate(object, around);
        expect(family.validate(object, around)).toEqual(problems);
        expect(JSON.stringify(object)).toBe(before);
        for (const { message, rule } of problems) {
          expect(rule).not.toBe('');
          expect(message.length).toBeLessThan(2_000);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('answers for any JSON that says it is one of the kinds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.jsonValue(), fc.jsonValue(), (base, spec, metadata) => {
        const object = { ...base, spec, metadata } as unknown as KubeObject;
        family.validate(object, nowhere);
      }),
    );
  });

  it('answers for what is nested beyond all reason', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    for (const path of ['spec.flinkConfiguration', 'spec.podTemplate', 'spec.checkpoint', 'spec.template']) {
      const [, name = ''] = path.split('.');
      for (const base of bases) {
        const object = { ...base, spec: { ...(base as typeof deployment).spec, [name]: deep } };
        expect(family.validate(object, nowhere)[0]?.message).toContain('nests deeper than');
      }
    }
  });

  it('reads nothing from a prototype', () => {
    const hostile = JSON.parse('{"__proto__":{"job.autoscaler.enabled":"true"},"constructor":{"x":1},"toString":"y"}');
    expect(family.validate(edited(deployment, { 'spec.flinkConfiguration': hostile }), nowhere)).toEqual([]);
    expect(({} as Record<string, unknown>)['job.autoscaler.enabled']).toBeUndefined();
  });
});
