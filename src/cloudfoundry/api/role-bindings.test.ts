import { describe, expect, it } from 'vitest';
import { bindingFor, bindingName, roleOf } from './role-bindings.ts';

const account = 'system:serviceaccount:cf:cf-admin';

describe('bindings of roles', () => {
  it.each([
    ['cf_user', 'alice', 'cf-a76d03a4c783f91a339aceb7263ea922c8d749d2cd09126f85160082d29da3fb'],
    ['organization_user', account, 'cf-f3ab5d8c4f1bc036732af5a19c6d1da4e26d404e6fdad77ce380a811bfc693db'],
    ['space_developer', account, 'cf-256bc33c3a3e0eaa71ce14aa87ba431a87325ea56081761d59d56a1a5c8c2913'],
    ['space_manager', account, 'cf-c7d1b984ef1dc1225bb54a613e6e565f1108f5ca50fe6fc84705179d39166fab'],
  ] as const)('have the published name for %s of %s', (type, user, name) => {
    expect(bindingName(type, user)).toBe(name);
  });

  it.each([
    ['space_auditor', 'alice'],
    ['organization_manager', account],
  ] as const)('tell the role %s of %s that they were made for', (type, user) => {
    expect(roleOf(bindingFor({ type, user, namespace: 'n', guid: 'g' }))).toEqual({ type, user });
  });

  it('pass on only what holds in all spaces of an organization', () => {
    const passedOn = (type: 'organization_manager' | 'organization_user') =>
      bindingFor({ type, user: 'alice', namespace: 'n', guid: 'g' }).metadata.annotations;
    expect(passedOn('organization_manager')).toEqual({ 'cloudfoundry.org/propagate-cf-role': 'true' });
    expect(passedOn('organization_user')).toEqual({ 'cloudfoundry.org/propagate-cf-role': 'false' });
  });

  it('are no role of the API when the controllers copied them into a space', () => {
    const role = bindingFor({ type: 'organization_manager', user: 'alice', namespace: 'org', guid: 'g' });
    const copied = { ...role.metadata.labels, 'cloudfoundry.org/propagated-from': 'org' };
    expect(roleOf({ ...role, metadata: { ...role.metadata, namespace: 'space', labels: copied } })).toBeUndefined();
  });

  it('are no role of the API when they give something else', () => {
    const root = bindingFor({ type: 'cf_user', user: 'alice', namespace: 'cf', guid: 'g' });
    expect(roleOf(root)).toBeUndefined();
    expect(roleOf({ ...root, roleRef: { kind: 'ClusterRole', name: 'view' } })).toBeUndefined();
  });
});
