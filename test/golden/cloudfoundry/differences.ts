import { appDifferences } from './app-differences.ts';

import { pushDifferences } from './push-differences.ts';

/** A known difference between an answer of ours and the recorded one, with the reason why it stays. */
export interface Difference {
  /** The recording, or `*` when it can happen in any. */
  readonly recording: string;
  /** Where in the answer: `body.metadata.labels.team`. */
  readonly where: RegExp;
  readonly because: string;
}

/** All of them. A difference that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const differences: readonly Difference[] = [
  ...pushDifferences,
  {
    recording: '*',
    where: /\.labels\.korifi\.cloudfoundry\.org\/updated_at$/,
    because:
      'recorded as a label that every write renews, so that no object is ever at rest; ours is told by updated_at',
  },
  {
    recording: '*',
    where: /\.annotations\.kubectl\.kubernetes\.io\/last-applied-configuration$/,
    because: 'what kubectl keeps for itself is nothing to a user of cf; ours is left out',
  },
  ...[
    '031-org-quotas',
    '045-space-running-security-groups',
    '046-space-staging-security-groups',
    '062-service-route-bindings-list',
  ].map((recording) => ({
    recording,
    where: /^body\.pagination\.(total_pages|(first|last)\.href)$/,
    because: 'recorded with pages of no entries and, in part, no page at all; ours is a list like any other',
  })),
  {
    recording: '001-root',
    where: /^body\.links\.cloud_controller_v3\.meta\.version$/,
    because: 'clients choose what they ask for by it; ours has more of the API than the recorded version',
  },
  {
    recording: '003-v3-info',
    where: /^body\.(cli_version\.minimum|description|name|links\.support)$/,
    because: 'it says of itself what it is',
  },
  {
    recording: '*',
    where: /^body\.metadata\.labels\.korifi\.cloudfoundry\.org\/ready$/,
    because: 'the label follows the condition, and an answer does not wait for it',
  },
  {
    recording: '057-users-list',
    where: /^body\.resources\[\]\.(presentation_name|origin)$/,
    because: 'cf takes a user without them for a client and shows no name',
  },
  {
    recording: '063-audit-events',
    where: /^(status|body\.(errors|pagination|resources))$/,
    because: 'cf events asks for them, and there are none; recorded as if the API had never heard of them',
  },
  {
    recording: '372-route-create-invalid-host',
    where: /^body\.errors\[\]\.detail$/,
    because: 'recorded with what Kubernetes says of a label that the user knows nothing of; ours names the host',
  },
  {
    recording: '376-route-destinations-add-invalid-port',
    where: /^(status|body\.(destinations|links|errors))$/,
    because: 'recorded as accepted although no port has this number; ours is refused, and nothing is changed',
  },
  ...['381-role-create-org-user', '401-role-create-org-user-nobody', '403-role-create-space-manager-2'].map(
    (recording) => ({
      recording,
      where: /^body\.(relationships\.user\.data\.guid|links\.user\.href)$/,
      because:
        'recorded with the bare name of the account, which the list of roles then spells otherwise; ours is one name',
    }),
  ),
  {
    recording: '383-role-create-duplicate',
    where: /^body\.errors\[\]\.detail$/,
    because: 'the user is called by the name that the request and all other answers call him by',
  },
  {
    recording: '395-dev-org-delete-forbidden',
    where: /^(status|body\.errors\[\]\.(detail|title|code))$/,
    because: 'recorded as if the organization, which the same user can list, were not there; ours is as for spaces',
  },
  {
    recording: '412-role-delete-unknown',
    where: /^body\.errors\[\]\.detail$/,
    because: 'recorded with the name of a Go type',
  },
  ...appDifferences,
];
