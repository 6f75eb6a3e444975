import { cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { cfSpace } from '../../../src/cloudfoundry/resources/cf-space.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { playScenes } from './play-scenes.ts';
import type { Played } from './played.ts';

/** An app as nobody but its own API would make it; its own recordings are played elsewhere. */
async function app(played: Played, placeholder: string, space: string, name: string): Promise<void> {
  const { placeholders, stage } = played;
  const guid = stage.platform.random.uuid();
  placeholders.bind(placeholder, guid);
  await stage.person.resource<KubeObject>(cfApp.type).create({
    apiVersion: cfApp.apiVersion,
    kind: cfApp.type.kind,
    metadata: { name: guid, namespace: placeholders.fill(space) },
    spec: { displayName: name, desiredState: 'STOPPED', lifecycle: { type: 'docker', data: {} } },
  } as KubeObject);
  await stage.clock.advance(1_000);
}

/** Something else holds on to an object; returns how to let go. */
async function held(
  { placeholders, stage }: Played,
  type: ResourceType,
  inside: string,
  which: string,
): Promise<() => Promise<void>> {
  const at = { namespace: placeholders.fill(inside), name: placeholders.fill(which) };
  const resource = stage.person.resource<KubeObject>(type);
  const { finalizers = [] } = (await resource.get(at)).metadata;
  const write = async (all: readonly string[]): Promise<void> => {
    await resource.patch(at, { type: 'merge', body: { metadata: { finalizers: all } } });
  };
  await write([...finalizers, 'test/held']);
  return async () => {
    const now = (await resource.get(at)).metadata.finalizers ?? [];
    await write(now.filter((one) => one !== 'test/held'));
  };
}

/** What the recorded API answered, asked of ours in the same order. Between recordings others did things as well: so do we. */
playScenes({
  scenes: {
    'the root and who is not known': [
      '001-root',
      '002-v3-root',
      '003-v3-info',
      '059-log-cache-info',
      '005-whoami-unauthenticated',
      '006-whoami-invalid-token',
      '007-whoami-basic-auth',
      '009-apps-unauthenticated',
      '010-apps-invalid-token',
      '014-unknown-path',
      '015-method-not-allowed',
    ],

    organizations: async (played) => {
      await played.play('011-orgs-list-empty');
      await played.make('<org-org1-guid>', '/v3/organizations', {
        name: 'org1',
        metadata: { labels: { team: 'a' }, annotations: { note: 'n1' } },
      });
      await played.play('017-org-create-duplicate', '018-org-create-missing-name', '019-org-create-bad-json');
      await played.play('021-org-create-unknown-field', '022-org-create-suspended', '023-org-get', '025-orgs-list');
      await played.play('026-orgs-list-by-name', '027-orgs-list-invalid-query', '029-org-default-domain');
      await played.play('030-org-default-isolation-segment', '031-org-quotas');
      await played.send('cf-admin', 'PATCH', '/v3/organizations/<org-org1-guid>', {
        metadata: { labels: { team: 'b' } },
      });
    },

    spaces: [
      '033-space-create',
      '034-space-create-duplicate',
      '035-space-create-missing-org',
      '037-space-get',
      '038-space-get-unknown',
      '039-spaces-list',
      '041-spaces-list-include-org',
      '042-spaces-list-invalid-query',
      '043-space-feature-ssh',
      '045-space-running-security-groups',
      '046-space-staging-security-groups',
    ],

    domains: [
      '047-domains-list',
      '049-domain-get-unknown',
      '050-domain-create',
      '051-domain-create-duplicate',
      '053-domains-list-by-name',
    ],

    'what there is none of': [
      '057-users-list',
      '058-roles-list',
      '061-service-bindings-list',
      '062-service-route-bindings-list',
      '063-audit-events',
    ],

    'routes of an app': async (played, stage) => {
      const user = { data: { username: 'system:serviceaccount:cf:cf-admin' } };
      await played.make('<org-guid>', '/v3/organizations', { name: 'demo' });
      const organization = { data: { guid: '<org-guid>' } };
      await played.make('<role-organization_user-guid>', '/v3/roles', {
        type: 'organization_user',
        relationships: { organization, user },
      });
      await played.make('<space-guid>', '/v3/spaces', { name: 'dev', relationships: { organization } });
      const space = { data: { guid: '<space-guid>' } };
      for (const type of ['space_manager', 'space_developer']) {
        await played.make(`<role-${type}-guid>`, '/v3/roles', { type, relationships: { space, user } });
      }
      await app(played, '<app-guid>', '<space-guid>', 'web1');
      await played.make('<route-guid>', '/v3/routes', {
        host: 'web1',
        relationships: { domain: { data: { guid: 'default-domain' } }, space },
      });
      await played.send('cf-admin', 'POST', '/v3/routes/<route-guid>/destinations', {
        destinations: [{ app: { guid: '<app-guid>' } }],
      });
      await stage.clock.advance(1_000);
      await played.play('153-routes-list-by-app', '154-routes-list-by-space', '155-routes-list-invalid-query');
      await played.play('157-route-get-include-domain', '158-route-get-unknown', '159-route-destinations');
      await played.play('170-roles-list', '171-roles-list-by-space');
      await played.play('174-jobs-get-unknown', '175-jobs-get-apply-manifest-form');
    },

    'who has no role': [
      '177-nobody-orgs-list',
      '178-nobody-spaces-list',
      '186-nobody-org-create',
      '187-nobody-space-create',
      '190-nobody-org-get',
      '191-nobody-space-get',
      '193-nobody-route-get',
      '195-nobody-role-create',
    ],

    'routes that are made and unmade': async (played, stage) => {
      await app(played, '<app-api1-guid>', '<space-space1-guid>', 'api1');
      await played.play('368-route-create', '369-route-create-duplicate', '371-route-create-unknown-domain');
      await played.play('372-route-create-invalid-host', '373-route-create-invalid-path');
      await played.send('cf-admin', 'POST', '/v3/routes/<route-r1-guid>/destinations', {
        destinations: [{ app: { guid: '<app-api1-guid>' } }],
      });
      await stage.clock.advance(1_000);
      await played.play('375-route-destinations-add-empty', '376-route-destinations-add-invalid-port');
      await played.play('377-route-destination-delete', '379-route-delete');
      await stage.clock.advance(1_000);
      await played.play('380-job-route-delete');
    },

    roles: async (played, stage) => {
      await played.play('381-role-create-org-user');
      const user = { data: { username: 'system:serviceaccount:cf:dev' } };
      await played.make('<role-space_developer-guid-2>', '/v3/roles', {
        type: 'space_developer',
        relationships: { user, space: { data: { guid: '<space-space1-guid>' } } },
      });
      await played.play('383-role-create-duplicate', '384-role-create-no-org-user', '385-role-create-org-user-plain');
      await played.make('<role-space_developer-guid-3>', '/v3/roles', {
        type: 'space_developer',
        relationships: { user: { data: { username: 'alice' } }, space: { data: { guid: '<space-space1-guid>' } } },
      });
      await played.play('387-role-create-invalid-type', '388-role-create-missing-type', '389-roles-list');
      await stage.clock.advance(1_000);
      await played.play('391-dev-whoami', '392-dev-orgs-list', '395-dev-org-delete-forbidden');
      await played.play(
        '396-dev-space-delete-forbidden',
        '397-dev-domain-create-forbidden',
        '400-role-create-space-manager',
      );
      await played.play('401-role-create-org-user-nobody', '403-role-create-space-manager-2', '411-role-delete');
      await played.play('412-role-delete-unknown');
    },

    'what is deleted': async (played, stage) => {
      await played.play('441-domain-patch', '442-domain-delete');
      await stage.clock.advance(2_000);
      await played.play('443-job-domain-delete');
      const releaseApp = await held(played, cfApp.type, '<space-space1-guid>', '<app-api1-guid>');
      await played.send('cf-admin', 'DELETE', '/v3/apps/<app-api1-guid>');
      await played.play('437-job-app-delete-processing');
      await releaseApp();
      const release = await held(played, cfSpace.type, '<org-org1-guid>', '<space-space1-guid>');
      await played.send('cf-admin', 'DELETE', '/v3/spaces/<space-space1-guid>');
      await played.play('445-job-space-delete-1');
      await release();
      await stage.clock.advance(120_000);
      await played.play('446-job-space-delete-2', '447-org-delete');
      await stage.clock.advance(120_000);
      await played.play('449-job-org-delete-2', '450-org-delete-unknown');
    },
  },
});
