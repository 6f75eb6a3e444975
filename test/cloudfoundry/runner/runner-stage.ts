import { expect } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import { VirtualClock } from '../../../src/clock/virtual.ts';
import { appWorkloadController } from '../../../src/cloudfoundry/controllers/app-workload.ts';
import { runnerInfoController } from '../../../src/cloudfoundry/controllers/runner-info.ts';
import { installation } from '../../../src/cloudfoundry/install/installation.ts';
import { annotations, labels } from '../../../src/cloudfoundry/keys.ts';
import type { Pod, StatefulSet } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import { cloudFoundryKinds } from '../../../src/cloudfoundry/resources/all.ts';
import {
  type AppWorkload,
  type AppWorkloadSpec,
  appWorkload,
} from '../../../src/cloudfoundry/resources/app-workload.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import type { Condition } from '../../../src/control/conditions.ts';
import type { Log } from '../../../src/control/log.ts';
import { createMetrics } from '../../../src/control/metrics.ts';
import { type OperatorEnd, runOperator } from '../../../src/control/operator.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { openPki, type Pki } from '../../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../../src/embedded/embedded.ts';
import { Client } from '../../../src/kube/client.ts';
import { KubeError } from '../../../src/kube/error.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { crd } from '../../../src/schema/crd.ts';
import { account } from '../place-stage.ts';

const operator = { namespace: 'cutover', name: 'cutover' };
export const space = 'space';
export const process = 'web-process';

/** An operator that runs. */
export interface Running {
  stop(): Promise<void>;
  /** It dies of its n-th write from now on: that one is done, but it learns of nothing any more. */
  dieAt(write: number): void;
  readonly dead: boolean;
}

/** The runner alone, with the operator's rights, on an embedded cluster with nodes. Workloads are written by hand. */
export class RunnerStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock = new VirtualClock();
  readonly embedded: Embedded;
  readonly person: Client;
  readonly transport: Transport;
  /** What operators asked to be changed, `PATCH /apis/…`; leases and events left out. */
  readonly writes: string[] = [];
  readonly #bugs: string[] = [];
  #started = 0;

  private constructor(embedded: Embedded, clock: VirtualClock) {
    this.clock = clock;
    this.embedded = embedded;
    this.transport = embedded.transport();
    this.person = new Client(this.transport, { clock, userAgent: 'person' });
  }

  /** With a space, its ServiceAccount, and a Service in front of all instances of the process. */
  static async open(): Promise<RunnerStage> {
    const clock = new VirtualClock();
    RunnerStage.#pki ??= openPki({ clock });
    const embedded = await createEmbedded({ clock, random: seededRandom(4), pki: await RunnerStage.#pki });
    const stage = new RunnerStage(embedded, clock);
    for (const kind of cloudFoundryKinds) await stage.apply(crd(kind) as unknown as KubeObject);
    for (const object of installation(defaultSettings, { operator })) await stage.apply(object);
    await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } });
    const metadata = { namespace: space };
    await stage.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, name: 'korifi-app' } });
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'front' },
      spec: { selector: { [labels.guid]: process }, ports: [{ port: 8080 }] },
    } as KubeObject);
    await clock.advance(1000);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.#bugs).toEqual([]);
  }

  start(): Running {
    const { clock } = this;
    const [stop, death] = [new AbortController(), new AbortController()];
    let writesLeft = Number.POSITIVE_INFINITY;
    const random = seededRandom(++this.#started);
    const inner = this.embedded.transport(account(operator.namespace, operator.name));
    const client = new Client(
      {
        ...inner,
        request: async (request) => {
          if (death.signal.aborted) throw death.signal.reason;
          const writes = request.method !== 'GET' && !/\/leases|\/events/.test(request.path);
          if (writes) this.writes.push(`${request.method} ${request.path.replace(/\?.*$/, '')}`);
          const dies = writes && --writesLeft === 0;
          const answer = await inner.request(request);
          if (dies) {
            death.abort(new KubeError('unreachable', 'the process has died'));
            stop.abort();
          }
          if (death.signal.aborted) throw death.signal.reason;
          return answer;
        },
      },
      { clock },
    );
    const options = { client, clock, random, settings: defaultSettings, seal: sealer(new Uint8Array(32)) };
    let end: OperatorEnd | undefined;
    void runOperator({
      client,
      clock,
      random,
      log: this.#listening(),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: `operator-${this.#started}`,
      freeze: true,
      controllers: { appworkload: appWorkloadController(options), runnerinfo: runnerInfoController(options) },
    }).then((how) => {
      end = how;
    });
    return {
      dieAt: (write) => {
        writesLeft = write;
      },
      get dead() {
        return death.signal.aborted;
      },
      stop: async () => {
        stop.abort();
        await clock.runUntil(() => end !== undefined, 60_000);
      },
    };
  }

  // What people do.

  async apply(given: KubeObject): Promise<void> {
    const group = given.apiVersion.includes('/') ? given.apiVersion.split('/')[0] : '';
    const types = [...this.embedded.world.types(), ...Object.values(kinds)];
    const type = types.find((one) => one.kind === given.kind && one.group === group);
    await this.person.resource<KubeObject>(type ?? expect.fail(`no ${given.kind} here`)).create(given);
  }

  /** A workload as the process controller writes it. */
  async push(name: string, spec: Partial<AppWorkloadSpec> = {}, lastStopAppRev = '0'): Promise<void> {
    await this.apply({
      apiVersion: appWorkload.apiVersion,
      kind: 'AppWorkload',
      metadata: { name, namespace: space, annotations: { [annotations.lastStopAppRev]: lastStopAppRev } },
      spec: {
        GUID: process,
        version: lastStopAppRev,
        appGUID: 'app',
        processType: 'web',
        image: 'rig.local/app:1',
        env: [{ name: 'PORT', value: '8080' }],
        ports: [8080],
        readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 5 },
        instances: 1,
        runnerName: 'statefulset-runner',
        ...spec,
      },
    } as KubeObject);
  }

  async edit(
    name: string,
    spec: Omit<Partial<AppWorkloadSpec>, 'rollout'> & { readonly rollout?: object | null },
  ): Promise<void> {
    await this.person.resource(appWorkload.type).patch({ namespace: space, name }, { type: 'merge', body: { spec } });
  }

  async remove(name: string): Promise<void> {
    await this.person.resource(appWorkload.type).delete({ namespace: space, name });
  }

  /** Asks the Service every 100 ms until all is as it should be; every answer must be one. Returns how often it asked. */
  async underLoad(what: string, holds: () => boolean): Promise<number> {
    for (let asked = 1; asked < 3000; asked++) {
      const path = `/api/v1/namespaces/${space}/services/front/proxy/`;
      const { status, body } = await this.transport.request({ method: 'GET', path });
      for await (const _chunk of body);
      expect(status, `request ${asked} during: ${what}`).toBe(200);
      await this.clock.advance(100);
      if (holds()) return asked;
    }
    return expect.fail(`never came true: ${what}\n${this.#told()}`);
  }

  async until(what: string, holds: () => boolean, ms = 300_000): Promise<void> {
    if (!(await this.clock.runUntil(holds, ms))) expect.fail(`never came true: ${what}\n${this.#told()}`);
  }

  // What is to be seen.

  workload(name: string): AppWorkload {
    const found = this.embedded.world.get<AppWorkload>(appWorkload.type, space, name);
    return found ?? expect.fail(`there is no workload ${name}`);
  }

  /** `True Ready` */
  ready(name: string): string {
    const { status } = this.workload(name);
    const ready = status?.conditions?.find((condition: Condition) => condition.type === 'Ready');
    return `${ready?.status} ${ready?.reason}`;
  }

  /** Whether all wanted instances run this revision, and nothing else is left. */
  runs(name: string, version: string): boolean {
    const { status, spec } = this.workload(name);
    const calm = this.sets().every((set) => set.spec?.replicas === spec.instances);
    return status?.observedAppRev === version && this.ready(name) === 'True Ready' && calm;
  }

  sets(): readonly StatefulSet[] {
    return this.embedded.world.list<StatefulSet>(kinds.statefulSets, { namespace: space });
  }

  pods(): readonly Pod[] {
    return this.embedded.world
      .list<Pod>(kinds.pods, { namespace: space })
      .filter(({ metadata }) => !metadata.deletionTimestamp);
  }

  list(type: (typeof kinds)['pods']): readonly AnyObject[] {
    return this.embedded.world.list(type, { namespace: space });
  }

  uids(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(this.pods().map(({ metadata }) => [metadata.name, metadata.uid]));
  }

  #told(): string {
    const objects = [...this.list(appWorkload.type), ...this.sets(), ...this.pods()];
    return JSON.stringify(objects, undefined, 1);
  }

  #listening(): Log {
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: ({ error }, message) => {
        if (message.startsWith('a bug')) this.#bugs.push(`${message}: ${(error as Error)?.stack ?? String(error)}`);
      },
      child: () => log,
    };
    return log;
  }
}
