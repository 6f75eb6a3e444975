import { expect } from 'vitest';
import { cloudFoundryControllers } from '../../src/cloudfoundry/controllers.ts';
import type { ImageFinding } from '../../src/cloudfoundry/ports/image-registry.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import type { CloudFoundrySettings } from '../../src/cloudfoundry/settings.ts';
import type { Conditions } from '../../src/control/conditions.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { openCluster } from '../stage/open-cluster.ts';
import type { OperatorProcess } from '../stage/operator-process.ts';
import { CloudFoundryStage } from './cloudfoundry-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

/** The namespace of the space that everything here is in. */
export const space = 'space-1';

type Stated = KubeObject & { readonly status?: { readonly conditions?: Conditions } };

/** The whole family on an embedded cluster with an organization, a space, a stopped app, and images that say what they are told to. */
export class StagingStage extends CloudFoundryStage {
  /** What a registry answers, by image. Others cannot be reached. */
  readonly images = new Map<string, ImageFinding>();
  /** Which images were asked for, with how many credentials. */
  readonly asked: string[] = [];
  #process: OperatorProcess | undefined;

  /** With an operator that runs, and an app that has never been pushed. */
  static async open(settings: Partial<CloudFoundrySettings> = {}): Promise<StagingStage> {
    const cluster = await openCluster({ seed: 6, start: '2026-11-01T10:00:00Z' });
    const stage = new StagingStage(cluster, { patienceMs: 120_000, settings, isBug: () => true });
    await stage.install();
    await stage.clock.advance(100);
    stage.start();
    await stage.make('CFOrg', 'org-1', { displayName: 'demo' }, 'cf');
    await stage.until('the organization', () => stage.find(kinds.namespaces, 'org-1', undefined) !== undefined);
    await stage.make('CFSpace', space, { displayName: 'dev' }, 'org-1');
    await stage.until('the space', () => stage.find(kinds.serviceAccounts, 'korifi-task') !== undefined);
    const lifecycle = { type: 'docker' };
    await stage.make('CFApp', 'app', { displayName: 'orders', desiredState: 'STOPPED', lifecycle });
    return stage;
  }

  /** Starts an operator. Its process dies when that many of its writes were done, and learns nothing of the last. */
  start(diesAfter?: number): void {
    const registry = {
      read: async (image: string, configs: readonly unknown[]): Promise<ImageFinding> => {
        this.asked.push(`${image} ${configs.length}`);
        return this.images.get(image) ?? { read: false, why: 'nobody is there' };
      },
    };
    this.#process = this.run((given) => cloudFoundryControllers({ ...given, registry }));
    if (diesAfter !== undefined) this.#process.dieAt(diesAfter);
  }

  /** Whether the operator that was started last is gone. */
  get isGone(): boolean {
    return this.#process?.isGone ?? false;
  }

  /** Stops the operator; `start` starts another one. */
  async stop(): Promise<void> {
    expect(await this.#process?.stop()).toBe('stopped');
  }

  // What people do.

  async make(kind: string, name: string, spec: object, namespace = space): Promise<void> {
    await this.apply({ apiVersion, kind, metadata: { name, namespace }, ...{ spec } });
  }

  /** A docker package, and a build of it. */
  async push(name: string, image: string): Promise<void> {
    const appRef = { name: 'app' };
    await this.make('CFPackage', `${name}-package`, { type: 'docker', appRef, source: { registry: { image } } });
    const packageRef = { name: `${name}-package` };
    await this.make('CFBuild', name, { packageRef, appRef, lifecycle: { type: 'docker' } });
  }

  async edit(kind: string, name: string, body: object): Promise<void> {
    await this.person.resource(typeNamed(kind)).patch({ namespace: space, name }, { type: 'merge', body });
  }

  async tell(kind: string, name: string, status: object, namespace = space): Promise<void> {
    await this.person.resource(typeNamed(kind)).status.patch({ namespace, name }, { type: 'merge', body: { status } });
  }

  // What is to be seen.

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    name: string,
    namespace: string | undefined = type.namespaced ? space : undefined,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  names(kind: string): readonly string[] {
    return this.embedded.world.list(typeNamed(kind), { namespace: space }).map(({ metadata }) => metadata.name ?? '');
  }

  status(kind: string, name: string): NonNullable<AnyObject['status']> {
    return this.find(typeNamed(kind), name)?.status ?? {};
  }

  /** `True BuildSucceeded` */
  condition(kind: string, name: string, type: string): string {
    const found = this.find<Stated>(typeNamed(kind), name)?.status?.conditions?.find((one) => one.type === type);
    return found ? `${found.status} ${found.reason}` : '';
  }

  message(kind: string, name: string, type: string): string {
    const conditions = this.find<Stated>(typeNamed(kind), name)?.status?.conditions;
    return conditions?.find((one) => one.type === type)?.message ?? '';
  }
}

function typeNamed(kind: string): ResourceType {
  const types = [...cloudFoundryKinds.map(({ type }) => type), ...Object.values(kinds)];
  return types.find((type) => type.kind === kind) ?? expect.fail(`there is no kind ${kind}`);
}
