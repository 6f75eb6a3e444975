import { type AccessVerb, follow, type Grant } from '../control/access.ts';
import { qualifiedName } from '../kube/resource-type.ts';
import { instance } from './resources/instance.ts';

const { group } = instance.type;

/** What the controller of Instances asks for to do its own work, whatever packages consist of. */
export const kudoAccess: readonly Grant[] = [
  {
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    verbs: follow,
    names: [qualifiedName(instance.type)],
    where: 'cluster',
    why: 'a definition that KUDO installed lacks fields that the status needs',
  },
  inWatched(
    group,
    ['instances'],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'what people want to run; children that packages ask for',
  ),
  inWatched(group, ['instances/status'], ['update'], 'how plans stand'),
  inWatched(
    group,
    ['instances/finalizers'],
    ['update'],
    'what a plan made goes before its Instance does, which some clusters allow only with this',
  ),
  inWatched(
    group,
    ['operatorversions'],
    ['get', ...follow],
    'the packages; a cache that lags is not believed that one is gone',
  ),
];

const all: readonly AccessVerb[] = ['get', ...follow, 'create', 'patch', 'delete'];

/**
 * What packages bring: the kinds that most of them are made of. A package may bring any other kind; whoever installs it gives the
 * right to that. Until then the Instance says which one is missing.
 *
 * Secrets are read, made and deleted by name, and never listed.
 */
export const kudoPackagesAccess: readonly Grant[] = [
  inWatched(
    '',
    ['configmaps', 'services', 'serviceaccounts', 'persistentvolumeclaims', 'pods'],
    all,
    'made by steps of plans, and looked at until they are healthy',
  ),
  inWatched(
    'apps',
    ['deployments', 'statefulsets', 'daemonsets', 'replicasets'],
    all,
    'made by steps of plans, and looked at until they are healthy',
  ),
  inWatched('batch', ['jobs', 'cronjobs'], all, 'made by steps of plans, and looked at until they have ended'),
  inWatched('policy', ['poddisruptionbudgets'], all, 'made by steps of plans'),
  inWatched(
    'rbac.authorization.k8s.io',
    ['roles', 'rolebindings'],
    all,
    'made by steps of plans; they can give no more than the operator has',
  ),
  inWatched(
    '',
    ['secrets'],
    ['get', 'create', 'patch', 'delete'],
    'made by steps of plans, by name; the key that random values of a package come from',
  ),
  inWatched('', ['pods/exec'], ['get', 'create'], 'files that Pipe tasks fetch from their pods'),
];

function inWatched(of: string, resources: readonly string[], verbs: readonly AccessVerb[], why: string): Grant {
  return { group: of, resources, verbs, where: 'watched', why };
}
