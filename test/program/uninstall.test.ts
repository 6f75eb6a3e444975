import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install } from '../../src/cli/install.ts';
import type { LeaseObject } from '../../src/control/lease.ts';
import { definitions } from '../../src/flink/family.ts';
import { flinkFinalizers } from '../../src/flink/finalizers.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from '../flink/manifests.ts';
import { clientOf } from './client-of.ts';
import { type Program, startProgram } from './start-program.ts';

let cluster: Program;
let kubeconfig: string;
beforeAll(async () => {
  cluster = startProgram(['embedded', '--port', '0', '--kubeconfig', 'kubeconfig']);
  await cluster.says(/Ctrl-C stops it/);
  kubeconfig = join(cluster.home, 'kubeconfig');
  await using client = await clientOf(kubeconfig);
  await install(client, definitions(), new AbortController().signal);
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const [{ finalizer }] = flinkFinalizers;
const finalizers = async (): Promise<readonly string[]> => {
  await using client = await clientOf(kubeconfig);
  const { items } = await client.resource(flinkDeployment.type).list({ namespace: 'default' });
  return items.flatMap(({ metadata }) => metadata.finalizers ?? []);
};

async function uninstall(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  await using program = startProgram(['uninstall', '--kubeconfig', kubeconfig, '--family', 'flink', ...args]);
  const { code } = await program.ended;
  return { code, said: program.output.stdout + program.output.stderr };
}

describe('cutover uninstall', () => {
  it('refuses beside an operator, lets it give way with --wait, and says how it ended', async () => {
    await using operator = startProgram(['operator', '--kubeconfig', kubeconfig, '--health-port', '0']);
    await operator.says(/"msg":"leading"/);
    await using client = await clientOf(kubeconfig);
    const { metadata, ...rest } = application({ name: 'orders' });
    await client.resource(flinkDeployment.type).create({
      ...rest,
      metadata: { ...metadata, annotations: { 'cutover.dev/paused': 'true' }, finalizers: [finalizer] },
    });

    const refused = await uninstall();
    expect(refused.said).toMatch(/An operator is alive, so nothing was changed\./);
    expect(refused.code).toBe(2);
    expect(await uninstall('--dry-run')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Nothing was changed. 1 resources would be released.'),
    });
    expect(await finalizers()).toEqual([finalizer]);

    const done = await uninstall('--wait');
    expect(done.said).toMatch(/^Done: 1 resources released\./m);
    expect(done.code).toBe(0);
    expect(await finalizers()).toEqual([]);
    expect(await operator.ended).toEqual({ code: 0, signal: null });
  });

  it('says in time that it has none left', async () => {
    await using client = await clientOf(kubeconfig);
    // Somebody who promised to be back within the hour.
    await client.resource<LeaseObject>(kinds.leases).create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'cutover', namespace: 'kube-public' },
      spec: { holderIdentity: 'somebody', leaseDurationSeconds: 3600, renewTime: '2026-01-01T00:00:00.000000Z' },
    });
    const late = await uninstall('--wait', '--timeout', '2', '--lease-namespace', 'kube-public');
    expect(late.said).toMatch(/There was no time left within 2 s/);
    expect(late.code).toBe(3);
  });
});
