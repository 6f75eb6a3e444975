import { describe, expect, it } from 'vitest';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkWorkloads } from '../../src/flink/portrait/flink-workloads.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Portrait } from '../../src/portrait/portrait.ts';
import type { VerbName } from '../../src/portrait/verb.ts';
import type { Around, Workload } from '../../src/portrait/workload.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const [workload] = flinkWorkloads(defaultOperatorConfig) as readonly [Workload];

/** What somebody with a terminal sees of a blue/green deployment, and does to it. */
class Desk {
  readonly orders: BlueGreenOnStage;
  readonly #stage: FlinkStage;

  constructor(orders: BlueGreenOnStage) {
    this.orders = orders;
    this.#stage = orders.stage;
  }

  get object(): AnyObject {
    return { ...this.#stage.blueGreen(this.orders.name) } as AnyObject;
  }

  async around(): Promise<Around> {
    const lists = new Map<string, readonly AnyObject[]>();
    for (const type of workload.beside) {
      const { items } = await this.#stage.person.resource(type).list({ namespace });
      lists.set(type.plural, items as readonly AnyObject[]);
    }
    return { now: this.#stage.clock.now(), list: (type) => lists.get(type.plural), find: () => 'unknown' };
  }

  async portrait(): Promise<Portrait> {
    return workload.portray(this.object, await this.around());
  }

  async plan(job: object) {
    const before = this.object;
    const spec = structuredClone(before.spec) as { template: { spec: { job: object } } };
    Object.assign(spec.template.spec.job, job);
    return workload.plan({ before, after: { ...before, spec } }, await this.around());
  }

  /** Sends what the verb writes, as the command line does. */
  async does(name: VerbName, wish: { readonly stateless?: boolean } = {}): Promise<string> {
    const steering = workload.verbs
      .find((verb) => verb.name === name)
      ?.request(this.object, await this.around(), { id: 'w', ...wish });
    if (steering?.is !== 'writes') throw new Error(`${name}: ${steering?.why}`);
    for (const write of steering.writes) {
      if (write.do !== 'patch') throw new Error(write.do);
      await this.#stage.person
        .resource(write.type)
        .patch({ namespace: write.namespace, name: write.name }, { type: 'json', body: write.patch });
    }
    return steering.said;
  }
}

async function deskOf(stage: FlinkStage, settings: Record<string, string>): Promise<Desk> {
  const ingress = { template: '{{name}}.example.com' };
  return new Desk(await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings })));
}

describe('a blue/green deployment that is steered', () => {
  it('goes the way that was planned, is promoted, and is brought back', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const desk = await deskOf(stage, { promotion: 'manual', 'rollback-window': '10 min' });
    const { orders } = desk;
    expect(await desk.portrait()).toMatchObject({ phase: 'healthy', serving: 'blue', state: 'ACTIVE_BLUE' });

    const args = ['--rate', '10', '--label', 'v2'];
    const plan = await desk.plan({ args });
    expect(plan).toMatchObject({ risk: 'restart', state: { outcome: 'kept' }, availability: { serves: 'throughout' } });
    expect(plan.steps.map(({ what }) => what)).toEqual([
      'Take a savepoint of blue',
      'Create green, which starts from that savepoint',
      'Wait until somebody promotes green',
      'Move traffic to green',
      'Keep the old side for a way back, for 10m',
      'Delete blue',
    ]);
    const pods = stage.pods(orders.sideName('blue')).map(({ metadata }) => metadata.name);
    expect([...(plan.restarts[0]?.pods ?? [])].sort()).toEqual([...pods].sort());

    await orders.editJob({ args });
    await orders.phase('verifying');
    const waiting = await desk.portrait();
    expect(waiting).toMatchObject({ phase: 'waiting', serving: 'blue' });
    expect(waiting.needsYou).toContain(`cutover promote bluegreen/${orders.name} -n ${namespace}`);
    expect(waiting.sides).toMatchObject([
      { name: 'blue', role: 'serving', phase: 'healthy' },
      { name: 'green', role: 'next', phase: 'healthy' },
    ]);
    expect(waiting.pods.filter(({ side }) => side === 'green')[0]?.reasons[0]?.sentence).toMatch(
      /^Made for blue → green/,
    );

    expect(await desk.does('promote')).toContain('green gets the traffic');
    await orders.phase('keeping');
    expect(orders.leadsTo()).toBe(`${orders.name}-green-rest`);
    expect((await desk.portrait()).answers.serves).toMatch(/^green serves/);

    expect(await desk.does('rollback')).toContain('Traffic goes back to blue');
    await orders.state('ACTIVE_BLUE');
    await orders.sideGone('green');
    expect(orders.leadsTo()).toBe(`${orders.name}-blue-rest`);
    expect(await desk.portrait()).toMatchObject({ phase: 'degraded', serving: 'blue' });

    expect(await desk.does('retry')).toContain('green is made again, from a new savepoint');
    await orders.phase('verifying');
    expect(await desk.does('abort')).toContain('green is deleted and blue serves on');
    await orders.state('ACTIVE_BLUE');
    expect(await desk.does('suspend')).toContain('blue is stopped with a savepoint');
    await stage.until('nothing runs', () => orders.live.length === 0);
    expect(await desk.portrait()).toMatchObject({ phase: 'suspended', serving: 'nothing' });
    await desk.does('resume');
    await stage.until('blue runs again', () => orders.live.length === 1);
  });
});
