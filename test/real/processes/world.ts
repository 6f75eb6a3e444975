import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ControlPlane, startControlPlane } from '../../../rig/control-plane.ts';
import { install } from '../../../src/cli/install.ts';
import type { LeaseObject } from '../../../src/control/lease.ts';
import { Client } from '../../../src/kube/client.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { fixedIdentity } from '../../../src/kube/identity.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { definitions } from '../../../src/kudo/family.ts';
import { type Instance, instance as instances } from '../../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { bundle } from '../../program/bundle.ts';
import { type Program, startProgram } from '../../program/start-program.ts';
import { until } from '../flink/until.ts';
import { auditPolicy, type Write, writesIn } from './audit.ts';
import { errand, errandPackage } from './errand.ts';

/** How a replica differs from the usual one. */
export interface ReplicaOptions {
  /** Where it finds the API server; default: where that is. */
  readonly server?: string;
  /** A kubeconfig of its own. */
  readonly kubeconfig?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** More flags of `cutover operator`. */
  readonly flags?: readonly string[];
}

/** A real API server that writes down who wrote what, replicas of the operator as processes, and a person. */
export class ProcessWorld implements AsyncDisposable {
  readonly plane: ControlPlane;
  readonly person: Client;
  /** A directory for whatever a test needs. */
  readonly home: string;
  readonly #main: string;

  private constructor(plane: ControlPlane, home: string, main: string) {
    this.plane = plane;
    this.home = home;
    this.#main = main;
    const { certPem: cert, keyPem: key } = plane.pki.credentials('admin');
    const identity = fixedIdentity({ certificate: { cert, key } });
    const transport = httpTransport({ server: plane.url, tls: { ca: plane.pki.caPem }, identity });
    this.person = new Client(transport, { userAgent: 'person' });
  }

  static async open(): Promise<ProcessWorld> {
    const home = mkdtempSync(join(tmpdir(), 'cutover-processes-'));
    const policy = join(home, 'audit.yaml');
    writeFileSync(policy, auditPolicy);
    writeFileSync(auditLog(home), '');
    const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog(home)}`];
    const main = await bundle(join(home, 'program'));
    const world = new ProcessWorld(await startControlPlane({ apiServerFlags: flags }), home, main);
    await install(world.person, definitions(), new AbortController().signal);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.person.close();
    await this.plane.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** A namespace with the package in it; replicas that are told of it look at nothing else, and have their lease there. */
  async room(namespace: string): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await this.person.resource(kinds.namespaces).create(object);
    await this.person.resource(operatorVersion.type).create(errandPackage(namespace));
  }

  /** The operator as its users run it. What it writes is written down under its name. */
  replica(namespace: string, name: string, options: ReplicaOptions = {}): Program {
    const kubeconfig = options.kubeconfig ?? this.kubeconfig(name, { server: options.server });
    const args = [
      ...['operator', '--kubeconfig', kubeconfig, '--family', 'kudo', '--watch-namespace', namespace],
      ...['--lease-namespace', namespace, '--health-port', '0', ...(options.flags ?? [])],
    ];
    return startProgram(args, options.env, this.#main);
  }

  /** Writes a kubeconfig by which a replica comes in, with all rights, and under its own name. */
  kubeconfig(
    name: string,
    { server = this.plane.url, user }: { readonly server?: string | undefined; readonly user?: object } = {},
  ): string {
    const { pki } = this.plane;
    const { certPem, keyPem } = pki.credentials('admin');
    const admin = {
      'client-certificate-data': base64(certPem),
      'client-key-data': base64(keyPem),
      as: name,
      'as-groups': ['system:masters'],
    };
    const config = {
      clusters: [{ name: 'rig', cluster: { server, 'certificate-authority-data': base64(pki.caPem) } }],
      users: [{ name, user: user ?? admin }],
      contexts: [{ name: 'rig', context: { cluster: 'rig', user: name } }],
      'current-context': 'rig',
    };
    mkdirSync(join(this.home, 'kubeconfigs'), { recursive: true });
    const file = join(this.home, 'kubeconfigs', name);
    writeFileSync(file, stringify(config, { lineWidth: 0 }), { mode: 0o600 });
    return file;
  }

  /** What replicas wrote. */
  writes(namespace: string): readonly Write[] {
    return writesIn(auditLog(this.home), namespace);
  }

  async create(namespace: string, names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.person.resource(instances.type).create(errand(namespace, name))));
  }

  /** Another round: the plan runs once more. */
  async edit(namespace: string, names: readonly string[], round: number): Promise<void> {
    const body = { spec: { parameters: { ROUND: String(round) } } };
    const each = names.map((name) =>
      this.person.resource(instances.type).patch({ namespace, name }, { type: 'merge', body }),
    );
    await Promise.all(each);
  }

  /** Waits until so many rounds of each have run, and nothing runs any more. */
  async done(namespace: string, names: readonly string[], rounds: number): Promise<void> {
    await until(
      `${names.length} errands in ${namespace} have run ${rounds} times`,
      async () => {
        const { items } = await this.person.resource<Instance>(instances.type).list({ namespace });
        return items.filter(({ metadata }) => names.includes(metadata.name ?? ''));
      },
      (seen) =>
        seen.length === names.length &&
        seen.every(({ status }) => status?.executions === rounds && status.execution === undefined),
    );
  }

  /** Waits until all that was made tells of this round. */
  async reached(namespace: string, names: readonly string[], round: number): Promise<void> {
    await until(
      `all in ${namespace} tell of round ${round}`,
      () => this.rounds(namespace, names),
      (rounds) => names.every((name) => rounds[name] === String(round)),
    );
  }

  async lease(namespace: string): Promise<LeaseObject> {
    return await this.person.resource<LeaseObject>(kinds.leases).get({ namespace, name: 'cutover' });
  }

  /** The rounds that the ConfigMaps tell of, by name. */
  async rounds(namespace: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const { items } = await this.person.resource<AnyObject>(kinds.configMaps).list({ namespace });
    const meant = items.filter(({ metadata }) => names.includes(metadata.name ?? ''));
    return Object.fromEntries(
      meant.map(({ metadata, data }) => [metadata.name, (data as { readonly round?: string }).round]),
    );
  }
}

/** Until it leads and works. */
export async function working(program: Program): Promise<void> {
  await program.says(/"msg":"leading"/);
  await program.says(/"msg":"working"/);
}

/** Until it has seen everything and waits for the lease. */
export async function standingBy(program: Program): Promise<void> {
  const port = await portOf(program);
  await until(
    'the replica is ready',
    async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status,
    (status) => status === 200,
  );
}

async function portOf(program: Program): Promise<string> {
  const [, port = ''] = await program.says(/"port":(\d+).*"msg":"health and metrics are served"/);
  return port;
}

/** What it calls its own fault. There must be none. */
export function bugsOf({ output }: Program): readonly string[] {
  return output.stderr.split('\n').filter((line) => /"msg":"a bug|this is a bug|^\s+at /.test(line));
}

const auditLog = (home: string): string => join(home, 'audit.log');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
