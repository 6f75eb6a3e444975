import { beforeEach, expect, it, vi } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { sampleObjects } from '../../sample.ts';
import { anInstance, aroundWith, atRest } from '../around.fixture.ts';
import { planInstance } from './plan-instance.ts';

/** What all renderings took together, whoever asked for them. */
const rendered = vi.hoisted(() => ({ work: 0 }));
vi.mock(import('../../render/render-objects.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    renderText: (place, template, metered = {}) =>
      real.renderText(place, template, {
        ...metered,
        spent: (work) => {
          rendered.work += work;
          metered.spent?.(work);
        },
      }),
  };
});
beforeEach(() => {
  rendered.work = 0;
});

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

// The last rendering may print as much as is left, and compute as much.
it.each([10, 30, 300])('takes about a second whatever the package is like (%i times)', (times) => {
  const before = anInstance(atRest());
  const after = anInstance(undefined, { spec: { parameters: { TAG: '2', TEXT: 'y'.repeat(50_000) } } });
  planInstance({ before, after }, aroundWith(packageOf(times)));
  expect(rendered.work).toBeGreaterThan(900_000);
  expect(rendered.work).toBeLessThan(2_000_000);
});

it('takes no longer for many children', () => {
  const names = Array.from({ length: 20 }, (_, at) => `child-${at}`);
  const parent = packageOf(1) as AnyObject & { spec: { tasks: object[]; plans: object } };
  const tasks = names.map((name) => ({
    name,
    kind: 'KudoOperator',
    spec: { package: 'db', operatorVersion: '1.0.0', instanceName: name },
  }));
  const steps = names.map((name) => ({ name, tasks: [name] }));
  const deploy = { strategy: 'serial', phases: [{ name: 'main', strategy: 'serial', steps }] };
  const version = {
    ...parent,
    metadata: { name: 'many-1', namespace: 'shop' },
    spec: { ...parent.spec, operator: { kind: 'Operator', name: 'many' }, tasks, plans: { deploy } },
  };
  const child = packageOf(4);
  const plan = planInstance(
    { after: anInstance(undefined, { spec: { operatorVersion: { name: 'many-1' } } }) },
    aroundWith(version, { ...child, metadata: { name: 'db-1.0.0', namespace: 'shop' } }),
  );
  expect(plan.warnings.join()).toContain('too large');
  expect(rendered.work).toBeLessThan(2_000_000);
});

it('looks at the sample in full, with a small part of that', () => {
  const objects = sampleObjects() as unknown as readonly AnyObject[];
  const after = objects.find(({ kind }) => kind === 'Instance') ?? expect.fail('the sample has no Instance');
  const { warnings, line } = planInstance({ after }, aroundWith(...objects));
  expect(line).not.toBe('');
  expect(warnings).toEqual([]);
  expect(rendered.work).toBeGreaterThan(0);
  expect(rendered.work).toBeLessThan(100_000);
});
