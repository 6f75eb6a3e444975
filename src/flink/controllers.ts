import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Cached, Caches } from '../control/caches.ts';
import type { Controller, Foreign } from '../control/controller.ts';
import type { AnyController } from '../control/operator.ts';
import type { FieldTree } from '../control/schema-fit.ts';
import { owned, type Trigger } from '../control/trigger.ts';
import type { Client } from '../kube/client.ts';
import type { KubeObject } from '../kube/object.ts';
import { keyOf } from '../kube/reflector/key.ts';
import type { Kind } from '../schema/kind.ts';
import type { BlueGreenView } from './blue-green-view.ts';
import type { OperatorConfig } from './config/operator-config.ts';
import { operatorOptions } from './config/operator-options.ts';
import { read } from './config/option.ts';
import { decideBlueGreen } from './decide/bluegreen/blue-green.ts';
import { decideDeployment } from './decide/deployment.ts';
import { decideSessionJob } from './decide/session-job.ts';
import { decideSnapshot } from './decide/snapshot.ts';
import { javaManagers } from './java-managers.ts';
import { blueGreenOf, concerned, ingressNames, openBlueGreenCaches, sideNames } from './observe/blue-green-caches.ts';
import { blueGreenView } from './observe/blue-green-view.ts';
import { app, type FlinkCaches, jobName, jobOf, openFlinkCaches, sessionOf } from './observe/flink-caches.ts';
import { type Found, missed } from './observe/missed.ts';
import { askForSides, missedSides } from './observe/missed-sides.ts';
import { MountTrouble } from './observe/mount-trouble.ts';
import { deploymentView, sessionJobView, snapshotView } from './observe/views.ts';
import { flinkPort } from './ports/flink-port.ts';
import { flinkRest } from './ports/flink-rest.ts';
import { Follower } from './ports/follower.ts';
import type { Wire } from './ports/wire.ts';
import { type FlinkBlueGreenDeployment, flinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from './resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from './resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from './resources/flink-state-snapshot.ts';
import type { DeploymentView, SessionJobView, SnapshotView } from './view.ts';

export interface FlinkControllersOptions {
  readonly client: Client;
  /** The way to JobManagers; whoever opened it closes it. */
  readonly wire: Wire;
  /** Asked at every look. What is watched, and how many are worked on at once, is settled at the start. */
  readonly operator: () => OperatorConfig;
  readonly clock: Clock;
  readonly random: Random;
  /** Our own, in which a Java operator may keep its lease that is replaced in its place. */
  readonly namespace?: string;
  /** Another namespace in which a Java operator may keep its lease. */
  readonly otherOperator?: string;
  /** The namespaces that are watched, whatever environment and configuration say; absent or empty: as those say. */
  readonly namespaces?: readonly string[];
  /** `WATCH_NAMESPACES` wins over the configuration. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The name that the Java operator's documentation gives its lease. */
const javaLease = 'flink-operator-lease';

/** Most Java operators run without a lease; one that is alive has written the status of a new object by then. */
const javaFirstWordMs = 60_000;

/** The controllers of Flink's resources, by name. They share caches, the way to Flink, and what is known from there. */
export function flinkControllers(options: FlinkControllersOptions): Record<string, (caches: Caches) => AnyController> {
  const { client, wire, operator, clock, random } = options;
  const settings = settingsOf(options);
  const { timeouts } = settings;
  const follower = new Follower({ rest: flinkRest(wire, { timeoutMs: timeouts.request }), clock, random });
  const acted: Follower['acted'] = (address, triggerId) => follower.acted(address, triggerId);
  const ports = { flink: flinkPort({ wire, clock, timeouts, acted }) };
  const open = (caches: Caches): FlinkCaches => openFlinkCaches(caches, settings.scope);
  const common = { ports, workers: settings.workers };

  return {
    flinkdeployment: (opened) => {
      const caches = open(opened);
      const mounts = new MountTrouble({ client, clock });
      const sources = { caches, operator, following: follower.of('flinkdeployment'), mounts };
      const controller: Controller<FlinkDeployment, DeploymentView> = {
        ...common,
        ...identity(flinkDeployment, settings.leases),
        name: 'flinkdeployment',
        primary: caches.deployments,
        triggers: [
          by(caches.processes, app),
          by(caches.pods, app),
          by(caches.services, app),
          by(caches.configMaps, app),
          owned(caches.ingresses, flinkDeployment.type),
          by(caches.sessionJobs, sessionOf),
          by(caches.snapshots, (snapshot) => keysOfJob(snapshot, 'FlinkDeployment')),
        ],
        outside: [sources.following, mounts],
        observe: (key, glance) => {
          const view = (found?: Found): DeploymentView => deploymentView(key, glance, sources, found);
          return missed(key, glance.object, caches, client, glance.signal)?.then(view) ?? view();
        },
        decide: decideDeployment,
      };
      return controller;
    },
    flinksessionjob: (opened) => {
      const caches = open(opened);
      const sources = { caches, operator, following: follower.of('flinksessionjob') };
      const controller: Controller<FlinkSessionJob, SessionJobView> = {
        ...common,
        ...identity(flinkSessionJob, settings.leases),
        name: 'flinksessionjob',
        primary: caches.sessionJobs,
        triggers: [
          by(caches.deployments, (session) => jobsIn(caches, keyOf(session))),
          by(caches.pods, (pod) => app(pod).flatMap((session) => jobsIn(caches, session))),
          by(caches.snapshots, (snapshot) => keysOfJob(snapshot, 'FlinkSessionJob')),
        ],
        reads: clusterParts(caches),
        outside: [sources.following],
        observe: (key, glance) => sessionJobView(key, glance, sources),
        decide: decideSessionJob,
      };
      return controller;
    },
    flinkstatesnapshot: (opened) => {
      const caches = open(opened);
      const sources = { caches, operator, following: follower.of('flinkstatesnapshot') };
      const controller: Controller<FlinkStateSnapshot, SnapshotView> = {
        ...common,
        ...identity(flinkStateSnapshot, settings.leases, {
          // Most are over soon after they were made: whether the Java operator takes new ones is told by the jobs that it keeps.
          isOver: (snapshot) => isOver(snapshot as FlinkStateSnapshot),
          alsoKeep: [
            { cached: plain(caches.deployments), managers: javaManagers.FlinkDeployment },
            { cached: plain(caches.sessionJobs), managers: javaManagers.FlinkSessionJob },
          ],
        }),
        name: 'flinkstatesnapshot',
        primary: caches.snapshots,
        triggers: [
          by(caches.deployments, (job) => snapshotsOf(caches, 'FlinkDeployment', keyOf(job))),
          by(caches.sessionJobs, (job) => snapshotsOf(caches, 'FlinkSessionJob', keyOf(job))),
        ],
        reads: [plain(caches.pods), ...clusterParts(caches)],
        outside: [sources.following],
        observe: (key, glance) => snapshotView(key, glance, sources),
        decide: decideSnapshot,
      };
      return controller;
    },
    flinkbluegreendeployment: (opened) => {
      const caches = openBlueGreenCaches(opened, settings.scope);
      const sources = { caches, operator };
      const controller: Controller<FlinkBlueGreenDeployment, BlueGreenView> = {
        // That the Java operator is alive says nothing: it may run the sides. What it writes on the resource itself does.
        ...identity(flinkBlueGreenDeployment, []),
        name: 'flinkbluegreendeployment',
        primary: caches.blueGreens,
        triggers: [
          // Also what only has the name of one of ours: it is waited for.
          by(caches.deployments, (side) => concerned(caches, side, sideNames)),
          by(caches.ingresses, (ingress) => concerned(caches, ingress, ingressNames)),
          by(caches.snapshots, blueGreenOf),
        ],
        workers: settings.workers,
        observe: (key, glance) => {
          const missed = missedSides(glance.object, caches);
          if (missed.length === 0) return blueGreenView(key, glance, sources);
          const asked = askForSides(client, glance.object, missed, glance.signal);
          return asked.then((found) => blueGreenView(key, glance, sources, found));
        },
        decide: decideBlueGreen,
      };
      return controller;
    },
  };
}

/** What of the operator's configuration holds from start to end. */
function settingsOf(options: FlinkControllersOptions) {
  const { operator, namespace, otherOperator } = options;
  const places = new Set([namespace, otherOperator].filter((place) => place !== undefined));
  const config = new Map(Object.entries(operator().settings));
  const parallelism = read(config, operatorOptions.reconcileParallelism);
  const name = read(config, operatorOptions.leaseName) || javaLease;
  return {
    timeouts: {
      request: read(config, operatorOptions.clientTimeout),
      cancel: read(config, operatorOptions.cancelTimeout),
      submission: read(config, operatorOptions.submissionTimeout),
    },
    scope: {
      namespaces: watchedNamespaces(options),
      labelSelector: read(config, operatorOptions.labelSelector) || undefined,
    },
    // Any other number is "without limit" in the Java operator: that many nobody needs.
    workers: parallelism > 0 ? parallelism : operatorOptions.reconcileParallelism.otherwise,
    leases: [...places].map((place) => ({ namespace: place, name })),
  };
}

/** The namespaces that are watched; all when there are none. */
export function watchedNamespaces({
  operator,
  env,
  namespace,
  namespaces = [],
}: Pick<FlinkControllersOptions, 'operator' | 'env' | 'namespace' | 'namespaces'>): readonly string[] {
  if (namespaces.length > 0) return [...new Set(namespaces)];
  const config = new Map(Object.entries(operator().settings));
  return namespacesIn(env.WATCH_NAMESPACES ?? read(config, operatorOptions.watchedNamespaces), namespace);
}

/** `team-a, team-b`; all when empty or said so, our own when said so. */
function namespacesIn(text: string, own: string | undefined): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('JOSDK_ALL_NAMESPACES')) return [];
  const told = names.map((name) => (name === 'JOSDK_WATCH_CURRENT' ? (own ?? '') : name));
  return [...new Set(told)].filter((name) => name !== '');
}

/** What tells whether a kind is ours to act on. */
function identity(kind: Kind, leases: NonNullable<Foreign['leases']>, more: Partial<Foreign> = {}) {
  const managers = javaManagers[kind.type.kind as keyof typeof javaManagers];
  const foreign: Foreign = { managers, leases, firstWordMs: javaFirstWordMs, ...more };
  // Only what we write: a definition without a field of the spec never shows it to us.
  const schema: FieldTree = { properties: { status: kind.status.field } };
  return { foreign, schema };
}

function by<T extends KubeObject, I extends string>(
  cached: Cached<T, I>,
  keys: (object: T) => Iterable<string>,
): Trigger {
  return { cached: plain(cached), keys: (object) => keys(object as T) };
}

/** A cache as the loop wants it: without the type of what is in it. */
function plain<T extends KubeObject, I extends string>(cached: Cached<T, I>): Cached {
  return cached as unknown as Cached;
}

/** What is looked at of a cluster that belongs to another resource. */
function clusterParts({ processes, services, configMaps, ingresses }: FlinkCaches): readonly Cached[] {
  return [plain(processes), plain(services), plain(configMaps), plain(ingresses)];
}

function jobsIn({ sessionJobs }: FlinkCaches, session: string): readonly string[] {
  return sessionJobs.by('session', session).map(keyOf);
}

/** The snapshots of a job that wait for something. */
function snapshotsOf({ snapshots }: FlinkCaches, kind: 'FlinkDeployment' | 'FlinkSessionJob', key: string): string[] {
  const those = snapshots.by('job', jobName(kind, key));
  return those.filter((snapshot) => !isOver(snapshot)).map(keyOf);
}

/** Nothing is done about it any more. */
function isOver({ metadata, status }: FlinkStateSnapshot): boolean {
  return !metadata.deletionTimestamp && (status?.state === 'COMPLETED' || status?.state === 'ABANDONED');
}

/** The key of the job that a snapshot is of, if that is of this kind. */
function keysOfJob(snapshot: FlinkStateSnapshot, kind: 'FlinkDeployment' | 'FlinkSessionJob'): readonly string[] {
  return jobOf(snapshot)
    .filter((name) => name.startsWith(`${kind} `))
    .map((name) => name.slice(kind.length + 1));
}
