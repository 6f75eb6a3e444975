import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { CacheScope } from '../../control/cache-scope.ts';
import { Caches } from '../../control/caches.ts';
import type { Log } from '../../control/log.ts';
import { createMetrics } from '../../control/metrics.ts';
import { sealer } from '../../control/sealed.ts';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import { openPlatform } from '../api/open-platform.ts';
import { cloudFoundryControllers } from '../controllers.ts';
import { placesRoleName } from '../names.ts';
import { cloudFoundryKinds } from '../resources/all.ts';
import { defaultSettings } from '../settings.ts';
import { installation } from './installation.ts';
import { operatorRole, placesRole } from './operator-role.ts';
import type { ClusterRole } from './policy-rule.ts';
import { roleNames, userRoles } from './user-roles.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

const roles = new Map(userRoles().map((role) => [role.metadata.name, role]));
const roleOf = (name: keyof typeof roleNames): ClusterRole => roles.get(roleNames[name]) as ClusterRole;

/** `get korifi.cloudfoundry.org/cfapps` */
function allows({ rules }: ClusterRole, request: string, name?: string): boolean {
  const [verb = '', rest = ''] = request.split(' ');
  const slash = rest.indexOf('/');
  const [group, resource] = [rest.slice(0, slash), rest.slice(slash + 1)];
  return rules.some(
    ({ apiGroups, resources, verbs, resourceNames }) =>
      apiGroups.includes(group) &&
      resources.includes(resource) &&
      verbs.includes(verb) &&
      (resourceNames === undefined || (name !== undefined && resourceNames.includes(name))),
  );
}

/** A list of the objects of one name may be allowed by that name. */
const nameIn = (selector: CacheScope['fieldSelector']): string | undefined =>
  typeof selector === 'object' ? selector['metadata.name'] : undefined;

const cf = (verb: string, plural: string): string => `${verb} korifi.cloudfoundry.org/${plural}`;
const rbac = (verb: string, plural: string): string => `${verb} rbac.authorization.k8s.io/${plural}`;

describe('a role', () => {
  it.each<[keyof typeof roleNames, readonly string[], readonly string[]]>([
    [
      'space_developer',
      [
        cf('create', 'cfdeployments'),
        cf('patch', 'cfapps'),
        cf('update', 'cfapps'),
        'get /secrets',
        'delete /pods',
        'get /pods/log',
      ],
      [cf('create', 'cfspaces'), rbac('create', 'rolebindings'), 'list /secrets', cf('create', 'cfdomains')],
    ],
    ['space_manager', [cf('get', 'cfapps'), rbac('create', 'rolebindings')], [cf('patch', 'cfapps'), 'get /secrets']],
    ['space_auditor', [cf('list', 'cfapps')], [cf('patch', 'cfapps'), 'get /secrets', 'get /pods/log']],
    ['space_supporter', [cf('list', 'cfapps'), 'get /pods/log'], [cf('patch', 'cfapps'), 'get /secrets']],
    ['organization_manager', [cf('create', 'cfspaces'), cf('get', 'cfapps')], [cf('create', 'cforgs'), 'get /secrets']],
    ['organization_user', [cf('list', 'cfspaces')], [cf('list', 'cfapps'), cf('create', 'cfspaces')]],
    ['cf_user', [cf('list', 'cforgs'), cf('get', 'cfdomains')], [cf('create', 'cforgs'), cf('create', 'cfdomains')]],
    ['admin', [cf('delete', 'cforgs'), cf('create', 'cfdomains'), cf('create', 'cfapps')], ['get /nodes']],
    ['global_auditor', [cf('list', 'cfapps'), cf('list', 'cforgs')], [cf('create', 'cfapps'), 'get /secrets']],
  ])('%s may do what it is for, and no more', (name, may, mayNot) => {
    for (const request of may) expect(allows(roleOf(name), request), request).toBe(true);
    for (const request of mayNot) expect(allows(roleOf(name), request), request).toBe(false);
  });

  it('is given away only by those who are to, and nobody but an administrator makes another', () => {
    const givers = (given: string): readonly (string | undefined)[] =>
      [...roles.values()]
        .filter((role) => allows(role, rbac('bind', 'clusterroles'), given))
        .map(({ metadata }) => metadata.name);
    expect(givers(roleNames.admin)).toEqual([roleNames.admin]);
    expect(givers(roleNames.organization_manager)).toEqual([roleNames.admin, roleNames.organization_manager]);
    expect(givers(roleNames.space_developer)).toEqual([
      roleNames.admin,
      roleNames.organization_manager,
      roleNames.space_manager,
    ]);
  });

  it('allows nothing by a star', () => {
    for (const { rules } of [...roles.values(), operatorRole()]) {
      expect(rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs])).not.toContain(
        '*',
      );
    }
  });
});

describe('the operator', () => {
  // What else it may is held against what it asks for in `test/install/access`.
  it('may watch every kind of the family', () => {
    for (const { type } of cloudFoundryKinds) {
      expect(allows(operatorRole(), cf('watch', type.plural)), type.plural).toBe(true);
    }
  });

  it('may watch everything that controllers and API look at', () => {
    const clock = new VirtualClock();
    const random = seededRandom(1);
    const transport = inProcess(() => Promise.reject(new Error('nobody is asked')));
    const client = new Client(transport, { clock });
    /** With the one name that is watched, if it is one. */
    const watched = new Map<string, string | undefined>();
    const ofSecrets: (string | undefined)[] = [];
    class Watched extends Caches {
      override open: Caches['open'] = (scope) => {
        if (scope.type.plural === 'secrets') ofSecrets.push(scope.namespace);
        else watched.set(`${scope.type.group}/${scope.type.plural}`, nameIn(scope.fieldSelector));
        return super.open(scope);
      };
    }
    const metrics = createMetrics({ process: false });
    const caches = new Watched({ client, clock, random, log: silent, metrics });
    const settings = defaultSettings;
    const controllers = cloudFoundryControllers({ client, clock, random, settings, seal: sealer() });
    for (const make of Object.values(controllers)) make(caches);
    openPlatform(caches, { client, clock, random, settings, log: silent });
    expect(watched.size).toBeGreaterThan(20);
    for (const [what, name] of watched) {
      for (const verb of ['list', 'watch'])
        expect(allows(operatorRole(), `${verb} ${what}`, name), `${verb} ${what}`).toBe(true);
    }
    expect(new Set(ofSecrets)).toEqual(new Set([settings.rootNamespace]));
  });

  it('may not touch Secrets but where it binds the role of places', () => {
    const verbs = ['get', 'list', 'watch', 'create', 'patch', 'delete'];
    for (const verb of verbs) {
      expect(allows(operatorRole(), `${verb} /secrets`), verb).toBe(false);
      expect(allows(placesRole(), `${verb} /secrets`), verb).toBe(true);
    }
    expect(placesRole().rules.flatMap(({ resources }) => resources)).toEqual(['secrets']);
    expect(allows(operatorRole(), rbac('bind', 'clusterroles'), placesRoleName)).toBe(true);
  });

  it('may pass on every published role, and no other', () => {
    for (const name of Object.values(roleNames)) {
      expect(allows(operatorRole(), rbac('bind', 'clusterroles'), name)).toBe(true);
    }
    expect(allows(operatorRole(), rbac('bind', 'clusterroles'), 'cluster-admin')).toBe(false);
    expect(allows(operatorRole(), rbac('escalate', 'clusterroles'))).toBe(false);
  });
});

it('is installed in an order in which everything finds what it needs', () => {
  const admins = [{ kind: 'User', name: 'admin', apiGroup: 'rbac.authorization.k8s.io' }];
  const objects = installation(defaultSettings, { operator: { namespace: 'cutover', name: 'cutover' }, admins });
  const kinds = objects.map(({ kind }) => kind);
  expect(kinds.lastIndexOf('ClusterRole')).toBeLessThan(kinds.indexOf('ClusterRoleBinding'));
  expect(kinds.indexOf('Namespace')).toBeLessThan(kinds.indexOf('ServiceAccount'));
  expect(
    objects
      .filter(({ metadata }) => metadata.namespace === 'cf')
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  ).toEqual([
    'ServiceAccount korifi-app',
    'ServiceAccount korifi-task',
    'CFDomain default-domain',
    'RunnerInfo statefulset-runner',
    'RoleBinding default-admin-binding',
  ]);
});
