import { expect } from 'vitest';
import { cloudFoundryControllers } from '../../src/cloudfoundry/controllers.ts';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import { type AppWorkload, appWorkload } from '../../src/cloudfoundry/resources/app-workload.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import type { Condition } from '../../src/control/conditions.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { openCluster } from '../stage/open-cluster.ts';
import { CloudFoundryStage } from './cloudfoundry-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';

export const space = 'space-1';

/** The whole family on an embedded cluster with nodes, an organization and a space; people use `kubectl`. */
export class AppStage extends CloudFoundryStage {
  static async open(): Promise<AppStage> {
    const cluster = await openCluster({ seed: 6, start: '2026-11-01T10:00:00Z' });
    const stage = new AppStage(cluster, { patienceMs: 300_000 });
    await stage.install();
    await stage.clock.advance(100);
    return stage;
  }

  /** A cluster on which an operator runs, and a space is there. */
  static async running(): Promise<{ stage: AppStage; stop: () => Promise<void> }> {
    const stage = await AppStage.open();
    const stop = stage.start();
    await stage.apply(object('CFOrg', 'cf', 'org-1', { displayName: 'demo' }));
    await stage.until('the organization', () => stage.find(kinds.namespaces, undefined, 'org-1') !== undefined);
    await stage.apply(object('CFSpace', 'org-1', space, { displayName: 'dev' }));
    await stage.until('the space', () => {
      return stage.find(kinds.serviceAccounts, space, 'korifi-app') !== undefined;
    });
    return { stage, stop };
  }

  /** Starts an operator. Returns the way to stop it. */
  start(): () => Promise<void> {
    const process = this.run((given) => {
      const { cfbuild: _registry, cfpackage: _source, ...controllers } = cloudFoundryControllers(given);
      return controllers;
    });
    return async () => {
      await process.stop();
    };
  }

  // What people do.

  /** An app with a droplet of this image, as a person would apply it. */
  async push(name: string, spec: Partial<CfApp['spec']> = {}): Promise<void> {
    await this.droplet(`${name}-droplet`, name, 'app:1');
    const lifecycle = { type: 'docker' };
    const currentDropletRef = { name: `${name}-droplet` };
    await this.apply(
      object('CFApp', space, name, {
        displayName: name,
        desiredState: 'STARTED',
        lifecycle,
        currentDropletRef,
        ...spec,
      }),
    );
  }

  async droplet(name: string, app: string, image: string): Promise<void> {
    const refs = { packageRef: { name: 'package' }, appRef: { name: app }, lifecycle: { type: 'docker' } };
    await this.apply(object('CFBuild', space, name, refs));
    const body = { status: { state: 'STAGED', droplet: { registry: { image }, stack: '', ports: [8080] } } };
    await this.person.resource(cfBuild.type).status.patch({ namespace: space, name }, { type: 'merge', body });
  }

  async edit(name: string, body: object): Promise<void> {
    await this.person.resource(cfApp.type).patch({ namespace: space, name }, { type: 'merge', body });
  }

  async scale(app: string, desiredInstances: number): Promise<void> {
    const body = { spec: { desiredInstances } };
    const name = processGuid(app, 'web');
    await this.person.resource(cfProcess.type).patch({ namespace: space, name }, { type: 'merge', body });
  }

  // What is to be seen.

  app(name: string): CfApp {
    return this.find<CfApp>(cfApp.type, space, name) ?? expect.fail(`there is no app ${name}`);
  }

  /** `True Ready` */
  ready(name: string): string {
    const ready = this.app(name).status?.conditions?.find((condition: Condition) => condition.type === 'Ready');
    return `${ready?.status} ${ready?.reason}`;
  }

  workloads(): readonly AppWorkload[] {
    return this.embedded.world.list<AppWorkload>(appWorkload.type, { namespace: space });
  }

  pods(): readonly KubeObject[] {
    return this.embedded.world.list(kinds.pods, { namespace: space });
  }

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }
}

export function object(kind: string, namespace: string, name: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, ...{ spec } };
}
