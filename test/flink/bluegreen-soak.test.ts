import { expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { blueGreenSpecCodec } from '../../src/flink/resources/blue-green-spec.ts';
import { Mischief } from './blue-green-mischief.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

/** `SOAK=100-400` tries these seeds instead. */
const [first = 1, last = 6] = (process.env.SOAK ?? '1-6').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** So many things happen, with pauses of this length in between. */
const many = 12;
const pausesMs = [0, 50, 300, 1_000, 3_000, 8_000, 20_000, 120_000];

const options: readonly (readonly [string, string])[] = [
  ['deployment-deletion.delay', '10 s'],
  ['rollback-window', '30 s'],
  ['promotion.hold', '10 s'],
  ['abort.action', 'suspend'],
  ['abort.action', 'delete'],
  ['preview-ingress', 'true'],
  ['unhealthy.policy', 'last-checkpoint'],
];

it.each(seeds)(
  'whatever happens, the last edit comes true and no record is lost: seed %i',
  async (seed) => {
    const random = seededRandom(seed * 7919);
    const ha = random.next() < 0.5;
    const chosen = options.filter(() => random.next() < 0.2);
    const settings = { 'abort.grace-period': '3 min', ...Object.fromEntries(chosen) };
    await using stage = await FlinkStage.open();
    const operator = stage.start();
    const resource = blueGreen({ ha, ingress: { template: '{{name}}.example.com' }, settings });
    const orders = await BlueGreenOnStage.serving(stage, resource);
    const mischief = new Mischief(orders, { random, ha, operator });
    const story = [JSON.stringify({ ha, settings })];
    for (let deed = 0; deed < many; deed++) {
      const name = mischief.pick(Object.keys(mischief.deeds));
      const { blueGreenState, transition } = orders.status;
      story.push(`${new Date(stage.clock.now()).toISOString()} ${name} (${blueGreenState} ${transition?.phase ?? ''})`);
      await mischief.deeds[name]?.();
      await stage.clock.advance(mischief.pick(pausesMs));
    }
    await mischief.heal();
    await orders.release('final', { state: 'running' });

    const told = story.join('\n');
    await stage.until(`the last edit comes true\n${told}`, () => isTrue(stage, orders), 2 * 60 * 60_000);
    await stage.clock.advance(5 * 60_000);
    await orders.expectQuiet();
    const serving = orders.status.serving?.color.toLowerCase() as 'blue' | 'green';
    expect(orders.live, told).toEqual([serving]);
    expect(orders.leadsTo(), told).toBe(`orders-${serving}-rest`);
    expect(orders.lastRun(serving).origin.label, told).toBe('final');
    const { lost, startedEmpty } = orders.counted();
    expect(lost, told).toEqual([]);
    if (!mischief.mayStartEmpty) expect(startedEmpty, told).toBe(0);
  },
  120_000,
);

/** The spec as it is written is recorded as that of the side that serves, and its job runs. */
function isTrue(stage: FlinkStage, { status, name }: BlueGreenOnStage): boolean {
  const { metadata, spec = {} } = stage.blueGreen(name) ?? {};
  const { blueGreenState = '', transition, observedGeneration, lastReconciledSpec, jobStatus } = status;
  const current = observedGeneration === metadata?.generation && lastReconciledSpec === blueGreenSpecCodec.write(spec);
  return blueGreenState.startsWith('ACTIVE') && !transition && current && jobStatus?.state === 'RUNNING';
}
