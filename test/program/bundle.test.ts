import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';
import { clientOf } from './client-of.ts';
import { startProgram } from './start-program.ts';

/** The bundle in a folder of its own, far from what is installed here. */
const folder = mkdtempSync(join(tmpdir(), 'cutover-bundle-'));
const main = join(folder, 'cutover.js');

beforeAll(async () => {
  await bundle(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundle', () => {
  it('runs a cluster, and the operator on it, with plain Node', async () => {
    await using cluster = startProgram(['embedded', '--port', '0'], {}, main);
    await cluster.says(/Ctrl-C stops it/);
    const kubeconfig = join(cluster.home, '.cutover', 'kubeconfig');
    await using client = await clientOf(kubeconfig);
    expect((await client.request({ method: 'GET', path: '/openapi/v3/api/v1' })).status).toBe(200);
    await using operator = startProgram(['operator', '--kubeconfig', kubeconfig, '--health-port', '0'], {}, main);
    await operator.says(/starting/);
    operator.kill('SIGTERM');
    expect(await operator.ended).toEqual({ code: 0, signal: null });
    cluster.kill('SIGINT');
    expect(await cluster.ended).toEqual({ code: 0, signal: null });
  });

  it('loads the embedded cluster only when it is asked for', () => {
    const chunks = readdirSync(join(folder, 'chunks'));
    const [embedded] = chunks.filter((name) => name.startsWith('embedded-'));
    expect(embedded).toBeDefined();
    const statically = new RegExp(`(from|import)\\s*["'][^"']*${embedded}["']`);
    for (const file of [
      main,
      ...chunks.filter((name) => /^(operator|client|loop)-/.test(name)).map((name) => join(folder, 'chunks', name)),
    ]) {
      expect(readFileSync(file, 'utf8')).not.toMatch(statically);
    }
  });
});
