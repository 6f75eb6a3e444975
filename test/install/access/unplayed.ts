/** Rights that the workloads of the simulation never use; why they are there all the same; and which test sees them used, if one can. */
export type Reason = readonly [rights: RegExp, why: string, seenBy?: string];

const owners: Reason = [
  /^update .*\/finalizers$/,
  'never asked for by us: clusters with OwnerReferencesPermissionEnforcement ask whether we might when we name an owner',
];

const cf = String.raw`korifi\.cloudfoundry\.org`;

export const unplayed: Readonly<Record<string, readonly Reason[]>> = {
  flink: [
    owners,
    [/^delete flink\.apache\.org\/flinkstatesnapshots$/, 'old snapshots go', 'test/flink/snapshots.test.ts'],
    [/^delete networking\.k8s\.io\/ingresses$/, 'a spec no longer asks for a way in', 'test/flink/ingress.test.ts'],
    [
      /^list events\.k8s\.io\/events$/,
      'a pod waits for long, and only events say why',
      'src/flink/observe/mount-trouble.test.ts',
    ],
    [/^(list|watch) coordination\.k8s\.io\/leases$/, 'the Java operator may be alive', 'test/flink/takeover.test.ts'],
  ],
  kudo: [
    owners,
    [
      /^get kudo\.dev\/operatorversions$/,
      'a cache that lags does not show a package',
      'src/kudo/observe/instance-view.test.ts',
    ],
    [/^(create|delete) kudo\.dev\/instances$/, 'packages that consist of others', 'test/kudo/reasons.test.ts'],
    [/^delete (configmaps|secrets)$/, 'tasks that delete, and what a toggle switches off', 'test/kudo/delete.test.ts'],
    [
      /^(get|create|patch|delete) (services|serviceaccounts|persistentvolumeclaims|apps\/(deployments|daemonsets|replicasets)|batch\/cronjobs|policy\/poddisruptionbudgets|rbac\.authorization\.k8s\.io\/(roles|rolebindings))$/,
      'kinds that other packages bring, handled like those that are played: by one code for all kinds',
      'test/kudo/kinds.test.ts',
    ],
    [/^(get|create) pods\/exec$/, 'a channel, which is no request; by GET or by POST', 'test/kudo/pipe.test.ts'],
  ],
  // The tests that are named here run their operators with exactly these rights.
  cloudfoundry: [
    owners,
    [
      new RegExp(`^patch ${cf}/(cfprocesses|cfdeployments)$`),
      'objects that people apply without what the API gives them',
      'test/cloudfoundry/apps.test.ts',
    ],
    [
      new RegExp(`^(create|get) ${cf}/buildworkloads$`),
      'somebody else builds, and is asked to',
      'test/cloudfoundry/staging.test.ts',
    ],
    [
      new RegExp(`^delete ${cf}/(cfspaces|cfapps|cfroutes)$`),
      'organizations and spaces go with what they hold',
      'test/cloudfoundry/places.test.ts',
    ],
    [
      new RegExp(`^delete ${cf}/(cftasks|taskworkloads)$`),
      'tasks that are cancelled, and that ended long ago',
      'test/cloudfoundry/tasks.test.ts',
    ],
    [
      new RegExp(`^delete ${cf}/cfdeployments$`),
      'only so many deployments are remembered',
      'test/cloudfoundry/deployments-life.test.ts',
    ],
    [
      new RegExp(`^delete ${cf}/(cfpackages|cfbuilds)$`),
      'only so many packages and builds are kept',
      'test/cloudfoundry/staging.test.ts',
    ],
    [
      /^(patch|delete) namespaces$/,
      'names change, and organizations and spaces go',
      'test/cloudfoundry/places.test.ts',
    ],
    [
      /^delete (serviceaccounts|rbac\.authorization\.k8s\.io\/rolebindings)$/,
      'what was passed on is taken back',
      'test/cloudfoundry/places.test.ts',
    ],
    [/^delete pods$/, 'an instance is stuck', 'src/cloudfoundry/decide/app-workload.test.ts'],
    [/^list apps\/controllerrevisions$/, 'a roll is looked into', 'test/cloudfoundry/apps.test.ts'],
    [
      /^(get|create|patch|delete) (gateway\.networking\.k8s\.io\/httproutes|networking\.k8s\.io\/ingresses)$/,
      'the way in, of one sort or the other',
      'test/cloudfoundry/routes.test.ts',
    ],
    [
      /^bind rbac\.authorization\.k8s\.io\/clusterroles$/,
      'no request, but asked by the server when a role is passed on',
    ],
  ],
};
