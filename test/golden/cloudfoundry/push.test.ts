import { expect } from 'vitest';
import { builderInfo } from '../../../src/cloudfoundry/resources/builder-info.ts';
import { cfBuild } from '../../../src/cloudfoundry/resources/cf-build.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { playScenes } from './play-scenes.ts';
import type { Played } from './played.ts';

interface Guids {
  readonly source: string;
  readonly build: string;
}

interface Listed {
  readonly resources: readonly { readonly guid: string }[];
}

/** An app that was pushed from an image, as the cf CLI does it. */
async function pushed(played: Played, app: string, name: string, image: string, guids: Guids): Promise<void> {
  const manifest = `applications:\n- name: ${name}\n  default-route: true\n  docker: {image: "<registry>/${image}"}\n`;
  const applied = await played.stage.send(
    'cf-admin',
    'POST',
    played.placeholders.fill('/v3/spaces/<space-guid>/actions/apply_manifest'),
    played.placeholders.fill(manifest),
    { 'content-type': 'application/x-yaml' },
  );
  expect(applied.status).toBe(202);
  const found = await played.send('cf-admin', 'GET', `/v3/apps?names=${name}&space_guids=<space-guid>`);
  played.placeholders.bind(app, (found.body as unknown as Listed).resources[0]?.guid ?? '');
  const relationships = { app: { data: { guid: app } } };
  const data = { image: `<registry>/${image}` };
  await played.make(guids.source, '/v3/packages', { type: 'docker', relationships, data });
  await played.make(guids.build, '/v3/builds', { package: { guid: guids.source } });
  await played.stage.clock.advance(10_000);
  const current = { data: { guid: guids.build } };
  await played.send('cf-admin', 'PATCH', `/v3/apps/${app}/relationships/current_droplet`, current);
  await played.send('cf-admin', 'POST', `/v3/apps/${app}/actions/start`);
  await played.stage.clock.advance(30_000);
}

async function task(played: Played, placeholder: string, app: string, command: string): Promise<void> {
  await played.make(placeholder, `/v3/apps/${app}/tasks`, { command });
  await played.stage.clock.advance(1_000);
}

/** What the recorded API answered on the way of an image into an app, asked of ours in the same order. */
playScenes({
  prepare: async (played) => {
    played.placeholders.bind('<registry>', 'registry.example');
    // Numbers are short: what stands for one of them would stand for many things.
    played.placeholders.bind('<task-seq>', 'a number');
    played.placeholders.bind('<unix-nanos>', 'nanoseconds');
    played.placeholders.bind('<base64>', 'a payload');
    await played.twoSpaces();
  },
  scenes: {
    builders: async (played, stage) => {
      await played.play('054-buildpacks-list-no-builderinfo', '055-stacks-list-no-builderinfo');
      const at = '2026-11-15T22:00:00Z';
      await stage.person.resource<KubeObject>(builderInfo.type).create({
        apiVersion: builderInfo.apiVersion,
        kind: builderInfo.type.kind,
        metadata: { name: 'kpack-image-builder', namespace: 'cf' },
        spec: {},
      } as KubeObject);
      const status = {
        stacks: [{ name: 'cflinuxfs4', createdAt: at, updatedAt: at }],
        buildpacks: [
          { name: 'paketo-buildpacks/go', version: '1.2.3', stack: 'cflinuxfs4', createdAt: at, updatedAt: at },
        ],
      };
      const name = { namespace: 'cf', name: 'kpack-image-builder' };
      await stage.person.resource(builderInfo.type).status.patch(name, { type: 'merge', body: { status } });
      await played.play('430-buildpacks-list', '431-stacks-list');
    },

    'an app that was pushed': async (played) => {
      await pushed(played, '<app-guid>', 'web1', 'app:1', { source: '<package-guid>', build: '<build-guid>' });
      await played.play('117-app-droplets', '118-app-packages', '125-app-manifest', '139-packages-list-cf-restart');
      await played.play('141-packages-list-invalid-query', '142-package-get', '143-package-get-unknown');
      await played.play('145-package-droplets', '146-builds-list', '147-build-get', '149-droplets-list');
      await played.play('150-droplet-get', '151-droplet-get-unknown', '173-space-manifest-diff');
    },

    'its logs': [
      '165-log-cache-read-limit1',
      '166-log-cache-read-unknown',
      '167-log-cache-read-invalid-limit',
      '169-log-cache-read-gauge',
      '194-nobody-log-cache-read',
    ],

    tasks: async (played, stage) => {
      await pushed(played, '<app-web2-guid>', 'web2', 'app:2', {
        source: '<package-web2-guid>',
        build: '<build-web2-guid>',
      });
      await task(played, '<task-guid>', '<app-guid>', 'echo task says hello; sleep 2; echo done');
      await task(played, '<task-guid-2>', '<app-guid>', 'echo bad; exit 3');
      await task(played, '<task-guid-3>', '<app-guid>', 'sleep 60');
      await played.send('cf-admin', 'PATCH', '/v3/tasks/<task-guid-3>', { metadata: { labels: { a: 'b' } } });
      await played.send('cf-admin', 'POST', '/v3/tasks/<task-guid-3>/actions/cancel');
      await task(played, '<task-web2-guid>', '<app-web2-guid>', 'echo task says hello; sleep 4; echo done');
      await task(played, '<task-web2-guid-2>', '<app-web2-guid>', 'echo bad; exit 3');
      await stage.clock.advance(20_000);
      await task(played, '<task-web2-guid-3>', '<app-web2-guid>', 'sleep 60');
      await stage.clock.advance(5_000);
      await played.play('272-task-create-missing-command', '273-task-create-unknown-app');
      await played.play('275-app-tasks-list', '276-app-tasks-list-cf-tasks', '277-tasks-list');
      await played.play('279-task-patch-metadata', '280-task-cancel');
      await stage.clock.advance(40_000);
      await played.play('281-task-get-canceled', '283-task-get-unknown', '284-task-cancel-unknown');
      await played.play('285-task-get-succeeded', '287-log-cache-read-with-tasks', '271-task-create-with-name');
      const size = { memory_in_mb: 64, disk_in_mb: 256 };
      await played.send('cf-admin', 'POST', '/v3/apps/<app-web2-guid>/processes/web/actions/scale', size);
      await played.play('288-processes-all-after-task');
    },

    'packages and builds': async (played, stage) => {
      const space = { data: { guid: '<space-space1-guid>' } };
      const docker = { type: 'docker', data: {} };
      const buildpack = { type: 'buildpack', data: { buildpacks: ['b1'], stack: 'cflinuxfs3' } };
      await played.make('<app-api1-guid>', '/v3/apps', { name: 'api1', lifecycle: docker, relationships: { space } });
      await played.make('<app-api2-guid>', '/v3/apps', {
        name: 'api2',
        lifecycle: buildpack,
        relationships: { space },
      });
      await played.play('329-package-create-docker', '331-package-create-bits', '332-package-create-missing-type');
      await played.play('333-package-create-invalid-type', '335-package-create-unknown-app');
      await played.play('336-package-create-docker-with-credentials', '337-package-get-bits-awaiting');
      await played.play('339-build-create-bits-not-ready', '340-build-create', '341-build-create-unknown-package');
      await played.play('343-build-create-with-lifecycle');
      await stage.clock.advance(10_000);
      await played.play('344-build-get-staged', '345-droplet-get-staged', '347-package-patch-metadata');
      await played.play('364-package-create-missing-image', '365-build-create-missing-image');
      const failed = {
        namespace: played.placeholders.fill('<space-space1-guid>'),
        name: played.placeholders.fill('<build-guid-x-4>'),
      };
      const status = { state: 'FAILED', droplet: null };
      await stage.person.resource(cfBuild.type).status.patch(failed, { type: 'merge', body: { status } });
      await played.play('367-droplet-get-failed-build');
    },

    manifests: async (played, stage) => {
      await played.play('413-space-apply-manifest', '415-space-apply-manifest-invalid-yaml');
      await played.play('416-space-apply-manifest-no-name', '417-space-apply-manifest-bad-memory');
      const found = await played.send('cf-admin', 'GET', '/v3/apps?names=man1&space_guids=<space-space1-guid>');
      played.placeholders.bind('<app-man1-guid>', (found.body as unknown as Listed).resources[0]?.guid ?? '');
      await stage.clock.advance(1_000);
      await played.play(
        '419-manifest-app-get',
        '420-manifest-app-processes',
        '421-manifest-app-env-vars',
        '423-manifest-app-manifest',
      );
    },

    'the logs of an app that was stopped': async (played, stage) => {
      await played.send('cf-admin', 'POST', '/v3/apps/<app-guid>/actions/stop');
      await stage.clock.advance(60_000);
      await played.play('235-stopped-log-cache-read');
    },
  },
});
