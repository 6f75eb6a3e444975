import { expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const hostOf = (stage: FlinkStage): unknown =>
  (stage.find(kinds.ingresses, 'orders')?.spec as { rules?: { host?: string }[] } | undefined)?.rules?.[0]?.host;

it('makes, changes and removes the Ingress of a cluster; each is an upgrade that keeps the state', async () => {
  await using stage = await FlinkStage.open();
  stage.start();
  const ingress = { template: '{{name}}.{{namespace}}.example.com', className: 'nginx' };
  const name = await stage.running(application({ spec: { ingress } }));
  expect(hostOf(stage)).toBe('orders.default.example.com');
  await stage.edit(name, { ingress: { template: '{{name}}.example.org' } });
  await stage.stable(name);
  await stage.clock.advance(10_000);
  expect(hostOf(stage)).toBe('orders.example.org');
  await stage.edit(name, { ingress: null });
  await stage.stable(name);
  await stage.clock.advance(10_000);
  expect(stage.find(kinds.ingresses, name)).toBeUndefined();
  expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
});

it('makes the Ingress again when somebody removes it', async () => {
  await using stage = await FlinkStage.open();
  stage.start();
  const name = await stage.running(application({ spec: { ingress: { template: '{{name}}.example.com' } } }));
  await stage.removeObject(kinds.ingresses, name);
  await stage.until('it is back', () => stage.find(kinds.ingresses, name) !== undefined);
  expect(stage.runs(name)).toHaveLength(1);
});
