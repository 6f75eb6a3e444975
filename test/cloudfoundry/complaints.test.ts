import { expect, it } from 'vitest';
import { labels } from '../../src/cloudfoundry/keys.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { type Body, PushStage } from './push-stage.ts';

/** What users of other platforms complain about, lived through by the API alone; docs/cloudfoundry/complaints.md has them all. */

interface Pod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly image?: string; readonly readinessProbe?: unknown }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const image = 'rig.local/app';

/** A stage with an app that runs, and what people do with it. */
async function pushed(): Promise<{ stage: PushStage; app: App }> {
  const stage = await PushStage.open();
  const app = new App(stage, await stage.push('web', `${image}:1`));
  await app.until('it runs', async () => (await app.states()).join() === 'RUNNING');
  expect(app.serving()).toEqual([{ uid: expect.any(String), image: `${image}:1` }]);
  return { stage, app };
}

class App {
  readonly #stage: PushStage;
  readonly #guid: string;

  constructor(stage: PushStage, guid: string) {
    this.#stage = stage;
    this.#guid = guid;
  }

  async ask(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.#stage.send(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  act(what: 'start' | 'stop' | 'restart'): Promise<Body> {
    return this.ask('POST', `/v3/apps/${this.#guid}/actions/${what}`);
  }

  scale(instances: number): Promise<Body> {
    return this.ask('POST', `/v3/apps/${this.#guid}/processes/web/actions/scale`, { instances });
  }

  setEnv(variables: Readonly<Record<string, string | null>>): Promise<Body> {
    return this.ask('PATCH', `/v3/apps/${this.#guid}/environment_variables`, { var: variables });
  }

  async env(): Promise<unknown> {
    return (await this.ask('GET', `/v3/apps/${this.#guid}/environment_variables`)).var;
  }

  async droplet(of: string): Promise<string> {
    const relationships = { app: { data: { guid: this.#guid } } };
    const source = await this.ask('POST', '/v3/packages', { type: 'docker', relationships, data: { image: of } });
    const build = await this.ask('POST', '/v3/builds', { package: { guid: source.guid } });
    await this.later(10_000);
    return build.guid;
  }

  setDroplet(guid: string): Promise<Body> {
    return this.ask('PATCH', `/v3/apps/${this.#guid}/relationships/current_droplet`, { data: { guid } });
  }

  async currentDroplet(): Promise<string> {
    return (await this.ask('GET', `/v3/apps/${this.#guid}/droplets/current`)).guid;
  }

  deploy(more: object = {}): Promise<Body> {
    return this.ask('POST', '/v3/deployments', { relationships: { app: { data: { guid: this.#guid } } }, ...more });
  }

  cancel({ guid }: Body): Promise<Body> {
    return this.ask('POST', `/v3/deployments/${guid}/actions/cancel`);
  }

  async standing({ guid }: Body): Promise<{ value: string; reason: string; details: { error?: string } }> {
    return (await this.ask('GET', `/v3/deployments/${guid}`)).status as never;
  }

  /** Until the deployment has ended; how it did. */
  async end(deployment: Body): Promise<string> {
    await this.until('the deployment ends', async () => (await this.standing(deployment)).value === 'FINALIZED');
    return (await this.standing(deployment)).reason;
  }

  async states(): Promise<readonly string[]> {
    const { resources } = await this.ask('GET', `/v3/apps/${this.#guid}/processes/web/stats`);
    return resources.map(({ state }) => state);
  }

  async routable(): Promise<readonly unknown[]> {
    const { resources } = await this.ask('GET', `/v3/apps/${this.#guid}/processes/web/stats`);
    return resources.map(({ routable }) => routable);
  }

  healthCheck(check: object): Promise<Body> {
    return this.ask('PATCH', `/v3/apps/${this.#guid}/processes/web`, { health_check: check });
  }

  readinessProbes(): readonly unknown[] {
    return this.#pods().map(({ spec }) => spec?.containers?.[0]?.readinessProbe);
  }

  /** Lets a pod fail in this way, or no more. */
  async fail(uid: string | undefined, how: string | null): Promise<void> {
    const { name = '', namespace = '' } = this.#pods().find(({ metadata }) => metadata.uid === uid)?.metadata ?? {};
    const body = { metadata: { annotations: { 'embedded.cutover.dev/fail': how } } };
    await this.#stage.stage.person.resource(kinds.pods).patch({ namespace, name }, { type: 'merge', body });
  }

  /** Instances that serve: image, and the uid of each. */
  serving(): readonly { readonly uid: string | undefined; readonly image: string | undefined }[] {
    return this.#pods()
      .filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      .map(({ metadata, spec }) => ({ uid: metadata.uid, image: spec?.containers?.[0]?.image }));
  }

  /** Instances that are there, and do not end. */
  #pods(): readonly Pod[] {
    return this.#stage.stage.embedded.world
      .list<Pod>(kinds.pods)
      .filter(({ metadata }) => metadata.labels?.[labels.appGuid] === this.#guid && !metadata.deletionTimestamp);
  }

  later(ms: number): Promise<void> {
    return this.#stage.stage.clock.advance(ms);
  }

  async until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    for (let left = 1200; left > 0; left--) {
      if (await holds()) return;
      await this.later(250);
    }
    expect.fail(`never came true: ${what}; ${JSON.stringify([await this.states(), this.serving()])}`);
  }
}

it('1: a fix that is pushed over an app that crashes replaces it, and nobody is told of an error of the server', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.setEnv({ CRASH: '3' });
  await app.act('restart');
  await app.until('it crashes', async () => (await app.states()).join() === 'CRASHED');
  await app.later(600_000);

  // As cf push does it: another droplet, a restart. Each is answered at once, whatever the instances do.
  const from = stage.stage.clock.now();
  await app.setEnv({ CRASH: null });
  await app.setDroplet(await app.droplet(`${image}:2`));
  await app.act('restart');
  await app.until('it runs', async () => (await app.states()).join() === 'RUNNING');
  expect(stage.stage.clock.now() - from).toBeLessThan(60_000);
  expect(app.serving().map((one) => one.image)).toEqual([`${image}:2`]);
});

it('1: so does one that is pushed with --strategy rolling', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.setEnv({ CRASH: '3' });
  await app.act('restart');
  await app.until('it crashes', async () => (await app.states()).join() === 'CRASHED');
  await app.later(600_000);

  await app.setEnv({ CRASH: null });
  const from = stage.stage.clock.now();
  expect(await app.end(await app.deploy())).toBe('DEPLOYED');
  expect(stage.stage.clock.now() - from).toBeLessThan(60_000);
  expect(await app.states()).toEqual(['RUNNING']);
});

it('2: a deployment of an image that cannot be pulled leaves the instance that serves, also the only one', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  const before = app.serving();
  const deployment = await app.deploy({ droplet: { guid: await app.droplet('registry.invalid/app:2') } });
  for (let minutes = 0; minutes < 60; minutes++) {
    await app.later(60_000);
    expect(app.serving()).toEqual(before);
  }
  expect(await app.standing(deployment)).toMatchObject({
    value: 'ACTIVE',
    reason: 'DEPLOYING',
    details: { error: expect.stringContaining('registry.invalid') },
  });
});

it('3: setting the current droplet restarts nothing; the next restart runs it', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  const before = app.serving();
  await app.setDroplet(await app.droplet(`${image}:2`));
  await app.later(600_000);
  expect(app.serving()).toEqual(before);
  expect(await app.states()).toEqual(['RUNNING']);

  await app.act('restart');
  await app.until('it runs again', async () => (await app.states()).join() === 'RUNNING');
  expect(app.serving().map((one) => one.image)).toEqual([`${image}:2`]);
});

it('4: an instance is routable while its health check answers, and a roll waits for it', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.healthCheck({ type: 'http', data: { endpoint: '/health' } });
  expect(await app.end(await app.deploy())).toBe('DEPLOYED');
  expect(app.readinessProbes()).toMatchObject([{ httpGet: { path: '/health', port: 8080 } }]);
  expect(await app.routable()).toEqual([true]);

  const [serving] = app.serving();
  await app.fail(serving?.uid, 'never-ready');
  await app.until('it answers no more', async () => (await app.routable()).join() === 'false');
  expect(app.serving()).toEqual([]);
  await app.fail(serving?.uid, null);
  await app.until('it answers again', async () => (await app.routable()).join() === 'true');
  expect(app.serving()).toEqual([serving]);
});

it('8: a deployment that does not get on is canceled, and a restart after that runs what ran before', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.scale(2);
  await app.until('both run', async () => (await app.states()).join() === 'RUNNING,RUNNING');
  const [before, droplet] = [app.serving(), await app.currentDroplet()];
  const deployment = await app.deploy({ droplet: { guid: await app.droplet('registry.invalid/app:2') } });
  await app.until('it says why', async () => (await app.standing(deployment)).details.error !== undefined);
  await app.cancel(deployment);
  expect(await app.currentDroplet()).toBe(droplet);
  expect(await app.end(deployment)).toBe('CANCELED');
  expect(app.serving()).toEqual(before);

  await app.act('restart');
  await app.until('both run again', async () => (await app.states()).join() === 'RUNNING,RUNNING');
  expect(app.serving().map((one) => one.image)).toEqual([`${image}:1`, `${image}:1`]);
  expect(app.serving().map(({ uid }) => uid)).not.toContain(before[0]?.uid);
});

it('8: a restart right after a cancel does so as well', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  const deployment = await app.deploy({ droplet: { guid: await app.droplet('registry.invalid/app:2') } });
  await app.later(5_000);
  await app.cancel(deployment);
  await app.act('restart');
  expect(await app.end(deployment)).toBe('CANCELED');
  await app.until('it runs', async () => (await app.states()).join() === 'RUNNING');
  expect(app.serving().map((one) => one.image)).toEqual([`${image}:1`]);
});

it('9: a cancel gives back the environment, and what was canceled can be tried again', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.setEnv({ GREETING: 'hello' });
  expect(await app.end(await app.deploy())).toBe('DEPLOYED');
  const before = app.serving();

  await app.setEnv({ GREETING: 'good day', CRASH: '3' });
  const deployment = await app.deploy();
  await app.until('it says why', async () => (await app.standing(deployment)).details.error !== undefined);
  await app.cancel(deployment);
  expect(await app.end(deployment)).toBe('CANCELED');
  expect(await app.env()).toEqual({ GREETING: 'hello' });
  expect(app.serving()).toEqual(before);

  await app.setEnv({ GREETING: 'good day' });
  expect(await app.end(await app.deploy())).toBe('DEPLOYED');
  expect(await app.env()).toEqual({ GREETING: 'good day' });
});

it('9: a cancel loses no variable that was set since the deployment began', async () => {
  const { stage, app } = await pushed();
  await using _stage = stage;
  await app.setEnv({ CRASH: '3' });
  const deployment = await app.deploy();
  await app.later(5_000);
  await app.setEnv({ GREETING: 'hello' });
  await app.cancel(deployment);
  expect(await app.end(deployment)).toBe('CANCELED');
  expect(await app.env()).toEqual({ CRASH: '3', GREETING: 'hello' });
});
