import { describe, expect, it } from 'vitest';
import type { BlueGreenPhase } from '../../src/flink/resources/blue-green-transition.ts';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { BlueGreenOnStage } from '../flink/blue-green-on-stage.ts';
import { blueGreen, namespace } from '../flink/manifests.ts';
import { FlinkStage } from '../flink/stage.ts';

/** What a version after this one may have written beside what we know. */
const newer = { warmedAt: '2026-01-01T00:00:00Z', warmth: { degrees: 40, of: ['jvm', 'disk'] } };

describe.each<[BlueGreenPhase, Record<string, string>]>([
  ['savepointing', {}],
  ['starting', {}],
  ['verifying', { 'promotion.hold': '5 s' }],
  ['draining', { 'deployment-deletion.delay': '5 s' }],
  ['keeping', { 'rollback-window': '5 s' }],
])('a transition that a newer version began and left while %s', (phase, settings) => {
  it('is ended by this one, with the one savepoint, and keeps what it does not understand for as long as it lasts', async () => {
    await using stage = await FlinkStage.open({ definitions: (ours) => ours.map(open) });
    const before = stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ settings }));
    await orders.release('v2');
    await orders.atOnceWhen(
      ({ transition }) => transition?.phase === phase,
      async () => before.kill(),
    );
    await stage.clock.advance(1_000);
    await stage.person
      .resource<AnyObject>(flinkBlueGreenDeployment.type)
      .status.patch(
        { namespace, name: orders.name },
        { type: 'merge', body: { status: { transition: { newer }, newer } } },
      );
    const kept: unknown[] = [];
    stage.embedded.world.watch(flinkBlueGreenDeployment.type, ({ after }) => {
      const { transition } = (after?.status ?? {}) as { readonly transition?: { readonly newer?: unknown } };
      if (transition) kept.push(transition.newer);
    });
    stage.start();
    await orders.active('green');
    await orders.sideGone('blue');
    expect(orders.ran).toEqual(['blue v1', 'green v2']);
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.status.history?.map(({ outcome }) => outcome)).toEqual(['promoted', 'promoted']);
    expect(new Set(kept.map((value) => JSON.stringify(value)))).toEqual(new Set([JSON.stringify(newer)]));
  });
});

/** The definition of a version that knows more fields of the status than we do. */
function open(definition: AnyObject): AnyObject {
  const text = JSON.stringify(definition, (key, value) =>
    key === 'status' || key === 'transition' ? { ...value, 'x-kubernetes-preserve-unknown-fields': true } : value,
  );
  return JSON.parse(text) as AnyObject;
}
