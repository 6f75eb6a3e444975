import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { clientOf } from './client-of.ts';
import { startProgram } from './start-program.ts';

/** A directory that cannot be made: a file is in the way. */
const inTheWay = join(import.meta.filename, 'x');
const running = /Ctrl-C stops it/;

describe.concurrent('cutover embedded', () => {
  it('says where it is, answers, and stops when it is told to', async () => {
    await using program = startProgram(['embedded', '--port', '0', '--kubeconfig', 'deep/er/kubeconfig']);
    await program.says(running);
    const file = join(program.home, 'deep', 'er', 'kubeconfig');
    const { stdout } = program.output;
    expect(stdout).toMatch(/^ {2}Cutover \d+\.\d+\.\d+: an embedded Kubernetes is running\.$/m);
    expect(stdout).toMatch(/^ {2}API {9}https:\/\/127\.0\.0\.1:\d+$/m);
    expect(stdout).toContain(`export KUBECONFIG=${file}`);
    expect(stdout).toContain('in memory, gone when this stops');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

    {
      await using client = await clientOf(file);
      const answer = await client.request({ method: 'GET', path: '/readyz' });
      expect(answer.status).toBe(200);
      const { items } = await client.resource(kinds.nodes).list();
      expect(items.length).toBeGreaterThan(0);
    }

    program.kill('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.output.stdout).toMatch(/Stopping\.\n$/);
    expect(program.output.stderr).toBe('');
    // The home directory holds what it was asked for and nothing else; ~/.kube above all.
    expect(readdirSync(program.home)).toEqual(['deep']);
  });

  it('stops also while somebody watches over a connection that is kept', async () => {
    await using program = startProgram(['embedded', '--port', '0']);
    await program.says(running);
    await using client = await clientOf(join(program.home, '.cutover', 'kubeconfig'));
    const watch = await client.request({ method: 'GET', path: '/api/v1/pods?watch=true' });
    expect(watch.status).toBe(200);
    program.kill('SIGTERM');
    for await (const _ of watch.body);
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it('writes its kubeconfig below the working directory unless told otherwise', async () => {
    await using program = startProgram(['embedded', '--port', '0']);
    await program.says(running);
    expect(readdirSync(program.home)).toEqual(['.cutover']);
    expect(program.output.stdout).toContain(join(program.home, '.cutover', 'kubeconfig'));
  });

  it('says in one line that the port it was given is taken', async () => {
    const taken = await occupy(0);
    await using program = startProgram(['embedded', '--port', String(portOf(taken))]);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.output).toEqual({
      stdout: '',
      stderr: `cutover: port ${portOf(taken)} is taken by another program; choose another one, or 0 for any that is free\n`,
    });
    expect(readdirSync(program.home)).toEqual([]);
    taken.close();
  });

  it('takes another port, and says so, when the usual one is taken', async () => {
    // Somebody else on this machine may hold the port already: that is as good.
    const taken = await occupy(6443).catch(() => undefined);
    await using program = startProgram(['embedded']);
    await program.says(running);
    const [, port] = await program.says(/https:\/\/127\.0\.0\.1:(\d+) {2}\(port 6443 is taken\)/);
    expect(port).not.toBe('6443');
    taken?.close();
  });

  it('keeps what it was given in a data directory, for one process at a time', async () => {
    const data = ['embedded', '--port', '0', '--kubeconfig', 'kubeconfig', '--data'];
    await using first = startProgram([...data, 'cluster']);
    await first.says(running);
    expect(first.output.stdout).toContain('kept in cluster');
    const directory = join(first.home, 'cluster');
    const kubeconfig = join(first.home, 'kubeconfig');
    await using client = await clientOf(kubeconfig);
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', namespace: 'default' } };
    const made = await client.resource(kinds.configMaps).create({ ...configMap, data: { a: 'b' } });

    await using second = startProgram([...data, directory]);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output.stdout).toBe('');
    expect(second.output.stderr).toMatch(/^cutover: .*cluster.* in use.*\n$/);

    // Killed, not stopped: what was answered is kept.
    first.kill('SIGKILL');
    await first.ended;
    await using third = startProgram([...data, directory]);
    await third.says(running);
    await using again = await clientOf(join(third.home, 'kubeconfig'));
    const found = await again.resource(kinds.configMaps).get({ namespace: 'default', name: 'kept' });
    expect(found).toEqual(made);
    const credentials = (file: string): string | undefined =>
      readFileSync(file, 'utf8').match(/certificate-authority-data: (\S+)/)?.[1];
    expect(credentials(join(third.home, 'kubeconfig'))).toBe(credentials(kubeconfig));
    third.kill('SIGINT');
    expect(await third.ended).toEqual({ code: 0, signal: null });
  });

  it.each([
    [['embedded', '--prot', '1'], /^error: unknown option '--prot'.*\n$/],
    [['embedded', '--data', inTheWay, '--port', '0'], /^cutover: .*embedded\.test\.ts.*\n$/],
    [
      ['embedded', '--kubeconfig', inTheWay, '--port', '0'],
      /^cutover: the kubeconfig file \S+ cannot be written: .*embedded\.test\.ts.*\n$/,
    ],
    [['operator', '--off', 'lump'], /^error: .*'lump' is invalid\. No controller has this name.*\n$/],
    [['conquer'], /^error: unknown command 'conquer'.*\n$/],
  ])('answers %j with one line and exit code 1', async (args, line) => {
    await using program = startProgram(args);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.output).toEqual({ stdout: '', stderr: expect.stringMatching(line) });
  });

  it('tells its version', async () => {
    await using program = startProgram(['version']);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

/** Something that sits on a port. */
function occupy(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
