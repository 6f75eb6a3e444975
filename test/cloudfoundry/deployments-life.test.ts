import { expect, it } from 'vitest';
import { labels } from '../../src/cloudfoundry/keys.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { Json, KubeObject } from '../../src/kube/object.ts';
import { ApiStage } from '../golden/cloudfoundry/api-stage.ts';

interface Shown {
  readonly guid: string;
  readonly resources: readonly { readonly index: number; readonly state: string; readonly details: string | null }[];
  readonly status: {
    readonly value: string;
    readonly reason: string;
    readonly details: { readonly error?: string };
    readonly canary?: { readonly steps: { readonly current: number; readonly total: number } };
  };
}

interface Pod extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** An app with instances that run, an API, and all controllers. */
class Life {
  readonly stage: ApiStage;
  readonly app: string;

  constructor(stage: ApiStage, app: string) {
    this.stage = stage;
    this.app = app;
  }

  static async of(stage: ApiStage, instances: number): Promise<Life> {
    const make = async (path: string, body: Json): Promise<string> => {
      const answer = await stage.send('cf-admin', 'POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return (answer.body as unknown as Shown).guid;
    };
    const org = await make('/v3/organizations', { name: 'org' });
    const organization = { data: { guid: org } };
    const space = await make('/v3/spaces', { name: 'space', relationships: { organization } });
    const relationships = { space: { data: { guid: space } } };
    const app = await make('/v3/apps', { name: 'web', lifecycle: { type: 'docker', data: {} }, relationships });
    const life = new Life(stage, app);
    const droplet = await life.droplet('registry.example/app:1');
    await life.ask('PATCH', `/v3/apps/${app}/relationships/current_droplet`, { data: { guid: droplet } });
    await life.later(5000);
    await life.ask('POST', `/v3/apps/${app}/processes/web/actions/scale`, { instances });
    await life.ask('POST', `/v3/apps/${app}/actions/start`);
    await life.until('the app runs', async () => (await life.states()).every((state) => state === 'RUNNING'));
    return life;
  }

  async droplet(image: string): Promise<string> {
    const relationships = { app: { data: { guid: this.app } } };
    const source = await this.ask('POST', '/v3/packages', { type: 'docker', relationships, data: { image } });
    const build = await this.ask('POST', '/v3/builds', { package: { guid: source.guid } });
    await this.later(10_000);
    return build.guid;
  }

  async ask(method: string, path: string, body?: Json): Promise<Shown> {
    const answer = await this.stage.send('cf-admin', method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as unknown as Shown;
  }

  deploy(more: { readonly [key: string]: Json } = {}): Promise<Shown> {
    return this.ask('POST', '/v3/deployments', { relationships: { app: { data: { guid: this.app } } }, ...more });
  }

  async standing(deployment: Shown): Promise<Shown['status']> {
    return (await this.ask('GET', `/v3/deployments/${deployment.guid}`)).status;
  }

  async states(): Promise<readonly string[]> {
    return (await this.ask('GET', `/v3/apps/${this.app}/processes/web/stats`)).resources.map(({ state }) => state);
  }

  /** Ready pods by name, with their revision and uid. */
  ready(): readonly { readonly name: string; readonly version: string; readonly uid: string }[] {
    return this.stage.embedded.world
      .list<Pod>(kinds.pods)
      .filter(({ metadata, status }) => {
        const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
        return metadata.labels?.[labels.appGuid] === this.app && isReady && !metadata.deletionTimestamp;
      })
      .map(({ metadata: { name = '', uid = '', labels: own } }) => ({
        name,
        uid,
        version: own?.[labels.version] ?? '',
      }));
  }

  later(ms: number): Promise<void> {
    return this.stage.clock.advance(ms);
  }

  /** Looks again and again; `meanwhile` must hold each time. */
  async until(
    what: string,
    holds: () => Promise<boolean>,
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<void> {
    for (let left = 1200; left > 0; left--) {
      await meanwhile();
      if (await holds()) return;
      await this.later(250);
    }
    expect.fail(`never came true: ${what}; ${JSON.stringify(await this.states())}, ${JSON.stringify(this.ready())}`);
  }

  /** Until the deployment has come to an end, with never fewer ready instances than before. */
  async ended(deployment: Shown, least: number): Promise<string> {
    await this.until(
      'the deployment ends',
      async () => (await this.standing(deployment)).value === 'FINALIZED',
      async () => expect(this.ready().length).toBeGreaterThanOrEqual(least),
    );
    return (await this.standing(deployment)).reason;
  }
}

it.each([1, 3])(
  'a rolling deployment of %i replaces every instance, and says DEPLOYED when it has',
  async (instances) => {
    await using stage = await ApiStage.open();
    const life = await Life.of(stage, instances);
    const before = life.ready();
    const deployment = await life.deploy({ strategy: 'rolling', options: { max_in_flight: 2 } });
    expect((await life.states()).includes('RUNNING')).toBe(false);

    expect(await life.ended(deployment, instances)).toBe('DEPLOYED');
    const after = life.ready().filter(({ version }) => version === '1');
    expect(after).toHaveLength(instances);
    expect(after.map(({ uid }) => uid)).not.toContain(before[0]?.uid);
    expect(await life.states()).toEqual(Array(instances).fill('RUNNING'));
  },
);

it('a deployment that cannot come up says why, and a cancel leaves the instances that served', async () => {
  await using stage = await ApiStage.open();
  const life = await Life.of(stage, 2);
  const before = life.ready();
  const broken = await life.droplet('registry.invalid/app:2');
  const deployment = await life.deploy({ droplet: { guid: broken } });
  await life.until('it says why', async () => (await life.standing(deployment)).details.error !== undefined);
  expect(await life.standing(deployment)).toMatchObject({ value: 'ACTIVE', reason: 'DEPLOYING' });
  expect(life.ready()).toEqual(before);

  await life.ask('POST', `/v3/deployments/${deployment.guid}/actions/cancel`);
  expect(await life.ended(deployment, 2)).toBe('CANCELED');
  expect(life.ready()).toEqual(before);
  expect(await life.states()).toEqual(['RUNNING', 'RUNNING']);
  // And the next one works.
  expect(await life.ended(await life.deploy(), 2)).toBe('DEPLOYED');
  expect(new Set(life.ready().map(({ version }) => version))).toEqual(new Set(['2']));
});

it('a cancel returns to the droplet that ran, not to the one that was set before the deployment', async () => {
  await using stage = await ApiStage.open();
  const life = await Life.of(stage, 1);
  const current = `/v3/apps/${life.app}/relationships/current_droplet`;
  const ran = await life.ask('GET', current);
  const broken = await life.droplet('registry.invalid/app:2');
  await life.ask('PATCH', current, { data: { guid: broken } });
  const deployment = await life.deploy();
  await life.until('it says why', async () => (await life.standing(deployment)).details.error !== undefined);
  await life.ask('POST', `/v3/deployments/${deployment.guid}/actions/cancel`);
  expect(await life.ended(deployment, 1)).toBe('CANCELED');
  expect(await life.ask('GET', current)).toEqual(ran);
});

it('a canary waits at every step until it is continued', async () => {
  await using stage = await ApiStage.open();
  const life = await Life.of(stage, 4);
  const steps = [{ instance_weight: 25 }, { instance_weight: 50 }];
  const deployment = await life.deploy({ strategy: 'canary', options: { canary: { steps } } });
  const fresh = () => life.ready().filter(({ version }) => version === '1').length;
  for (const [current, canaries] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await life.until('it is paused', async () => (await life.standing(deployment)).reason === 'PAUSED');
    expect((await life.standing(deployment)).canary).toEqual({ steps: { current, total: 2 } });
    expect([fresh(), life.ready().length >= 4]).toEqual([canaries, true]);
    await life.later(120_000);
    expect(fresh()).toBe(canaries);
    await life.ask('POST', `/v3/deployments/${deployment.guid}/actions/continue`);
    expect((await life.standing(deployment)).reason).not.toBe('PAUSED');
  }
  expect(await life.ended(deployment, 4)).toBe('DEPLOYED');
  expect(fresh()).toBe(4);
});

it('a deployment that is superseded on its way leaves the app with the last one', async () => {
  await using stage = await ApiStage.open();
  const life = await Life.of(stage, 2);
  const first = await life.deploy();
  await life.later(1000);
  const second = await life.deploy();
  expect((await life.standing(first)).reason).toBe('SUPERSEDED');
  expect(await life.ended(second, 2)).toBe('DEPLOYED');
  expect(life.ready().map(({ version }) => version)).toEqual(['2', '2']);
});
