import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { definitions, kudoFamily } from './family.ts';

const apiVersion = 'kudo.dev/v1beta1';

const version: AnyObject = {
  apiVersion,
  kind: 'OperatorVersion',
  metadata: { name: 'db-1', namespace: 'default' },
  spec: { plans: { deploy: {} }, parameters: [{ name: 'COUNT', 'value-type': 'integer' }] },
};

const around = (found: AnyObject | 'absent' | 'unknown') => ({ find: () => found });

function instance(spec: unknown): AnyObject {
  return { apiVersion, kind: 'Instance', metadata: { name: 'db' }, spec };
}

describe('the family of KUDO', () => {
  it('defines each of its kinds once', () => {
    const names = definitions().map(({ metadata }) => metadata.name);
    expect([...names].sort()).toEqual(['instances.kudo.dev', 'operators.kudo.dev', 'operatorversions.kudo.dev']);
    expect(kudoFamily.kinds.map(({ definition }) => definition.metadata.name)).toEqual(names);
  });

  it('says where an object has not its shape', () => {
    const problems = kudoFamily.validate(instance({ parameters: { COUNT: 1 }, drift: 'ignored' }), around('unknown'));
    expect(problems.map(({ field }) => field).sort()).toEqual(['spec.drift', 'spec.parameters.COUNT']);
  });

  it('judges an Instance beside its version, when it knows it', () => {
    const object = instance({ operatorVersion: { name: 'db-1' }, parameters: { COUNT: 'x' } });
    expect(kudoFamily.validate(object, around(version))).toEqual([
      {
        field: 'spec.parameters',
        rule: 'InvalidParametersOnCreate',
        message: expect.stringMatching(
          /^spec\.parameters: failed to create an Instance default\/db: parameters are not valid: /,
        ),
      },
    ]);
    expect(kudoFamily.validate(object, around('unknown'))).toEqual([]);
    expect(kudoFamily.validate(object, around('absent'))).toMatchObject([
      { field: 'spec.operatorVersion', rule: 'OperatorVersionNotFound' },
    ]);
    expect(kudoFamily.validate(instance({ operatorVersion: { name: 'db-1' } }), around(version))).toEqual([]);
  });

  it.each([
    ['of another family', { apiVersion: 'flink.apache.org/v1beta1', kind: 'Instance', metadata: {} }],
    ['of a kind that it does not know', { apiVersion, kind: 'TestSuite', metadata: {} }],
  ])('has nothing to say of an object %s', (_what, object) => {
    expect(kudoFamily.validate(object, around('absent'))).toEqual([]);
  });

  it.each([null, 7, 'text', [], { parameters: { deep: {} } }, JSON.parse('{"__proto__":{"parameters":"x"}}')])(
    'answers for any JSON in the place of a spec: %j',
    (spec) => {
      for (const { type } of kudoFamily.kinds) {
        const object = { apiVersion, kind: type.kind, metadata: { name: 'a' }, spec };
        for (const found of ['absent', 'unknown', version] as const) {
          expect(kudoFamily.validate(object, around(found))).toBeInstanceOf(Array);
        }
      }
    },
  );
});
