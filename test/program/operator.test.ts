import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { install } from '../../src/cli/install.ts';
import type { LeaseObject } from '../../src/control/lease.ts';
import { definitions } from '../../src/flink/family.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { selfSigned } from '../certificate.ts';
import { clientOf } from './client-of.ts';
import { type Program, startProgram } from './start-program.ts';

/** One cluster for all operators here; each takes its lease in a namespace of its own. */
let cluster: Program;
let kubeconfig: string;
beforeAll(async () => {
  cluster = startProgram(['embedded', '--port', '0', '--kubeconfig', 'kubeconfig']);
  await cluster.says(/Ctrl-C stops it/);
  kubeconfig = join(cluster.home, 'kubeconfig');
  await using client = await clientOf(kubeconfig);
  await install(client, definitions(), new AbortController().signal);
  mkdirSync(join(cluster.home, 'directory'));
  writeFileSync(join(cluster.home, 'no-yaml'), 'a: [1');
  writeFileSync(join(cluster.home, 'no-kubeconfig'), 'clusters: 3');
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const generous = { timeout: 110_000, interval: 50 } as const;

describe.concurrent('cutover operator', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('becomes ready, leads, and gives the lease back on %s', async (signal) => {
    const namespace = signal.toLowerCase();
    await using client = await clientOf(kubeconfig);
    await client
      .resource(kinds.namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const lease = async (): Promise<LeaseObject['spec']> =>
      (await client.resource<LeaseObject>(kinds.leases).get({ namespace, name: 'cutover' })).spec;

    await using program = startProgram([
      'operator',
      ...['--kubeconfig', kubeconfig],
      ...['--lease-namespace', namespace],
      ...['--health-port', '0'],
    ]);
    const [, port = ''] = await program.says(/"port":(\d+)/);
    await program.says(/"msg":"leading"/);
    await vi.waitFor(async () => expect(await get(port, '/readyz')).toMatch(/^\[\+\] caches ok\nok\n$/), generous);
    expect(await get(port, '/livez')).toMatch(/ok\n$/);
    expect(await get(port, '/metrics')).toMatch(/^cutover_leader 1$/m);
    expect((await lease())?.holderIdentity).toMatch(/_[0-9a-f-]{36}$/);

    program.kill(signal);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect((await lease())?.holderIdentity ?? '').toBe('');
    expect(program.output.stdout).toBe('');
    // It writes no file, above all not into ~/.kube.
    expect(readdirSync(program.home)).toEqual([]);
  });

  it.each([
    ['judges and completes what others write', [], { allowed: false }, { allowed: true, patchType: 'JSONPatch' }],
    ['lets it through as it is when it only looks', ['--observe-only'], { allowed: true }, { allowed: true }],
  ])('%s, if it serves webhooks', async (_, more, judged, completed) => {
    const { cert, key } = await selfSigned();
    const certs = mkdtempSync(join(cluster.home, 'certs-'));
    writeFileSync(join(certs, 'tls.crt'), cert);
    writeFileSync(join(certs, 'tls.key'), key);
    await using program = startProgram([
      'operator',
      ...['--kubeconfig', kubeconfig, '--no-leader-elect', '--health-port', '0'],
      ...['--webhook-port', '0', '--webhook-certs', certs, ...more],
    ]);
    const [, port = ''] = await program.says(/"port":(\d+),"msg":"admission webhooks are served"/);
    const says = async (path: string, kind: string): Promise<unknown> => {
      const object = { apiVersion: 'flink.apache.org/v1beta1', kind, metadata: { name: 'one', namespace: 'a' } };
      const body = { ...object, spec: { deploymentName: 'session', job: { parallelism: -1 } } };
      const { uid: _uid, status: _status, patch: _patch, warnings, ...rest } = await ask(port, path, body, cert);
      expect(warnings).toBeUndefined();
      return rest;
    };
    expect(await says('/validate', 'FlinkDeployment')).toEqual(judged);
    expect(await says('/mutate', 'FlinkSessionJob')).toEqual(completed);
  });

  it('looks for ~/.kube/config when it is told nothing, and makes none', async () => {
    await using program = startProgram(['operator', '--observe-only', '--health-port', '0']);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.output.stderr).toMatch(/^cutover: no kubeconfig: there is no file .*[\\/]\.kube[\\/]config\n$/);
    expect(readdirSync(program.home)).toEqual([]);
  });

  it('says in one line that its health port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const port = String((taken.address() as AddressInfo).port);
    const args = ['operator', '--kubeconfig', kubeconfig, '--no-leader-elect', '--log-level', 'error'];
    await using program = startProgram([...args, '--health-port', port]);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.output.stderr).toMatch(new RegExp(`^cutover: port ${port} is taken by another program; .*\\n$`));
    taken.close();
  });

  it('says in one line that it cannot read the key stores of the Java operator', async () => {
    const args = ['operator', '--kubeconfig', kubeconfig, '--no-leader-elect', '--log-level', 'error'];
    const env = { OPERATOR_TRUSTSTORE_PATH: '/certs/truststore.jks' };
    await using program = startProgram([...args, '--health-port', '0', '--flink-rest', 'direct'], env);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const line = /^cutover: OPERATOR_TRUSTSTORE_PATH names a Java key store, .* set FLINK_REST_CA_FILE\n$/;
    expect(program.output).toEqual({ stdout: '', stderr: expect.stringMatching(line) });
  });

  it.each([
    ['nowhere', [], /^cutover: no kubeconfig: there is no file \S*nowhere\n$/],
    ['directory', [], /^cutover: kubeconfig \S*directory: EISDIR.*\n$/],
    ['no-yaml', [], /^cutover: kubeconfig \S*no-yaml: not YAML: .*\n$/],
    ['no-kubeconfig', [], /^cutover: kubeconfig \S*no-kubeconfig: clusters: .*\n$/],
    ['kubeconfig', ['--context', 'moon'], /^cutover: .*context "moon" does not exist; known: ".*\n$/],
  ])('answers the kubeconfig %s with %j by one line and exit code 1', async (file, more, line) => {
    await using program = startProgram(['operator', '--kubeconfig', join(cluster.home, file), ...more]);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.output).toEqual({ stdout: '', stderr: expect.stringMatching(line) });
  });
});

async function get(port: string, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

/** What a hook of the program answers when the API server asks it about a new object. */
function ask(port: string, path: string, object: AnyObject, ca: string): Promise<Readonly<Record<string, unknown>>> {
  const [group, version] = object.apiVersion.split('/');
  const asked = { uid: '1', operation: 'CREATE', kind: { group, version, kind: object.kind }, userInfo: {}, object };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: asked };
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method: 'POST', ca, headers, agent: false },
      (incoming) => {
        text(incoming).then((answer) => resolve(JSON.parse(answer).response), reject);
      },
    );
    outgoing.on('error', reject).end(JSON.stringify(review));
  });
}
