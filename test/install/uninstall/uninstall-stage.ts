import { type Uninstall, type UninstallEnd, uninstall } from '../../../src/cli/uninstall/uninstall.ts';
import { seededRandom } from '../../../src/clock/random.ts';
import { LeaderLease } from '../../../src/control/lease.ts';
import { silent } from '../../../src/control/log.ts';
import type { User } from '../../../src/embedded/gate.ts';
import { Client } from '../../../src/kube/client.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../../src/kube/transport.ts';
import { familyNames } from '../../../src/main/families.ts';
import { finalizersOf } from '../../../src/main/uninstall.ts';
import { ClusterStage } from '../../stage/cluster-stage.ts';
import { openCluster } from '../../stage/open-cluster.ts';

export const home = 'cutover-system';

/** Every finalizer that an uninstall knows. */
export const ours = await finalizersOf(familyNames);

type Options = 'namespaces' | 'dryRun' | 'wait' | 'withoutLease' | 'timeoutMs' | 'finalizers';

export interface Run extends Partial<Pick<Uninstall, Options>> {
  readonly user?: User;
  /** What stands between it and the server. */
  readonly through?: (transport: Transport) => Transport;
}

/** `cutover uninstall` while it runs, and what it said. */
export interface Running {
  readonly said: readonly string[];
  readonly end: UninstallEnd | 'crashed' | undefined;
  interrupt(): void;
}

/** An API server with the kinds of all families, and objects on which our finalizers are; nobody works on them. */
export class UninstallStage extends ClusterStage {
  #runs = 0;

  /** `led`: there was an operator, which has ended in good order and left its lease behind. */
  static async open({ definitions = true, led = true } = {}): Promise<UninstallStage> {
    const stage = new UninstallStage(await openCluster({ seed: 7 }), { patienceMs: 10 * 60_000 });
    for (const name of [home, 'team-b']) {
      await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    if (definitions) for (const { type } of ours) await stage.apply(definition(type));
    if (led) await (await operator(stage)).release();
    await stage.clock.advance(100);
    return stage;
  }

  /** Makes an object of each kind of ours in a namespace, as an operator would leave it behind. */
  async hold(inNamespace = 'default', also: readonly string[] = []): Promise<void> {
    for (const { type, finalizer } of ours) await this.store(type, inNamespace, [...also, finalizer]);
  }

  async store(type: ResourceType, inNamespace: string, finalizers: readonly string[], name = 'one'): Promise<void> {
    const metadata = { name, namespace: inNamespace, finalizers, labels: { team: 'a' } };
    const apiVersion = `${type.group}/${type.version}`;
    await this.person
      .resource<AnyObject>(type)
      .create({ apiVersion, kind: type.kind, metadata, spec: { image: 'one:1' } });
  }

  /** What is held, `Kind namespace/name finalizer`. */
  held(): readonly string[] {
    return ours.flatMap(({ type }) =>
      this.embedded.world
        .list(type)
        .flatMap(({ metadata: { namespace: where, name, finalizers = [] } }) =>
          finalizers.map((one) => `${type.kind} ${where}/${name} ${one}`),
        ),
    );
  }

  run({ user, through = (transport) => transport, ...options }: Run = {}): Running {
    this.#runs += 1;
    const { clock } = this;
    const random = seededRandom(90 + this.#runs);
    const client = new Client(through(this.embedded.transport(user)), { clock });
    const said: string[] = [];
    const stop = new AbortController();
    const running: { said: string[]; end: Running['end']; interrupt: () => void } = {
      said,
      end: undefined,
      interrupt: () => stop.abort(),
    };
    const lease = { client, clock, random, log: silent, namespace: home, name: 'cutover' };
    uninstall({
      ...{ client, clock, finalizers: ours, namespaces: [], dryRun: false, wait: false, withoutLease: false },
      timeoutMs: 300_000,
      lease: new LeaderLease({ ...lease, identity: `uninstall-${this.#runs}` }),
      leaseName: `${home}/cutover`,
      signal: stop.signal,
      say: (line) => void said.push(line),
      ...options,
    }).then(
      (end) => {
        running.end = end;
      },
      () => {
        running.end = 'crashed';
      },
    );
    return running;
  }

  /** Runs it to its end. */
  async ran(run: Run = {}): Promise<Running> {
    const running = this.run(run);
    await this.until('it ends', () => running.end !== undefined);
    return running;
  }
}

/** The kind, and any content: what is in a spec is nothing to an uninstall. */
function definition({ group, version, kind, plural }: ResourceType): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const spec = {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
  };
  const metadata = { name: `${plural}.${group}` };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec } as KubeObject;
}

/** An operator that holds the lease, and gives it away only if it is asked and polite. */
export async function operator(stage: UninstallStage, { polite = false } = {}): Promise<LeaderLease> {
  const { clock, person: client } = stage;
  const place = { namespace: home, name: 'cutover', identity: 'operator-1' };
  const lease = new LeaderLease({ client, clock, random: seededRandom(3), log: silent, ...place });
  if (!(await lease.attempt(new AbortController().signal))) throw new Error('somebody holds it');
  if (polite) lease.asked.addEventListener('abort', () => void lease.release());
  return lease;
}

/** Does something to each request before it leaves. */
export function disturbed(act: (request: Request) => Promise<void> | void): (transport: Transport) => Transport {
  return (transport) => ({
    ...transport,
    request: async (request) => {
      await act(request);
      return transport.request(request);
    },
  });
}
