import { type AccessVerb, follow, type Grant } from '../control/access.ts';
import { qualifiedName } from '../kube/resource-type.ts';
import { roleNames } from './install/user-roles.ts';
import { placesRoleName } from './names.ts';
import { httpRoutes } from './observe/caches.ts';
import { cloudFoundryKinds } from './resources/all.ts';

const group = 'korifi.cloudfoundry.org';
const rbac = 'rbac.authorization.k8s.io';

/** Plurals of the kinds of the family, without some. */
function allBut(...others: readonly string[]): readonly string[] {
  return cloudFoundryKinds.map(({ type }) => type.plural).filter((plural) => !others.includes(plural));
}

/** What the controllers of Cloud Foundry's resources ask for. */
export const cloudFoundryAccess: readonly Grant[] = [
  {
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    verbs: follow,
    names: [...cloudFoundryKinds.map(({ type }) => type), httpRoutes].map(qualifiedName),
    where: 'cluster',
    why: 'a definition that another version installed may lack fields; a Gateway API may be installed later',
  },
  inWatched(group, allBut('builderinfos'), ['get', ...follow], 'what people want, and what runs it'),
  inWatched(group, ['builderinfos'], follow, 'whether anybody builds'),
  inWatched(
    group,
    allBut('builderinfos', 'buildworkloads').map((plural) => `${plural}/status`),
    ['update'],
    'how it stands',
  ),
  inWatched(
    group,
    allBut('builderinfos', 'buildworkloads', 'runnerinfos', 'taskworkloads'),
    ['patch'],
    'finalizers, labels and owners, where people left them out; revisions of apps and workloads',
  ),
  inWatched(
    group,
    allBut('builderinfos', 'runnerinfos').map((plural) => `${plural}/finalizers`),
    ['update'],
    'what is made for a resource goes before the resource does, which some clusters allow only with this',
  ),
  inWatched(
    group,
    ['cfprocesses', 'appworkloads', 'taskworkloads', 'buildworkloads'],
    ['create'],
    'processes of apps, workloads of processes, tasks and builds',
  ),
  inWatched(
    group,
    [
      ...['cfspaces', 'cfapps', 'cfroutes'],
      ...['appworkloads', 'cftasks', 'taskworkloads', 'cfdeployments', 'cfpackages', 'cfbuilds'],
    ],
    ['delete'],
    'what organizations, spaces and domains that go still hold; what has ended, and what old revisions leave',
  ),
  {
    group: '',
    resources: ['namespaces'],
    verbs: [...follow, 'get', 'create', 'patch', 'delete'],
    where: 'cluster',
    why: 'every organization and every space has one',
  },
  inWatched(
    '',
    ['serviceaccounts'],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'accounts that apps and tasks run as, passed on to every space',
  ),
  {
    group: '',
    resources: ['secrets'],
    verbs: ['get', ...follow, 'create', 'patch', 'delete'],
    where: 'places',
    why: 'environments of apps, and credentials that pull images, in organizations, spaces and the root namespace alone',
  },
  inWatched('', ['services'], ['get', ...follow, 'create', 'patch', 'delete'], 'where routes lead'),
  inWatched('', ['pods'], [...follow, 'delete'], 'instances of apps and tasks; one that is stuck is replaced'),
  inWatched('apps', ['statefulsets'], ['get', ...follow, 'create', 'patch', 'delete'], 'instances of apps'),
  inWatched('apps', ['controllerrevisions'], ['list'], 'which revision an instance is of'),
  inWatched('batch', ['jobs'], ['get', ...follow, 'create'], 'tasks'),
  inWatched(
    'policy',
    ['poddisruptionbudgets'],
    ['get', ...follow, 'create', 'delete'],
    'how many instances of an app stay',
  ),
  inWatched(
    'networking.k8s.io',
    ['ingresses'],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'routes, where there is no Gateway API',
  ),
  {
    group: 'networking.k8s.io',
    resources: ['ingressclasses'],
    verbs: follow,
    where: 'cluster',
    why: 'whether anybody serves Ingresses',
  },
  inWatched(
    httpRoutes.group,
    [httpRoutes.plural],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'routes, where there is a Gateway API',
  ),
  inWatched(
    rbac,
    ['rolebindings'],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'roles of people, passed on from organizations to spaces',
  ),
  {
    group: rbac,
    resources: ['clusterroles'],
    verbs: ['bind'],
    names: [...Object.values(roleNames), placesRoleName],
    where: 'cluster',
    why: 'the published roles are passed on, and no other unless somebody allows it; its own, in the namespaces that it made',
  },
];

/** What the API asks for with the operator's own identity. Requests of users are made with theirs. */
export const cloudFoundryApiAccess: readonly Grant[] = [
  {
    group: 'authentication.k8s.io',
    resources: ['tokenreviews'],
    verbs: ['create'],
    where: 'cluster',
    why: 'asks the cluster whose token a request comes with',
  },
  {
    group: rbac,
    resources: ['clusterrolebindings'],
    verbs: follow,
    where: 'cluster',
    why: 'who has a role in the whole cluster sees every space',
  },
  inWatched('metrics.k8s.io', ['pods'], ['list'], 'what instances use, where the cluster measures it'),
];

function inWatched(of: string, resources: readonly string[], verbs: readonly AccessVerb[], why: string): Grant {
  return { group: of, resources, verbs, where: 'watched', why };
}
