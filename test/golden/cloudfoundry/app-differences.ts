import type { Difference } from './differences.ts';

const notFound =
  'cf compares the text with "App not found" and the like; recorded with a second sentence it is not recognised';
const unknownField =
  'recorded as refused although the published API has the field; ours is taken, and what is asked for beside it is done';
const record =
  'recorded with the app itself for a deployment; ours is a record of its own, with all that the published API shows of it';

const each = (recordings: readonly string[], where: RegExp, because: string): readonly Difference[] =>
  recordings.map((recording) => ({ recording, where, because }));

/** Of apps, processes and deployments. */
export const appDifferences: readonly Difference[] = [
  {
    recording: '*',
    where: /^body\.(resources\[\]\.)?relationships\.current_droplet$/,
    because: 'the published API shows it with every app',
  },
  {
    recording: '*',
    where: /^body\.(resources\[\]\.)?log_rate_limit_in_bytes_per_second$/,
    because: 'the published API shows it with every process; -1 is no limit',
  },
  ...each(
    [
      '113-app-get-unknown',
      '135-process-get-unknown',
      '137-process-stats-unknown',
      '181-nobody-app-get',
      '182-nobody-app-stop',
      '183-nobody-process-get',
      '185-nobody-process-scale',
      '197-nobody-delete-app',
      '243-process-patch-unknown',
      '259-scale-unknown-app',
      '260-scale-unknown-process',
      '319-app-start-unknown',
      '320-app-stop-unknown',
      '321-app-restart-unknown',
      '439-app-get-deleted',
    ],
    /^body\.errors\[\]\.detail$/,
    notFound,
  ),
  ...each(['122-app-process-unknown-type'], /^body\.errors\[\]\.detail$/, 'recorded with the name of a Go type'),
  ...each(
    ['163-deployment-get-unknown'],
    /^body\.errors\[\]\.detail$/,
    'recorded with the app itself for a deployment; cf looks for "Deployment not found"',
  ),
  ...each(
    ['105-apps-list-include-space-org'],
    /^(status|body\.(errors|pagination|resources|included))$/,
    'the published API includes spaces and organizations in a list of apps; so does ours',
  ),
  ...each(
    ['119-app-relationships-current-droplet-get'],
    /^(status|body\.(errors|data|links))$/,
    'the published API has it; recorded as unknown',
  ),
  ...each(
    ['129-app-revisions'],
    /^(status|body\.(errors|pagination|resources))$/,
    'the link of every app leads there; ours is a list of nothing, recorded as unknown',
  ),
  ...each(
    [
      '123-app-process-web-stats',
      '205-process-stats-during-rolling',
      '261-process-stats-2',
      '353-app-process-stats-right-after-start',
      '355-app-process-stats-running',
      '357-app-process-stats-instance-restarting',
    ],
    /^body\.resources\[\]\.(details|isolation_segment|log_rate_limit|routable|usage|mem_quota|disk_quota|uptime)$/,
    'the published API has more of each instance; quotas are those of the process, time goes by otherwise, and usage that nobody measures is left out instead of shown as 0',
  ),
  ...each(
    ['205-process-stats-during-rolling', '357-app-process-stats-instance-restarting'],
    /^body\.resources\[\]\.state$/,
    'recorded as RUNNING while the revision before it runs there, or nothing any more; ours is STARTING and says why',
  ),
  ...each(
    ['261-process-stats-2'],
    /^body\.resources\[\]\.state$/,
    'recorded while other memory restarted the instances at once; ours takes it with the next revision',
  ),
  ...each(
    ['189-nobody-deployment-create', '214-deployment-create-unknown-app'],
    /^(status|body\.errors\[\]\.(detail|title|code))$/,
    'what a request refers to and is not there makes it unprocessable, in the words of the published API',
  ),
  ...each(
    ['201-deployment-create', '224-deployment-create-with-droplet'],
    /^body\.(guid|links\.(self\.href|cancel)|metadata|new_processes|options|previous_droplet|revision|status\.details|strategy)$/,
    record,
  ),
  ...each(
    ['204-deployments-list-active', '208-deployments-list-after', '209-deployments-list-finalized'],
    /^body\.resources\[\]\.(guid|links\.(self\.href|cancel)|metadata|new_processes|options|previous_droplet|revision|status\.details|strategy)$/,
    record,
  ),
  ...each(
    ['202-deployment-get-immediately'],
    /^(status|body\.(created_at|droplet|errors|guid|links|relationships|status|updated_at))$/,
    'recorded with the GUID of the app for that of a deployment; ours has its own',
  ),
  ...each(
    ['201-deployment-create', '204-deployments-list-active'],
    /\.status\.(value|reason)$/,
    'recorded as done before it had begun; ours is ACTIVE until all instances run the new revision',
  ),
  ...each(
    ['206-app-get-during-rolling'],
    /^body\.metadata\.labels\.korifi\.cloudfoundry\.org\/deployment-status$/,
    'recorded one step behind the condition that it tells',
  ),
  ...each(
    ['212-deployment-create-with-options'],
    /^(status|body\.(created_at|droplet|errors|guid|links|metadata|new_processes|options|previous_droplet|relationships|revision|status|strategy|updated_at))$/,
    unknownField,
  ),
  ...each(
    ['216-deployment-cancel', '217-deployment-continue'],
    /^body\.errors\[\]\.(detail|title|code)$/,
    'recorded without these actions; ours has them, and no deployment with the GUID of the app',
  ),
  ...each(
    ['244-process-patch-readiness', '256-scale-unknown-field'],
    /^(status|body\.(command|created_at|disk_in_mb|errors|guid|health_check|instances|links|memory_in_mb|metadata|relationships|type|updated_at))$/,
    unknownField,
  ),
  ...each(
    ['315-app-restart-without-droplet'],
    /^(status|body)$/,
    'recorded without an answer for two minutes; ours is refused at once, in the words that came then',
  ),
  ...each(
    ['316-deployment-create-without-droplet'],
    /^(status|body\.(created_at|droplet|errors|guid|links|relationships|status|updated_at))$/,
    'recorded as begun although there is nothing to deploy; ours is refused, and the app is not started by it',
  ),
  ...each(
    ['324-app-patch-env'],
    /^body\.links\.(app|self)\.href$/,
    'recorded with the name of a Secret where the app belongs',
  ),
  ...each(
    ['359-app-instance-restart-not-a-number'],
    /^(status|body\.errors\[\]\.(detail|title|code))$/,
    'recorded as a failure of the server; there is no such instance',
  ),
];
