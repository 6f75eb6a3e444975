import { seededRandom } from '../../../src/clock/random.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import type { Request, Response, Transport } from '../../../src/kube/transport.ts';
import { type Instance, instance } from '../../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { Process } from '../../simulation/process.ts';
import { WatchReplica } from '../../simulation/watch-replica.ts';
import { openCluster } from '../../stage/open-cluster.ts';
import type { OperatorProcess } from '../../stage/operator-process.ts';
import { KudoStage, object } from '../kudo-stage.ts';
import { type Edits, unedited, walkPackage } from './walk-package.ts';

export const namespace = 'default';
export const name = 'one';

/** How an API server may refuse a write. */
export type Refusal = 409 | 422 | 429 | 500;

/** An operator that can die, whose watches can fall behind and whose writes may be refused, and an Instance. */
export class WalkStage extends KudoStage {
  #operator: { readonly process: OperatorProcess; readonly replica: WatchReplica } | undefined;
  #wakings = 0;
  #closed = false;
  #refusals: Refusal[] = [];

  static override async open(): Promise<WalkStage> {
    const nodes = { count: 1, cpu: '64', memory: '256Gi' };
    const cluster = await openCluster({ seed: 7, start: '2026-11-01T10:00:00Z', nodes });
    const stage = new WalkStage(cluster, { patienceMs: 600_000 });
    await stage.define();
    stage.wake();
    for (const version of [1, 2] as const) await stage.putVersion(version, unedited);
    await stage.installOne();
    await stage.settled(name, 1);
    await stage.until('it is ready', () => stage.condition(name, 'Ready') === 'True ResourcesReady');
    return stage;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#operator?.process.stop();
    await super[Symbol.asyncDispose]();
  }

  /** Starts an operator, in another pod each time. */
  wake(): void {
    this.#wakings += 1;
    const random = seededRandom(100 + this.#wakings);
    const transport = this.embedded.transport();
    const replica = new WatchReplica(transport, this.clock, new Process(this.clock), random);
    const request = async (sent: Request): Promise<Response> => {
      if (/[?&]watch=/.test(sent.path)) return await replica.watch(sent);
      const refusal = isWrite(sent) ? this.#refusals.shift() : undefined;
      return refusal === undefined ? await transport.request(sent) : refused(refusal);
    };
    this.#operator = { process: this.start({ transport: { ...transport, request } as Transport }), replica };
  }

  /** The operator dies of its n-th write from now on, and another one is there some time later. */
  dieAt(write: number, downMs: number): void {
    const dying = this.#operator;
    dying?.process.dieAt(write);
    const look = (): void => {
      if (dying !== this.#operator || this.#closed) return;
      if (dying?.process.dead) this.clock.after(downMs, () => dying === this.#operator && !this.#closed && this.wake());
      else this.clock.after(500, look);
    };
    look();
  }

  /** From now on it lives, and what it asks for is done. */
  live(): void {
    this.#operator?.process.dieAt(Number.POSITIVE_INFINITY);
    this.#refusals = [];
  }

  /** The next writes of the operator are answered so. */
  refuse(refusals: readonly Refusal[]): void {
    this.#refusals.push(...refusals);
  }

  /** What happens reaches the operator only after this long. */
  freeze(ms: number): void {
    this.#operator?.replica.freeze(ms);
  }

  /** The operator is told an older state for a while. */
  rewind(): void {
    this.#operator?.replica.rewind();
  }

  one(): Instance | undefined {
    return this.find<Instance>(instance.type, name);
  }

  async installOne(parameters: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.apply(object('Instance', name, { operatorVersion: { name: versionName(1) }, parameters }));
  }

  /** Writes a version as edited, whether or not it is there. */
  async putVersion(version: 1 | 2, edits: Edits): Promise<void> {
    const versionObject = object('OperatorVersion', versionName(version), {
      operator: { kind: 'Operator', name: 'demo' },
      ...walkPackage(version, edits),
    });
    const live = this.find(operatorVersion.type, versionName(version));
    if (!live) return await this.apply(versionObject);
    const { resourceVersion = '' } = live.metadata;
    const body = { ...versionObject, metadata: { ...versionObject.metadata, resourceVersion } };
    await this.person.resource<KubeObject>(operatorVersion.type).update(body as KubeObject);
  }

  /** What a person does to an object that may be gone already. */
  async patchIfThere(type: ResourceType, of: string, body: object): Promise<void> {
    if (!this.find(type, of)) return;
    await this.person.resource(type).patch({ namespace, name: of }, { type: 'merge', body });
  }

  async deleteIfThere(type: ResourceType, of: string, propagationPolicy?: 'Foreground' | 'Orphan'): Promise<void> {
    if (!this.find(type, of)) return;
    await this.person.resource(type).delete({ namespace, name: of }, propagationPolicy && { propagationPolicy });
  }
}

export function versionName(version: 1 | 2): string {
  return `demo-0.${version}.0`;
}

function isWrite({ method, path }: Request): boolean {
  return method !== 'GET' && !/\/leases|\/events/.test(path);
}

const reasons = { 409: 'Conflict', 422: 'Invalid', 429: 'TooManyRequests', 500: 'InternalError' } as const;

function refused(code: Refusal): Response {
  const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message: 'not now', code };
  const body = Buffer.from(JSON.stringify({ ...status, reason: reasons[code] }));
  return { status: code, headers: { 'content-type': 'application/json' }, body: ReadableStream.from([body]) };
}
