import { expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import { KubeError } from '../kube/error.ts';
import type { Change } from './caches.ts';
import { ForeignLease } from './foreign-lease.ts';
import type { LeaseObject } from './lease.ts';

function world() {
  const clock = new VirtualClock();
  const cached = { trouble: undefined as KubeError | undefined, changes };
  const told: boolean[] = [];
  let handler: (change: Change<LeaseObject>) => void = () => {};
  function changes(next: typeof handler): () => void {
    handler = next;
    return () => {
      handler = () => {};
    };
  }
  const lease = new ForeignLease(cached, clock, () => told.push(lease.alive()));
  const renewed = (holderIdentity = 'other'): void => {
    const spec = { holderIdentity, leaseDurationSeconds: 15 };
    const after = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec };
    handler({ key: 'l', after, initial: false });
  };
  const gone = (): void => handler({ key: 'l', initial: false });
  return { clock, cached, told, lease, renewed, gone };
}

it('is alive while it is renewed, and for as long as its holder promised', async () => {
  const { clock, told, lease, renewed } = world();
  expect(lease.alive()).toBe(false);
  renewed();
  await clock.advance(14_000);
  renewed();
  await clock.advance(14_000);
  expect(lease.alive()).toBe(true);
  await clock.advance(1_000);
  expect(lease.alive()).toBe(false);
  expect(told).toEqual([true, false]);
});

it('is nobody’s when it was given back or is gone', () => {
  const { lease, renewed, gone, told } = world();
  renewed();
  renewed('');
  expect(lease.alive()).toBe(false);
  renewed();
  gone();
  expect(lease.alive()).toBe(false);
  expect(told).toEqual([true, false, true, false]);
});

it('does not take for dead what cannot be seen, and looks again when it can', async () => {
  const { clock, cached, told, lease, renewed } = world();
  renewed();
  cached.trouble = new KubeError('unreachable', 'no watch');
  await clock.advance(60_000);
  expect(lease.alive()).toBe(true);
  cached.trouble = undefined;
  await clock.advance(15_000);
  expect(lease.alive()).toBe(false);
  expect(told).toEqual([true, false]);
});

it('leaves no timer behind', async () => {
  const { clock, lease, renewed, told } = world();
  renewed();
  lease.close();
  expect(clock.untilNext).toBeUndefined();
  renewed('');
  expect(told).toEqual([true]);
});
