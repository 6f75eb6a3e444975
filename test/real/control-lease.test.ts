import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import type { LeaseObject } from '../../src/control/lease.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { startProgram } from '../program/start-program.ts';
import { LampWorld, type RunningOperator } from './lamp-world.ts';

/** How long others wait for a sign of life, and how long the holder acts without having given one. */
const durationMs = 15_000;
const deadlineMs = 10_000;

let plane: ControlPlane;
let world: LampWorld;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: false });
  world = await LampWorld.open(plane);
});
afterAll(async () => {
  await world?.person.close();
  await plane?.stop();
});

/** Each test has a lease of its own, so that they can wait at the same time. Operators here hold it and do nothing else. */
describe.concurrent('the leader lease on a real API server', () => {
  it('is handed over as soon as the program is asked to stop', async () => {
    const { namespace, standby } = await rivals('stopped');
    await using program = startHolder(namespace);
    await program.says(/"msg":"leading"/);
    await using next = standby();
    await waiting(next, namespace);

    const asked = performance.now();
    program.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const tookMs = (await leading(next)) - asked;
    measured('handed over after SIGTERM', tookMs);
    // Less than it takes to run out: it was given back.
    expect(tookMs).toBeLessThan(deadlineMs);
    expect((await leaseIn(namespace)).spec).toMatchObject({ leaseTransitions: 1 });
  });

  it('is taken over from a program that was killed, not before it could have ended by itself', async () => {
    const { namespace, standby } = await rivals('killed');
    await using program = startHolder(namespace);
    await program.says(/"msg":"leading"/);
    await using next = standby();
    await waiting(next, namespace);

    const killed = performance.now();
    program.kill('SIGKILL');
    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const tookMs = (await leading(next)) - killed;
    measured('taken over after SIGKILL', tookMs);
    expect(tookMs).toBeGreaterThan(deadlineMs);
    expect((await leaseIn(namespace)).spec).toMatchObject({ leaseTransitions: 1 });
  });

  it('is let go by an operator that is cut off before another one takes it', async () => {
    const { namespace, standby } = await rivals('cut');
    const first = standby();
    await leading(first);
    await using next = standby();
    await waiting(next, namespace);

    const cut = performance.now();
    first.cut();
    expect(await first.ended).toBe('lost');
    const ended = performance.now();
    expect(next.lines.map(({ message }) => message)).not.toContain('leading');
    const taken = await leading(next);
    measured('ended by itself after it was cut off', ended - cut);
    measured('taken over after that', taken - cut);
    expect(ended).toBeLessThan(taken);
  });

  it('is renewed by its holder, and given back at the end', async () => {
    const { namespace, standby } = await rivals('renewed');
    await using first = standby();
    await leading(first);
    const { metadata } = await leaseIn(namespace);
    await vi.waitFor(async () => {
      expect((await leaseIn(namespace)).metadata.resourceVersion).not.toBe(metadata.resourceVersion);
    }, generous);
    expect((await leaseIn(namespace)).spec).toMatchObject({ leaseTransitions: 0 });
    expect(await first.stop()).toBe('stopped');
    const { spec } = await leaseIn(namespace);
    expect(spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  });
});

const generous = { timeout: 90_000, interval: 50 } as const;

/** A namespace for the lease, and operators that compete for it. */
async function rivals(name: string): Promise<{ readonly namespace: string; readonly standby: () => RunningOperator }> {
  const namespace = `lease-${name}`;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await world.person.resource(kinds.namespaces).create(object);
  const options = { controllers: {}, lease: { namespace, name: 'cutover' } };
  return { namespace, standby: () => world.start({ options }) };
}

/** The program itself, against the real server. */
function startHolder(namespace: string) {
  return startProgram([
    'operator',
    ...['--kubeconfig', plane.kubeconfig],
    ...['--lease-namespace', namespace],
    ...['--health-port', '0'],
  ]);
}

/** When it began to lead. */
async function leading({ lines }: RunningOperator): Promise<number> {
  await vi.waitFor(() => expect(lines.map(({ message }) => message)).toContain('leading'), generous);
  return performance.now();
}

/** Until it has seen that somebody else holds the lease. */
async function waiting({ sent, lines }: RunningOperator, namespace: string): Promise<void> {
  await vi.waitFor(() => expect(sent).toContain('get leases.coordination.k8s.io 200'), generous);
  expect(lines.map(({ message }) => message)).not.toContain('leading');
  expect((await leaseIn(namespace)).spec?.leaseDurationSeconds).toBe(durationMs / 1000);
}

function leaseIn(namespace: string): Promise<LeaseObject> {
  return world.person.resource<LeaseObject>(kinds.leases).get({ namespace, name: 'cutover' });
}

function measured(what: string, ms: number): void {
  console.info(`${what}: ${(ms / 1000).toFixed(1)} s`);
}
