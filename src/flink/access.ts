import { type AccessVerb, follow, type Grant } from '../control/access.ts';
import { qualifiedName } from '../kube/resource-type.ts';
import { flinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from './resources/flink-deployment.ts';
import { flinkSessionJob } from './resources/flink-session-job.ts';
import { flinkStateSnapshot } from './resources/flink-state-snapshot.ts';

const { group } = flinkDeployment.type;
const types = [flinkDeployment, flinkSessionJob, flinkStateSnapshot, flinkBlueGreenDeployment].map(({ type }) => type);

/** What the controllers of Flink's resources ask for. JobManagers make their TaskManagers with an account of their own. */
export const flinkAccess: readonly Grant[] = [
  {
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    verbs: follow,
    names: types.map(qualifiedName),
    where: 'cluster',
    why: 'a definition that another version installed may lack fields that the status needs',
  },
  inWatched(
    group,
    types.map(({ plural }) => plural),
    ['get', ...follow],
    'what people want to run',
  ),
  inWatched(
    group,
    types.map(({ plural }) => `${plural}/status`),
    ['update'],
    'how it stands, and what was begun',
  ),
  inWatched(
    group,
    ['flinkdeployments', 'flinksessionjobs', 'flinkstatesnapshots'],
    ['patch'],
    'finalizers; one side of a blue/green pair is edited in place',
  ),
  inWatched(group, ['flinkdeployments'], ['create', 'delete'], 'the two sides of a blue/green pair'),
  inWatched(
    group,
    ['flinkstatesnapshots'],
    ['create', 'delete'],
    'snapshots that are taken by schedule, by nonce and before a transition; old ones go',
  ),
  inWatched(
    group,
    types.map(({ plural }) => `${plural}/finalizers`),
    ['update'],
    'what is made for a resource goes before the resource does, which some clusters allow only with this',
  ),
  inWatched(
    'apps',
    ['deployments'],
    ['get', ...follow, 'create', 'delete'],
    'JobManagers, and TaskManagers in standalone mode',
  ),
  inWatched(
    '',
    ['services', 'configmaps'],
    ['get', ...follow, 'create', 'delete'],
    'the address and the configuration of each cluster of Flink',
  ),
  inWatched('', ['configmaps'], ['patch'], 'configuration that changes without a new cluster'),
  inWatched('', ['pods'], follow, 'whether JobManagers and TaskManagers are well, and why not'),
  inWatched(
    'networking.k8s.io',
    ['ingresses'],
    ['get', ...follow, 'create', 'patch', 'delete'],
    'the way in, where a resource asks for one',
  ),
  inWatched('events.k8s.io', ['events'], ['list'], 'why a volume cannot be mounted: only events say so'),
  javaLease('home', 'whether a Java operator, which keeps its lease here, is still alive'),
  javaLease('elsewhere', 'whether the Java operator there is still alive'),
];

/**
 * What it takes to reach JobManagers through the API server. Apart from all else, because it reaches every Service of the namespaces that
 * are looked at, past their NetworkPolicies: nobody should have it who does not use it.
 */
export const flinkProxyAccess: readonly Grant[] = [
  inWatched(
    '',
    ['services/proxy'],
    ['get', 'create', 'patch', 'delete'],
    'the REST API of Flink, where the operator cannot reach Services itself; it opens every other Service, too',
  ),
];

function javaLease(where: 'home' | 'elsewhere', why: string): Grant {
  return { group: 'coordination.k8s.io', resources: ['leases'], verbs: follow, where, why };
}

function inWatched(of: string, resources: readonly string[], verbs: readonly AccessVerb[], why: string): Grant {
  return { group: of, resources, verbs, where: 'watched', why };
}
