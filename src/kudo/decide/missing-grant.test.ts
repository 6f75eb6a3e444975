import { describe, expect, it } from 'vitest';
import { policyRules } from '../../control/policy-rules.ts';
import { kudoPackagesAccess } from '../access.ts';
import { accessMissing, missingGrant } from './missing-grant.ts';

const operator = 'system:serviceaccount:cutover:cutover';
const refusal = (verb: string, resource: string, group: string, where: string, user = operator): string =>
  `A transient error. ${resource} "x" is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;

describe('a missing grant', () => {
  it('is read from what the server says', () => {
    expect(missingGrant(refusal('patch', 'configmaps', '', 'in the namespace "demo"'))).toEqual({
      user: operator,
      verb: 'patch',
      resource: 'configmaps',
      group: '',
      namespace: 'demo',
    });
    expect(missingGrant(refusal('create', 'widgets', 'example.org', 'at the cluster scope'))).toEqual({
      user: operator,
      verb: 'create',
      resource: 'widgets',
      group: 'example.org',
    });
  });

  it.each([
    '',
    'configmaps "x" is invalid: data.a: too long',
    'User "x" cannot',
    `User "${'x'.repeat(10_000)}" cannot get resource "pods" in API group "" at the cluster scope`,
  ])('is not read from %j', (message) => {
    expect(missingGrant(message)).toBeUndefined();
  });

  it('names kind, verb and namespace, and binds the role of packages where that has it', () => {
    const grant = missingGrant(refusal('patch', 'deployments', 'apps', 'in the namespace "demo"'));
    expect(grant && accessMissing(grant, 'deploy')).toEqual({
      type: 'AccessMissing',
      status: 'True',
      reason: 'Forbidden',
      message:
        'plan deploy waits: the operator may not patch deployments of apps in namespace demo. It goes on within a minute once it may. To allow it: kubectl create rolebinding cutover-kudo-packages -n demo --clusterrole=cutover-kudo-packages --serviceaccount=cutover:cutover',
    });
  });

  it('makes a role for a kind that no role has, for the whole cluster if need be', () => {
    const grant = missingGrant(refusal('create', 'widgets', 'example.org', 'at the cluster scope', 'jane doe'));
    expect(grant && accessMissing(grant, 'deploy').message).toContain(
      "kubectl create clusterrole cutover-widgets.example.org --verb=get,list,watch,create,patch,delete --resource=widgets.example.org && kubectl create clusterrolebinding cutover-widgets.example.org --clusterrole=cutover-widgets.example.org --user='jane doe'",
    );
  });

  it('sends nobody to the role of packages for what that does not have, and to no other for what it has', () => {
    const rules = policyRules(kudoPackagesAccess, 'watched');
    const has = rules.flatMap(({ apiGroups, resources }) => resources.map((one) => `${apiGroups[0]} ${one}`));
    const others = [' nodes', 'apps controllerrevisions', 'example.org pods'];
    for (const one of new Set([...has, ...others])) {
      const [group = '', resource = ''] = one.split(' ');
      const grant = missingGrant(refusal('get', resource, group, 'in the namespace "demo"'));
      const { message } = grant ? accessMissing(grant, 'deploy') : { message: '' };
      expect(message.includes('--clusterrole=cutover-kudo-packages '), one).toBe(has.includes(one));
    }
  });
});
