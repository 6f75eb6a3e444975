import { describe, expect, it } from 'vitest';
import { cloudFoundryFamily, definitions } from './family.ts';

const around = { find: () => 'unknown' as const };
const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

describe('the family of Cloud Foundry', () => {
  it('defines each of its kinds once', () => {
    const names = definitions().map(({ metadata }) => metadata.name);
    expect(names).toContain('cfapps.korifi.cloudfoundry.org');
    expect(names).toContain('cfdeployments.korifi.cloudfoundry.org');
    expect(new Set(names).size).toBe(names.length);
    expect(cloudFoundryFamily.kinds.map(({ definition }) => definition.metadata.name)).toEqual(names);
  });

  it('says where and why an object cannot be accepted', () => {
    const problems = cloudFoundryFamily.validate(
      { apiVersion, kind: 'CFApp', metadata: { name: 'a' }, spec: { displayName: 'a b', desiredState: 'UP' } } as never,
      around,
    );
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'spec.desiredState',
      'spec.displayName',
      'spec.lifecycle',
    ]);
    expect(problems.every(({ field, message }) => message.startsWith(`${field}: `))).toBe(true);
  });

  it.each([
    ['of another family', { apiVersion: 'flink.apache.org/v1beta1', kind: 'CFApp', metadata: {} }],
    ['of a kind that it does not know', { apiVersion, kind: 'CFServiceBinding', metadata: {} }],
  ])('has nothing to say of an object %s', (_what, object) => {
    expect(cloudFoundryFamily.validate(object, around)).toEqual([]);
  });

  it.each([null, 7, 'text', [], { displayName: { deep: {} } }, JSON.parse('{"__proto__":{"displayName":"x"}}')])(
    'answers for any JSON in the place of a spec: %j',
    (spec) => {
      for (const { type } of cloudFoundryFamily.kinds) {
        const object = { apiVersion, kind: type.kind, metadata: { name: 'a' }, spec } as never;
        expect(cloudFoundryFamily.validate(object, around)).toBeInstanceOf(Array);
      }
    },
  );
});
