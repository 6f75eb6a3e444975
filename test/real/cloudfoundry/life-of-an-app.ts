import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../src/cloudfoundry/keys.ts';
import type { Cf } from './cf.ts';
import { userName } from './cluster-users.ts';
import { Load, type Served } from './load.ts';
import { Transcript } from './transcript.ts';
import { ADMIN, CfWorld } from './world.ts';

const MINUTE = 60_000;
const IMAGE = 'rig.local/app:1';
/** Names under `invalid` lead nowhere. */
const BROKEN = 'registry.invalid/app:2';

/** A cluster to try everything on. */
export interface Site extends AsyncDisposable {
  /** Of somebody who may do everything. */
  readonly kubeconfig: string;
  /** Whether Services have addresses that this process can ask. */
  readonly hasNetwork: boolean;
}

interface Deployments {
  readonly resources: readonly { readonly status: { readonly details: { readonly error?: string } } }[];
}

/**
 * Every command that a developer uses, from the first to the last of an app's life, typed into the real `cf`. Each test goes
 * on from the one before. Where instances have a network, somebody asks the app's Service all through each deployment.
 */
export function lifeOfAnApp(open: () => Promise<Site>, ended: (transcript: string) => void = () => {}): void {
  const transcript = new Transcript();
  let site: Site;
  let world: CfWorld;
  let cf: Cf;
  let namespace: string;

  beforeAll(async () => {
    site = await open();
    world = await CfWorld.open(site.kubeconfig);
    cf = await world.person(ADMIN, transcript.hear);
  }, 2 * MINUTE);
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  // What follows a failure would fail only because of it.
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    onTestFailed(() => {
      hasFailed = true;
    });
    skip(hasFailed, 'what comes before it has failed');
  });

  const uids = async (): Promise<readonly (string | undefined)[]> =>
    (await world.instances(namespace)).map(({ metadata }) => metadata.uid);
  const setUid = async (): Promise<string | undefined> => (await world.statefulSets(namespace))[0]?.metadata.uid;
  const revisions = async (): Promise<readonly (string | undefined)[]> =>
    (await world.instances(namespace)).map(({ metadata }) => metadata.labels?.[labels.version]);

  /** Does something without downtime: nobody's request fails, and there are never fewer ready instances than there were. */
  const served = async (what: string, done: () => Promise<unknown>): Promise<void> => {
    const before = (await world.instances(namespace)).length;
    const load = site.hasNetwork ? new Load(await world.address(namespace)) : undefined;
    let seen: Served | undefined;
    let least = 0;
    try {
      least = await world.leastReady(namespace, done);
    } finally {
      seen = await load?.end();
    }
    expect(least, what).toBeGreaterThanOrEqual(before);
    if (seen === undefined) return;
    expect(seen.failures, what).toEqual([]);
    expect(seen.perSecond, what).toBeGreaterThanOrEqual(100);
    transcript.say(
      `Meanwhile: ${seen.requests} requests to the app's Service, ${seen.perSecond} per second, on new and on kept connections, without retries; ${seen.failures.length} failed.`,
    );
  };
  const expectAllNew = (before: readonly unknown[], after: readonly unknown[]): void => {
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
  };

  describe('the cf CLI', { timeout: 2 * MINUTE }, () => {
    it('makes an organization and a space', async () => {
      transcript.say('## A space');
      expect(await cf.run('api', world.url)).toContain('API version:    3.');
      await cf.run('auth', cf.user);
      await cf.run('create-org', 'demo');
      await cf.run('create-space', 'dev', '-o', 'demo');
      expect(await cf.run('target', '-o', 'demo', '-s', 'dev')).toMatch(/org: +demo\nspace: +dev/);
    });

    it('pushes an image and shows what runs', async () => {
      transcript.say('## An app from an image');
      const pushed = await cf.run('push', 'web', '--docker-image', IMAGE, '-m', '32M', '-k', '64M');
      expect(pushed).toMatch(/instances: +1\/1/);
      namespace = await world.namespaceOf('web');
      expect(await cf.run('apps')).toMatch(/web +started +web:1\/1 +web\.apps\.example/);
      expect(await cf.run('app', 'web')).toMatch(/#0 +running/);
      expect(await cf.run('logs', 'web', '--recent')).toContain('app listening on 8080');
    });

    it('sets a variable, which restarts nothing until the app is restarted, then without downtime for its only instance', async () => {
      transcript.say('## One instance, and no downtime');
      const before = await uids();
      // It listens only after a while, and says what it was told.
      for (const [name, value] of Object.entries({ START_AFTER: '2s', VERSION: 'next' })) {
        await cf.run('set-env', 'web', name, value);
      }
      expect(await cf.run('env', 'web')).toContain('VERSION: next');
      expect(await uids()).toEqual(before);
      const set = await setUid();
      await served('one instance', () => cf.run('restart', 'web', '--strategy', 'rolling'));
      expectAllNew(before, await world.untilInstances(namespace, 1));
      expect(await setUid()).toBe(set);
      expect(await revisions()).toEqual(['1']);
      if (site.hasNetwork) {
        // The instance too many answers until everybody has heard that it goes.
        const answer = async (): Promise<string> => (await fetch(await world.address(namespace))).text();
        await expect.poll(answer, { timeout: MINUTE, interval: 200 }).toContain('version next, instance 0');
      }
      await cf.run('unset-env', 'web', 'START_AFTER');
    });

    it('scales', async () => {
      transcript.say('## Three instances');
      expect(await cf.run('scale', 'web', '-i', '3')).not.toContain('Error');
      await world.untilInstances(namespace, 3);
      expect(await cf.run('app', 'web')).toMatch(/instances: +3\/3/);
    });

    it('restarts with a stop: another StatefulSet, other instances', async () => {
      transcript.say('A restart stops everything first:');
      const [before, set] = [await uids(), await setUid()];
      await cf.run('restart', 'web');
      expectAllNew(before, await world.untilInstances(namespace, 3));
      expect(await setUid()).not.toBe(set);
      expect(await world.statefulSets(namespace)).toHaveLength(1);
    });

    it('restarts without downtime: the same StatefulSet, other instances', async () => {
      transcript.say('A rolling restart stops nothing before its successor is ready:');
      const [before, set] = [await uids(), await setUid()];
      await served('rolling', () => cf.run('restart', 'web', '--strategy', 'rolling'));
      expectAllNew(before, await world.untilInstances(namespace, 3));
      expect(await setUid()).toBe(set);
    });

    it('restages, two instances at once', async () => {
      transcript.say('## Restage, two instances at once');
      const [before, set] = [await uids(), await setUid()];
      await served('two at once', () => cf.run('restage', 'web', '--strategy', 'rolling', '--max-in-flight', '2'));
      expectAllNew(before, await world.untilInstances(namespace, 3));
      expect(await setUid()).toBe(set);
    });

    it('tries a canary, and goes on', async () => {
      transcript.say('## A canary');
      const before = await uids();
      await served('canary', async () => {
        expect(await cf.run('restart', 'web', '--strategy', 'canary')).toContain('status PAUSED');
        const paused = await uids();
        expect(paused.filter((uid) => before.includes(uid))).toEqual(before);
        expect(paused).toHaveLength(4);
        await cf.run('continue-deployment', 'web');
      });
      expectAllNew(before, await world.untilInstances(namespace, 3));
      expect(await cf.run('app', 'web')).not.toContain('deployment');
    });

    it('cancels what does not come up, while the old instances serve on', async () => {
      transcript.say('## An image that does not exist\n\nIn one terminal:');
      const before = await uids();
      const wanted = await revisions();
      await served('broken image', async () => {
        const pushing = cf.typed('push', 'web', '--docker-image', BROKEN, '--strategy', 'rolling');
        await world.until(
          'the deployment tells that an image cannot be pulled',
          () => cf.asks<Deployments>('/v3/deployments?status_values=ACTIVE'),
          ({ resources }) => resources.some(({ status }) => /pull/i.test(status.details.error ?? '')),
        );
        transcript.say('And in another:');
        expect(await cf.run('app', 'web')).toMatch(/Active deployment with status DEPLOYING/);
        await cf.run('cancel-deployment', 'web');
        const { exitCode, text } = await pushing;
        expect(text).toMatch(/cancel/i);
        expect(exitCode).toBe(1);
      });
      await world.untilInstances(namespace, 3);
      expect(await uids()).toEqual(before);
      expect(await revisions()).toEqual(wanted);
      expect(await cf.run('app', 'web')).toMatch(new RegExp(`docker image: +${IMAGE}[^]*instances: +3/3`));
    });

    it('restarts one instance', async () => {
      transcript.say('## One instance of three');
      const before = await uids();
      await cf.run('restart-app-instance', 'web', '1');
      const after = await world.until(
        'instance 1 is another',
        () => uids(),
        (now) => now.length === 3 && now[1] !== before[1],
      );
      expect([after[0], after[2]]).toEqual([before[0], before[2]]);
      await world.untilInstances(namespace, 3);
    });

    it('runs a task', async () => {
      transcript.say('## A task');
      await cf.run('run-task', 'web', '--name', 'look', '--command', 'echo looked; sleep 3');
      const tasks = await world.until(
        'the task has ended',
        () => cf.asks<{ resources: { state: string }[] }>(`/v3/tasks?names=look`),
        ({ resources }) => ['SUCCEEDED', 'FAILED'].includes(resources[0]?.state ?? ''),
      );
      expect(tasks.resources).toMatchObject([{ state: 'SUCCEEDED' }]);
      expect(await cf.run('tasks', 'web')).toMatch(/look +SUCCEEDED/);
    });

    it('shows people what is theirs, and nothing else', async () => {
      transcript.say('## Two people');
      const alice = { namespace: 'default', name: 'alice' };
      const bob = { namespace: 'default', name: 'bob' };
      await cf.run('create-space', 'other', '-o', 'demo');
      const [hers, his] = [await world.person(alice, transcript.hear), await world.person(bob, transcript.hear)];
      await cf.run('set-space-role', userName(alice), 'demo', 'dev', 'SpaceDeveloper');
      await cf.run('set-space-role', userName(bob), 'demo', 'other', 'SpaceDeveloper');
      transcript.say('Alice, in the first space:');
      await hers.run('api', world.url);
      await hers.run('auth', hers.user);
      await hers.run('target', '-o', 'demo', '-s', 'dev');
      expect(await hers.run('apps')).toMatch(/web +started +web:3\/3/);
      transcript.say('Bob, in the second:');
      await his.run('api', world.url);
      await his.run('auth', his.user);
      await his.run('target', '-o', 'demo', '-s', 'other');
      const spaces = await his.run('spaces');
      expect(spaces).toContain('other');
      expect(spaces).not.toContain('dev');
      expect(await his.run('apps')).toContain('No apps found');
      expect((await his.typed('app', 'web')).text).toContain("App 'web' not found");
      expect((await his.typed('target', '-s', 'dev')).text).toContain("Space 'dev' not found");
      await expectIsolation(hers, his);
      transcript.say('Bob may look at the first space from now on, and change nothing:');
      await cf.run('set-space-role', userName(bob), 'demo', 'dev', 'SpaceAuditor');
      await his.run('target', '-s', 'dev');
      expect(await his.run('apps')).toMatch(/web +started +web:3\/3/);
      const denied = await his.typed('stop', 'web');
      expect(denied.text).toContain('You are not authorized to perform the requested action');
      expect(denied.exitCode).toBe(1);
      expect((await world.instances(namespace)).length).toBe(3);
    });

    it('tells that an app crashes, and mends it', async () => {
      transcript.say('## An app that crashes');
      await cf.run('target', '-o', 'demo', '-s', 'dev');
      await cf.run('set-env', 'web', 'CRASH', '3');
      const failed = await cf.typed('restart', 'web');
      expect(failed.exitCode, failed.text).toBe(1);
      expect(failed.text).toContain('All instances crashed');
      expect(await cf.run('app', 'web')).toMatch(/#\d +crashed .*exited with code 3/);
      expect(await cf.run('logs', 'web', '--recent')).toContain('crash with 3');
      await cf.run('unset-env', 'web', 'CRASH');
      await cf.run('restart', 'web', '--strategy', 'rolling', '--max-in-flight', '3');
      await world.untilInstances(namespace, 3);
    });

    it('stops, starts and deletes', async () => {
      transcript.say('## The end');
      const before = await uids();
      await cf.run('stop', 'web');
      expect(await cf.run('app', 'web')).toMatch(/requested state: +stopped/);
      await world.until(
        'nothing runs',
        () => uids(),
        (left) => left.length === 0,
      );
      await cf.run('start', 'web');
      expectAllNew(before, await world.untilInstances(namespace, 3));
      await cf.run('delete', 'web', '-f', '-r');
      expect(await cf.run('apps')).toContain('No apps found');
      await world.until(
        'nothing is left',
        async () => [...(await uids()), await setUid()],
        (left) => left.every((one) => one === undefined),
      );
      ended(await transcript.text());
    });
  });

  /** What belongs to her is not there for him, whatever he tries with its GUID. */
  async function expectIsolation(hers: Cf, his: Cf): Promise<void> {
    interface Listed {
      readonly resources: readonly { readonly guid: string }[];
    }
    const first = async (path: string): Promise<string> => (await hers.asks<Listed>(path)).resources[0]?.guid ?? '';
    const app = await first('/v3/apps?names=web');
    const process = await first(`/v3/apps/${app}/processes`);
    const [deployment, droplet, route] = [
      await first(`/v3/deployments?app_guids=${app}`),
      await first(`/v3/apps/${app}/droplets`),
      await first('/v3/routes'),
    ];
    const reads = [
      ...[`/v3/apps/${app}`, `/v3/apps/${app}/env`, `/v3/apps/${app}/processes`, `/v3/processes/${process}/stats`],
      ...[`/v3/deployments/${deployment}`, `/v3/droplets/${droplet}`, `/v3/routes/${route}`, `/v3/spaces/${namespace}`],
      `/api/v1/read/${app}`,
    ];
    const writes = [
      [`/v3/apps/${app}/actions/stop`, '-X', 'POST'],
      [`/v3/apps/${app}`, '-X', 'DELETE'],
      [`/v3/processes/${process}/actions/scale`, '-X', 'POST', '-d', '{"instances":0}'],
      [`/v3/apps/${app}/environment_variables`, '-X', 'PATCH', '-d', '{"var":{"A":"b"}}'],
      [`/v3/processes/${process}/instances/0`, '-X', 'DELETE'],
      ['/v3/deployments', '-X', 'POST', '-d', JSON.stringify({ relationships: { app: { data: { guid: app } } } })],
    ];
    const before = await uids();
    const codeOf = async (path = '', ...more: readonly string[]): Promise<number | undefined> =>
      (await his.asks<{ errors?: readonly { code: number }[] }>(path, ...more)).errors?.[0]?.code;
    for (const path of reads) expect(await codeOf(path), path).toBe(10010);
    // Not found, not authorized, or, where a body names what he cannot see, not processable.
    for (const write of writes) expect([10010, 10003, 10008], write.join(' ')).toContain(await codeOf(...write));
    expect((await his.asks<Listed>('/v3/apps')).resources).toEqual([]);
    expect((await his.asks<Listed>(`/v3/processes`)).resources).toEqual([]);
    expect(await uids()).toEqual(before);
  }
}
