import { expect } from 'vitest';
import { appWorkloadController } from '../../../src/cloudfoundry/controllers/app-workload.ts';
import { runnerInfoController } from '../../../src/cloudfoundry/controllers/runner-info.ts';
import { annotations, labels } from '../../../src/cloudfoundry/keys.ts';
import type { Pod, StatefulSet } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import {
  type AppWorkload,
  type AppWorkloadSpec,
  appWorkload,
} from '../../../src/cloudfoundry/resources/app-workload.ts';
import type { Condition } from '../../../src/control/conditions.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { type Cluster, openCluster } from '../../stage/open-cluster.ts';
import type { OperatorProcess } from '../../stage/operator-process.ts';
import { CloudFoundryStage } from '../cloudfoundry-stage.ts';

export const space = 'space';
export const process = 'web-process';

/** An operator that runs. */
export type Running = OperatorProcess;

/** The runner alone, with the operator's rights, on an embedded cluster with nodes. Workloads are written by hand. */
export class RunnerStage extends CloudFoundryStage {
  readonly transport: Transport;

  private constructor(cluster: Cluster) {
    super(cluster, { patienceMs: 300_000 });
    this.transport = this.embedded.transport();
  }

  /** With a space, its ServiceAccount, and a Service in front of all instances of the process. */
  static async open(): Promise<RunnerStage> {
    const stage = new RunnerStage(await openCluster({ seed: 4 }));
    await stage.install();
    await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } });
    const metadata = { namespace: space };
    await stage.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, name: 'korifi-app' } });
    await stage.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'front' },
      spec: { selector: { [labels.guid]: process }, ports: [{ port: 8080 }] },
    } as KubeObject);
    await stage.clock.advance(1000);
    return stage;
  }

  start(): Running {
    return this.run((given) => ({
      appworkload: appWorkloadController(given),
      runnerinfo: runnerInfoController(given),
    }));
  }

  // What people do.

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
    return this.neverCame(what);
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
}
