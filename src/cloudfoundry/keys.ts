/** Labels and annotations of Cloud Foundry's objects on Kubernetes: the published ones, and a few of our own. */

const prefix = 'korifi.cloudfoundry.org/';

/** Where each is found, and what it holds, is in the reference of the resources (docs/cloudfoundry/). */
export const labels = {
  guid: `${prefix}guid`,
  createdAt: `${prefix}created_at`,
  updatedAt: `${prefix}updated_at`,
  spaceGuid: `${prefix}space-guid`,
  spaceName: `${prefix}space-name`,
  orgGuid: `${prefix}org-guid`,
  orgName: `${prefix}org-name`,
  /** Hex SHA-224 of a name that a label cannot hold. */
  displayName: `${prefix}display-name`,
  domainName: `${prefix}domain-name`,
  domainGuid: `${prefix}domain-guid`,
  appGuid: `${prefix}app-guid`,
  appRev: `${prefix}app-rev`,
  processGuid: `${prefix}process-guid`,
  processType: `${prefix}process-type`,
  packageGuid: `${prefix}package-guid`,
  packageState: `${prefix}package-state`,
  dropletGuid: `${prefix}droplet-guid`,
  buildGuid: `${prefix}build-guid`,
  buildState: `${prefix}build-state`,
  deploymentStatus: `${prefix}deployment-status`,
  taskSequenceId: `${prefix}task-sequence-id`,
  taskGuid: `${prefix}task-guid`,
  routeGuid: `${prefix}route-guid`,
  routeHost: `${prefix}route-host`,
  routePath: `${prefix}route-path`,
  unmapped: `${prefix}unmapped`,
  ready: `${prefix}ready`,
  workloadGuid: `${prefix}appworkload-guid`,
  version: `${prefix}version`,
  roleGuid: 'cloudfoundry.org/role-guid',
  propagatedFrom: 'cloudfoundry.org/propagated-from',
} as const;

export const annotations = {
  creationVersion: `${prefix}creation-version`,
  /** The revision that is wanted; a decimal number. */
  appRev: `${prefix}app-rev`,
  /** The revision at the last stop: what was made under another one is stale. */
  lastStopAppRev: `${prefix}last-stop-app-rev`,
  applicationId: `${prefix}application-id`,
  processGuid: `${prefix}process-guid`,
  version: `${prefix}version`,
  orgName: `${prefix}org-name`,
  spaceName: `${prefix}space-name`,
  appGuids: `${prefix}app-guids`,
  propagateRole: 'cloudfoundry.org/propagate-cf-role',
  propagateServiceAccount: 'cloudfoundry.org/propagate-service-account',
  propagateDeletion: 'cloudfoundry.org/propagate-deletion',
  /** On a CFApp: the greatest `app-rev` ever given, also one that was canceled. */
  highestAppRev: 'cutover.dev/highest-app-rev',
  /** On a CFApp: the deployment that the present `app-rev` belongs to, as JSON (`deployment-mark.ts`). */
  deployment: 'cutover.dev/deployment',
  /** On an AppWorkload: specs of revisions that a cancel can return to, as JSON (`kept-revisions.ts`). */
  keptRevisions: 'cutover.dev/kept-revisions',
  /** On a StatefulSet: by how many pods it is larger than wanted while it rolls. */
  surge: 'cutover.dev/surge',
} as const;

export const finalizers = {
  app: 'cfApp.korifi.cloudfoundry.org',
  org: 'cfOrg.korifi.cloudfoundry.org',
  space: 'cfSpace.korifi.cloudfoundry.org',
  domain: 'cfDomain.korifi.cloudfoundry.org',
  package: 'korifi.cloudfoundry.org/cfPackageController',
  workload: 'appWorkload.korifi.cloudfoundry.org',
  /** Only routes of older installations have it, and nothing is left to do for it: what a route owns goes by itself. */
  route: 'cfRoute.korifi.cloudfoundry.org',
} as const;
