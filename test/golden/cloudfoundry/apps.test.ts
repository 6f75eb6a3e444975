import { expect } from 'vitest';
import { playScenes } from './play-scenes.ts';
import type { Played } from './played.ts';

async function done(played: Played, method: string, path: string, body?: Parameters<Played['send']>[3]): Promise<void> {
  const { status, body: answer } = await played.send('cf-admin', method, path, body);
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  await played.stage.clock.advance(30_000);
}

/** An image becomes the droplet of an app. */
async function staged(played: Played, app: string, source: string, build: string): Promise<void> {
  const relationships = { app: { data: { guid: app } } };
  await played.make(source, '/v3/packages', { type: 'docker', relationships, data: { image: '<registry>/app:1' } });
  await played.make(build, '/v3/builds', { package: { guid: source } });
  await played.stage.clock.advance(10_000);
}

/** What is in both worlds although it was made in different ways. */
async function routed(played: Played, app: string, space: string): Promise<void> {
  const domain = { data: { guid: 'default-domain' } };
  await played.make('<route-guid>', '/v3/routes', {
    host: 'web1',
    relationships: { domain, space: { data: { guid: space } } },
  });
  await done(played, 'POST', '/v3/routes/<route-guid>/destinations', { destinations: [{ app: { guid: app } }] });
}

/** What the recorded API answered in the life of an app, asked of ours in the same order. */
playScenes({
  prepare: async (played) => {
    played.placeholders.bind('<registry>', 'registry.example');
    await played.twoSpaces();
  },
  scenes: {
    'apps that there are not': ['013-apps-list-empty'],

    'an app that was pushed': async (played) => {
      const relationships = { space: { data: { guid: '<space-guid>' } } };
      await played.make('<app-guid>', '/v3/apps', {
        name: 'web1',
        lifecycle: { type: 'docker', data: {} },
        relationships,
      });
      await routed(played, '<app-guid>', '<space-guid>');
      await staged(played, '<app-guid>', '<package-guid>', '<build-guid>');
      await done(played, 'PATCH', '/v3/apps/<app-guid>/relationships/current_droplet', {
        data: { guid: '<build-guid>' },
      });
      await done(played, 'POST', '/v3/apps/<app-guid>/actions/start');
      await played.play('101-apps-list-by-name', '102-apps-list', '103-apps-list-cf-apps');
      await played.play('105-apps-list-include-space-org', '106-apps-list-no-match', '107-apps-list-paging');
      await played.play('109-apps-list-invalid-order-by', '110-apps-list-invalid-per-page', '111-app-get');
      await played.play('113-app-get-unknown', '114-app-env', '115-app-environment-variables');
      await played.play('119-app-relationships-current-droplet-get', '126-app-ssh-enabled', '127-app-feature-ssh');
      await played.play('129-app-revisions');
    },

    'its process': [
      '121-app-process-web',
      '122-app-process-unknown-type',
      '123-app-process-web-stats',
      '130-processes-list',
      '131-processes-list-by-app',
      '133-processes-list-invalid-query',
      '134-process-get',
      '135-process-get-unknown',
      '137-process-stats-unknown',
      '138-process-sidecars',
    ],

    'who has no role': [
      '179-nobody-apps-list',
      '181-nobody-app-get',
      '182-nobody-app-stop',
      '183-nobody-process-get',
      '185-nobody-process-scale',
      '189-nobody-deployment-create',
      '197-nobody-delete-app',
    ],

    deployments: async (played, stage) => {
      await played.play('161-deployments-list-cf-app', '162-deployments-list-invalid-query');
      await played.play('163-deployment-get-unknown');
      await done(played, 'POST', '/v3/apps/<app-guid>/processes/web/actions/scale', { instances: 3 });
      await done(played, 'POST', '/v3/apps/<app-guid>/actions/restart');
      await played.play('201-deployment-create', '202-deployment-get-immediately', '204-deployments-list-active');
      await played.play('205-process-stats-during-rolling', '206-app-get-during-rolling');
      await stage.clock.advance(120_000);
      await played.play('208-deployments-list-after', '209-deployments-list-finalized');
      await played.play('210-deployments-list-invalid-status', '212-deployment-create-with-options');
      await played.play('213-deployment-create-empty-body', '214-deployment-create-unknown-app');
      await played.play('216-deployment-cancel', '217-deployment-continue', '220-app-get-dangling-droplet');
      await played.play(
        '222-app-set-droplet-unknown',
        '223-app-set-current-droplet',
        '224-deployment-create-with-droplet',
      );
      // Others were made between the recordings, which count.
      await done(played, 'POST', '/v3/deployments', { relationships: { app: { data: { guid: '<app-guid>' } } } });
      await stage.clock.advance(120_000);
    },

    'an app that is stopped': async (played) => {
      await done(played, 'POST', '/v3/apps/<app-guid>/actions/stop');
      await played.play('231-stopped-process-stats', '232-stopped-processes', '233-stopped-app-stop-again');
      await done(played, 'POST', '/v3/apps/<app-guid>/actions/start');
    },

    'a process that is changed': async (played) => {
      await done(played, 'PATCH', '/v3/processes/<process-guid>', { health_check: { type: 'process' } });
      await played.play('240-process-get-health-process', '241-process-patch-health-http', '243-process-patch-unknown');
      await played.play('244-process-patch-readiness', '245-process-patch-metadata');
      await done(played, 'PATCH', '/v3/processes/<process-guid>', { health_check: { type: 'port' } });
      await played.play('251-scale-by-process-guid', '252-scale-empty', '253-scale-negative-instances');
      await played.play('255-scale-string', '256-scale-unknown-field', '257-scale-bad-json', '259-scale-unknown-app');
      await played.play('260-scale-unknown-process', '261-process-stats-2');
    },

    'apps that are made': async (played, stage) => {
      await played.play(
        '301-app-create-docker',
        '303-app-create-buildpack-default',
        '304-app-create-buildpack-explicit',
      );
      await played.play('305-app-create-missing-name', '307-app-create-empty', '308-app-create-bad-json');
      await played.play('309-app-create-unknown-space', '311-app-create-invalid-lifecycle');
      await played.play('312-app-create-unknown-field', '313-app-create-wrong-type');
      await played.play(
        '315-app-restart-without-droplet',
        '316-deployment-create-without-droplet',
        '317-app-current-droplet-none',
      );
      await played.play('319-app-start-unknown', '320-app-stop-unknown', '321-app-restart-unknown');
      await stage.clock.advance(5_000);
      const metadata = { labels: { x: null, z: 'w' } };
      await done(played, 'PATCH', '/v3/apps/<app-api1-guid>', { name: 'api1b', metadata });
      await played.play('323-app-patch-lifecycle', '324-app-patch-env', '325-app-patch-env-vcap');
      await played.play('327-app-env-vars', '328-app-env');
    },

    'an app that starts, loses an instance, restarts and stops': async (played, stage) => {
      await staged(played, '<app-api1-guid>', '<package-guid-x>', '<build-guid-x-2>');
      await played.play('348-app-set-current-droplet', '349-app-set-current-droplet-missing');
      // The recorded app was started by a deployment from before it had a droplet, which ours refuses.
      await done(played, 'POST', '/v3/deployments', { relationships: { app: { data: { guid: '<app-api1-guid>' } } } });
      await played.play('351-app-processes-after-droplet', '352-app-start');
      await stage.clock.advance(30_000);
      await played.play('353-app-process-stats-right-after-start', '355-app-process-stats-running');
      await played.play('356-app-instance-restart', '357-app-process-stats-instance-restarting');
      await stage.clock.advance(30_000);
      await played.play('359-app-instance-restart-not-a-number', '360-process-instance-restart');
      await stage.clock.advance(30_000);
      await played.play('361-app-restart');
      await stage.clock.advance(30_000);
      await played.play('363-app-stop');
      await stage.clock.advance(30_000);
    },

    'who has some role': async (played, stage) => {
      const user = (name: string) => ({ data: { username: `system:serviceaccount:cf:${name}` } });
      const organization = { data: { guid: '<org-org1-guid>' } };
      const space = { data: { guid: '<space-space1-guid>' } };
      for (const [name, type] of [
        ['dev', 'space_developer'],
        ['nobody', 'space_manager'],
      ] as const) {
        const relationships = { user: user(name), organization };
        await played.make(`<role-org-${name}>`, '/v3/roles', { type: 'organization_user', relationships });
        await played.make(`<role-space-${name}>`, '/v3/roles', { type, relationships: { user: user(name), space } });
      }
      await stage.clock.advance(5_000);
      await played.play(
        '393-dev-apps-list',
        '399-dev-app-create',
        '404-manager-app-get',
        '405-manager-app-start-forbidden',
      );
      await played.play('407-manager-scale-forbidden', '408-manager-deployment-forbidden', '409-manager-env-forbidden');
    },

    'many apps, and one that is deleted': async (played, stage) => {
      for (const [app, name, space] of [
        ['<app-man1-guid>', 'man1', '<space-space1-guid>'],
        ['<app-web2-guid>', 'web2', '<space-guid>'],
      ] as const) {
        const relationships = { space: { data: { guid: space } } };
        await played.make(app, '/v3/apps', { name, lifecycle: { type: 'docker', data: {} }, relationships });
      }
      await stage.clock.advance(5_000);
      await played.play('433-apps-list-page-2', '434-apps-list-page-beyond', '435-apps-list-label-selector');
      const { status, headers } = await played.send('cf-admin', 'DELETE', '/v3/apps/<app-api1-guid>');
      expect(status).toBe(202);
      expect(headers.get('location')).toBe(
        played.placeholders.fill('https://<api-host>/v3/jobs/app.delete~<app-api1-guid>'),
      );
      await stage.clock.advance(30_000);
      await played.play('438-job-app-delete-complete', '439-app-get-deleted');
    },
  },
});
