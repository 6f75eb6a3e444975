import type { Difference } from './differences.ts';

const lists = /^(status|body\.(errors|pagination|resources))$/;
const detail = /^body\.errors\[\]\.detail$/;

/** How answers about packages, builds, droplets, manifests, tasks and logs differ from the recorded ones, and why. */
export const pushDifferences: readonly Difference[] = [
  ...['054-buildpacks-list-no-builderinfo', '055-stacks-list-no-builderinfo'].map((recording) => ({
    recording,
    where: lists,
    because: 'recorded as an error of the server, or as not found; where nobody builds, there is nothing to list',
  })),
  ...['430-buildpacks-list', '431-stacks-list'].map((recording) => ({
    recording,
    where: /^body\.resources\[\]\.(guid|metadata\.(labels|annotations))$/,
    because: 'recorded without a GUID, and with null for a map; ours is called by its name',
  })),
  ...['125-app-manifest', '423-manifest-app-manifest'].map((recording) => ({
    recording,
    where: /^body$/,
    because:
      'recorded without variables, and with sizes that have no unit, which the same API refuses to apply; ours can be applied',
  })),
  {
    recording: '151-droplet-get-unknown',
    where: detail,
    because: "recorded as if it were a build that was asked for; cf compares the text, which is CC's",
  },
  ...[
    '166-log-cache-read-unknown',
    '194-nobody-log-cache-read',
    '273-task-create-unknown-app',
    '367-droplet-get-failed-build',
  ].map((recording) => ({
    recording,
    where: detail,
    because: "cf compares the text, which is CC's, with nothing after it",
  })),
  {
    recording: '165-log-cache-read-limit1',
    where:
      /^body\.envelopes\.batch\[\]\.(source_id|instance_id|tags\.source_type|timestamp|log\.(type|payload|payload_decoded))$/,
    because: "ours says which process and instance has printed a line; what it prints is the image's business",
  },
  {
    recording: '169-log-cache-read-gauge',
    where: /^body\.envelopes\.batch\.length$/,
    because: 'recorded with zeroes, as if they had been measured; where nobody measures, ours has no gauges',
  },
  ...['275-app-tasks-list', '276-app-tasks-list-cf-tasks', '277-tasks-list'].map((recording) => ({
    recording,
    where: /^body\.resources\[\]\.(sequence_id|metadata\.labels\.korifi\.cloudfoundry\.org\/task-sequence-id)$/,
    because:
      'recorded with an instant of seventeen digits, which people have to type; ours counts the tasks of the app',
  })),
  ...['279-task-patch-metadata', '280-task-cancel', '281-task-get-canceled', '285-task-get-succeeded'].map(
    (recording) => ({
      recording,
      where: /^body\.(sequence_id|metadata\.labels\.korifi\.cloudfoundry\.org\/task-sequence-id)$/,
      because: 'recorded with an instant of seventeen digits; ours counts the tasks of the app',
    }),
  ),
  {
    recording: '277-tasks-list',
    where: /^body\.resources\[\]\.(state|result\.failure_reason)$/,
    because: 'recorded with a launcher that images need not have, so that no command could run; ours runs',
  },
  {
    recording: '280-task-cancel',
    where: /^body\.(state|result\.failure_reason)$/,
    because: 'recorded after it had waited for the end; ours answers at once, and says CANCELING until it has ended',
  },
  {
    recording: '287-log-cache-read-with-tasks',
    where: /^body\.envelopes\.batch\.length$/,
    because: 'recorded without what tasks and staging have printed',
  },
  {
    recording: '271-task-create-with-name',
    where: /^(status|body\.\w+)$/,
    because: 'recorded as refused, so that cf run-task --name cannot be used; ours takes the name',
  },
  ...['331-package-create-bits', '337-package-get-bits-awaiting'].map((recording) => ({
    recording,
    where: /^body\.data\.(image|error|checksum)$/,
    because: 'recorded with an image that does not exist until files are uploaded; ours is as in CC',
  })),
  {
    recording: '339-build-create-bits-not-ready',
    where: /^(status|body\.\w+)$/,
    because: 'recorded as a build that stages for ever; ours is refused, as in CC',
  },
  {
    recording: '419-manifest-app-get',
    where: /^body\.relationships\.current_droplet$/,
    because: 'ours says that it has no droplet, as CC does',
  },
  {
    recording: '420-manifest-app-processes',
    where: /^body\.resources\[\]\.log_rate_limit_in_bytes_per_second$/,
    because: 'cf shows it; ours says that there is no limit, as CC does',
  },
  {
    recording: '235-stopped-log-cache-read',
    where: /^body\.envelopes\.batch\.length$/,
    because: 'recorded without what tasks and staging have printed, which the stop of the app does not undo',
  },
];
