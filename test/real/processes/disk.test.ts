import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Client } from '../../../src/kube/client.ts';
import { isKubeError } from '../../../src/kube/error.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Status } from '../../../src/kube/object.ts';
import { clientOf } from '../../program/client-of.ts';
import { startProgram } from '../../program/start-program.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

const megabyte = 1024 * 1024;
/** Many more than there is room for. */
const most = 400;

it('keeps all that it acknowledged when the disk of an embedded cluster is full, and goes on when there is room', async (test) => {
  const mounted = await smallDisk(12).catch((error: Error) => error);
  if (mounted instanceof Error) return test.skip(`no small disk can be mounted here: ${mounted.message}`);
  await using disk = mounted;
  const ballast = ['first', 'second'].map((name) => filler(disk, name));
  const embedded = () =>
    startProgram(['embedded', '--port', '0', '--kubeconfig', 'kubeconfig', '--data', join(disk.folder, 'data')]);
  const kept: string[] = [];
  {
    await using cluster = embedded();
    await cluster.says(/Ctrl-C stops it/);
    await using client = await clientOf(join(cluster.home, 'kubeconfig'));
    const refusal = await fill(client, 'first', kept);
    expect(refusal).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(refusal?.message).toMatch(/cutover\.db cannot grow: the disk is full$/);
    expect(kept.length).toBeGreaterThan(0);
    expect(await namesOf(client)).toEqual(kept.toSorted());

    const before = kept.length;
    rmSync(ballast[0] ?? '');
    await fill(client, 'second', kept);
    expect(kept.length).toBeGreaterThan(before);
    expect(await namesOf(client)).toEqual(kept.toSorted());
    // A line for each, and no stack: it is not the program's fault.
    expect(cluster.output.stderr).toMatch(
      /^cutover: POST \S+configmaps: \S+cutover\.db cannot grow: the disk is full$/m,
    );
    expect(cluster.output.stderr).not.toMatch(/^\s+at /m);
    cluster.kill('SIGKILL');
    await cluster.ended;
  }
  {
    // Whether there is room enough to come up is left to SQLite; if there is not, that is what it says.
    await using cluster = embedded();
    const up = await Promise.race([
      cluster.says(/Ctrl-C stops it/).catch(() => false),
      cluster.ended.then(() => false),
    ]);
    if (up) {
      await using client = await clientOf(join(cluster.home, 'kubeconfig'));
      expect(await namesOf(client)).toEqual(kept.toSorted());
    } else {
      expect(await cluster.ended).toEqual({ code: 1, signal: null });
      expect(cluster.output.stderr).toMatch(/^cutover: \S+cutover\.db cannot grow: the disk is full\n$/);
    }
  }
  rmSync(ballast[1] ?? '');
  await using cluster = embedded();
  await cluster.says(/Ctrl-C stops it/);
  await using client = await clientOf(join(cluster.home, 'kubeconfig'));
  expect(await namesOf(client)).toEqual(kept.toSorted());
  await write(client, 'afterwards');
  expect(await namesOf(client)).toEqual(['afterwards', ...kept].toSorted());
});

/** Something else that takes room on the disk. */
function filler(disk: SmallDisk, name: string): string {
  const file = join(disk.folder, name);
  writeFileSync(file, Buffer.alloc(3 * megabyte));
  return file;
}

/** Writes until it is refused, and returns how; what was acknowledged is added to `kept`. */
async function fill(client: Client, prefix: string, kept: string[]): Promise<Status | undefined> {
  for (let n = 0; n < most; n++) {
    const name = `${prefix}-${n}`;
    try {
      await write(client, name);
      kept.push(name);
    } catch (error) {
      if (isKubeError(error)) return error.status;
      throw error;
    }
  }
  throw new Error(`${most} objects were written, and the disk is not full`);
}

async function write(client: Client, name: string): Promise<void> {
  const data = { text: name.repeat(5000) };
  await client
    .resource(kinds.configMaps)
    .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data });
}

/** What this test has written and the cluster has. */
async function namesOf(client: Client): Promise<readonly string[]> {
  const { items } = await client.resource(kinds.configMaps).list({ namespace: 'default' });
  return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
}
