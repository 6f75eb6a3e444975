import { expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { anInstance, aroundWith, atRest } from '../around.fixture.ts';
import { planInstance } from './plan-instance.ts';

/** A package with a StatefulSet that reads TAG, behind a ConfigMap that holds TEXT so many times. */
function packageOf(times: number): AnyObject {
  const conf = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: db-conf }\ndata: { text: "${'{{ .Params.TEXT }}'.repeat(times)}" }\n`;
  const node = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db-node }
spec:
  replicas: 1
  template: { spec: { containers: [ { name: main, image: "db:{{ .Params.TAG }}" } ] } }
`;
  const step = { name: 'all', tasks: ['all'] };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'db-1', namespace: 'shop' },
    spec: {
      operator: { kind: 'Operator', name: 'db' },
      version: '1.0.0',
      templates: { 'conf.yaml': conf, 'node.yaml': node },
      tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['conf.yaml', 'node.yaml'] } }],
      parameters: [
        { name: 'TAG', default: '1' },
        { name: 'TEXT', default: 'x'.repeat(50_000) },
      ],
      plans: { deploy: { strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps: [step] }] } },
    },
  };
}

it.each([1, 30])('is called no less risky because the package is too large to be looked at (%i times)', (times) => {
  const before = anInstance(atRest());
  const after = anInstance(undefined, { spec: { parameters: { TAG: '2' } } });
  const live = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db-node', namespace: 'shop' },
    spec: {},
  };
  const plan = planInstance({ before, after }, aroundWith(packageOf(times), live));
  expect(plan.risk).toBe('disruption');
  expect(plan.warnings.filter((warning) => warning.includes('will fail'))).toEqual([]);
  if (times === 1) return expect(plan.restarts).toHaveLength(1);
  expect(plan).toMatchObject({ state: { outcome: 'unknown' }, availability: { serves: 'unknown' } });
  expect(plan.line).toContain('too large to be looked at');
});
