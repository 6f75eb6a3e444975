import { applyPatch } from 'rfc6902';
import { VirtualClock } from '../../../clock/virtual.ts';
import { stamped } from '../../../control/actions/apply.ts';
import { isThisCreation } from '../../../control/actions/create.ts';
import { type Action, type Decision, flaw } from '../../../control/decision.ts';
import type { Outcomes } from '../../../control/outcome.ts';
import { sealer, unseal } from '../../../control/sealed.ts';
import { KubeError } from '../../../kube/error.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import { ownedBy } from '../../manifests/owned-by.ts';
import { processGuid } from '../../names.ts';
import { type CfAppSources, type CfAppView, cfAppView } from '../../observe/cf-app-view.ts';
import { listedOfApp } from '../../observe/listed-of-app.ts';
import { type AppWorkloadStatus, appWorkload } from '../../resources/app-workload.ts';
import { type CfApp, cfApp } from '../../resources/cf-app.ts';
import { cfBuild } from '../../resources/cf-build.ts';
import { type CfDeploymentStatus, cfDeployment } from '../../resources/cf-deployment.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { cfRoute } from '../../resources/cf-route.ts';
import { defaultSettings } from '../../settings.ts';
import { decideCfApp } from '../cf-app.ts';

export const space = '22222222-2222-4222-8222-222222222222';
export const guid = '11111111-1111-4111-8111-111111111111';
const made = '2026-01-02T03:04:05Z';

/** An app and all that is around it, in memory; what is decided is done at once. */
export class AppWorld {
  now = Date.parse(made);
  outcomes: Outcomes = {};
  /** `PATCH CFApp`, in order. */
  readonly deeds: string[] = [];
  readonly objects = new Map<string, AnyObject>();
  /** Kinds that the caches do not show, though they are there. */
  readonly unseen = new Set<string>();
  #version = 100;
  readonly #seal = sealer(new Uint8Array(32));

  constructor(spec: Partial<CfApp['spec']> = {}, metadata: KubeObject['metadata'] = {}) {
    this.put({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: { name: guid, creationTimestamp: made, generation: 1, ...metadata },
      spec: { displayName: 'web1', desiredState: 'STOPPED', lifecycle: { type: 'docker' }, ...spec },
    } as KubeObject);
  }

  get app(): CfApp {
    return this.get('CFApp', guid) as unknown as CfApp;
  }

  get<T extends KubeObject = AnyObject>(kind: string, name: string): T {
    const object = this.objects.get(`${kind} ${name}`);
    if (!object) throw new Error(`there is no ${kind} ${name}`);
    return object as unknown as T;
  }

  all<T extends KubeObject = AnyObject>(kind: string): T[] {
    return [...this.objects.values()].filter((object) => object.kind === kind) as unknown as T[];
  }

  put(object: KubeObject): void {
    const { name = '' } = object.metadata;
    const before = this.objects.get(`${object.kind} ${name}`);
    this.#version += 1;
    const metadata = {
      namespace: space,
      uid: before?.metadata.uid ?? `uid-${object.kind}-${name}`,
      ...object.metadata,
      resourceVersion: String(this.#version),
    };
    this.objects.set(`${object.kind} ${name}`, { ...(object as AnyObject), metadata });
  }

  /** What a person writes: annotations, and a spec that counts a generation. */
  edit(spec: Partial<CfApp['spec']>, annotations: Readonly<Record<string, string>> = {}): void {
    const { app } = this;
    const metadata = {
      ...app.metadata,
      annotations: { ...app.metadata.annotations, ...annotations },
      generation: (app.metadata.generation ?? 0) + 1,
    };
    this.put({ ...app, metadata, spec: { ...app.spec, ...spec } } as KubeObject);
  }

  build(name: string, status: object | undefined, appGuid = guid): void {
    this.put({
      apiVersion: cfBuild.apiVersion,
      kind: 'CFBuild',
      metadata: { name, ...(appGuid === guid && { ownerReferences: [ownedBy(this.app)] }) },
      spec: { appRef: { name: appGuid }, packageRef: { name: 'p' }, lifecycle: { type: 'docker' } },
      ...(status && { status }),
    } as KubeObject);
  }

  staged(name: string, processTypes?: readonly { type: string; command?: string }[]): void {
    const droplet = { registry: { image: 'app:1' }, ...(processTypes && { processTypes }) };
    this.build(name, { state: 'STAGED', droplet });
  }

  secret(name: string, data: Readonly<Record<string, string>>): void {
    this.put({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data } as KubeObject);
  }

  route(name: string, uri: string, apps: readonly string[], creationTimestamp = made): void {
    const destinations = apps.map((app, index) => ({
      guid: `${name}-${index}`,
      appRef: { name: app },
      processType: 'web',
    }));
    this.put({
      apiVersion: cfRoute.apiVersion,
      kind: 'CFRoute',
      metadata: { name, creationTimestamp },
      spec: { domainRef: { name: 'default-domain' }, destinations },
      status: { uri },
    } as KubeObject);
  }

  /** A workload; unless its status says otherwise, it is Ready when all instances run its revision. */
  workload(version: string, status: AppWorkloadStatus = {}, annotations = {}): void {
    const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready', observedGeneration: 1 } as const;
    const conditions = status.observedAppRev === version ? [{ ...ready, lastTransitionTime: made }] : [];
    this.put({
      apiVersion: appWorkload.apiVersion,
      kind: 'AppWorkload',
      metadata: { name: 'workload', generation: 1, annotations },
      spec: {
        GUID: processGuid(guid, 'web'),
        version,
        appGUID: guid,
        processType: 'web',
        image: 'i',
        instances: 1,
        runnerName: 'r',
      },
      status: { conditions, ...status },
    } as KubeObject);
  }

  deployment(name: string, value: 'ACTIVE' | 'FINALIZED', status: CfDeploymentStatus = {}): void {
    this.put({
      apiVersion: cfDeployment.apiVersion,
      kind: 'CFDeployment',
      metadata: { name },
      spec: { appRef: { name: guid }, strategy: 'rolling', dropletRef: { name: 'd' }, maxInFlight: 1, step: 1 },
      status: { value, ...status },
    } as KubeObject);
  }

  /** Every process says how it stands with the revision that is recorded. */
  processes(actualInstances: number, ready: boolean): void {
    const appRev = this.app.status?.revision?.appRev;
    for (const process of this.all<CfProcess>('CFProcess')) {
      const generation = process.metadata.generation ?? 1;
      const condition = ready
        ? { type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready' }
        : { type: 'Ready', status: 'False', reason: 'AppWorkloadsNotReady', message: '0 of 1' };
      this.put({
        ...process,
        metadata: { ...process.metadata, generation },
        status: {
          actualInstances,
          ...(appRev !== undefined && { observedAppRev: appRev }),
          conditions: [{ ...condition, observedGeneration: generation, lastTransitionTime: made }],
        },
      } as KubeObject);
    }
  }

  view(): Promise<CfAppView> {
    const signal = new AbortController().signal;
    return cfAppView(
      `${space}/${guid}`,
      { object: this.app, now: this.now, outcomes: this.outcomes, signal },
      this.#sources(),
    );
  }

  async decision(): Promise<Decision> {
    const decision = decideCfApp(await this.view());
    if (flaw(decision)) throw new Error(flaw(decision));
    return decision;
  }

  /** Looks and acts until nothing is left to do. */
  async settle(): Promise<Decision> {
    for (let round = 0; round < 20; round++) {
      const decision = await this.decision();
      if (decision.actions.length === 0) return decision;
      this.act(decision.actions);
    }
    throw new Error(`it never comes to rest: ${this.deeds.slice(-6).join(', ')}`);
  }

  act(actions: readonly Action[]): void {
    for (const action of actions) {
      if (!this.#do(action)) return;
    }
  }

  /** False when the object has another version than was seen: the rest is not done. */
  #do(action: Action): boolean {
    if (action.do === 'event') {
      this.deeds.push(`event ${action.reason}`);
      return true;
    }
    if (action.do === 'apply' || action.do === 'create') {
      const object = (action.do === 'apply' ? stamped(action.object) : unseal(action.object)) as AnyObject;
      const present = this.objects.get(`${object.kind} ${object.metadata.name}`);
      if (action.do === 'create' && present) {
        if (!isThisCreation(present, object)) throw new Error(`${object.metadata.name} is a stranger's`);
        return true;
      }
      this.put({ ...object, metadata: { generation: 1, creationTimestamp: made, ...object.metadata } });
      this.deeds.push(`${action.do} ${object.kind} ${object.metadata.name}`);
      return true;
    }
    if (action.do === 'call') throw new Error(`nobody can ${action.do} here`);
    const { kind, name, resourceVersion } = action.of;
    const object = this.get(kind, name);
    if (resourceVersion !== undefined && object.metadata.resourceVersion !== resourceVersion) return false;
    this.deeds.push(`${action.do} ${kind} ${name}`);
    if (action.do === 'delete' || action.do === 'evict') {
      this.objects.delete(`${kind} ${name}`);
    } else if (action.do === 'status') {
      this.put({ ...object, status: structuredClone(action.status) } as KubeObject);
    } else if (action.do === 'patch') {
      const after = structuredClone(object);
      const failed = applyPatch(after, structuredClone(action.patch) as never).find(Boolean);
      if (failed) throw failed;
      const edited = JSON.stringify(after.spec) !== JSON.stringify(object.spec);
      const generation = (object.metadata.generation ?? 0) + (edited ? 1 : 0);
      this.put({ ...after, metadata: { ...after.metadata, generation } });
    }
    return true;
  }

  #sources(): CfAppSources {
    const shown = (kind: string, keep: (object: AnyObject) => boolean) => ({
      type: { kind },
      get: (key: string) => (this.unseen.has(kind) ? undefined : this.objects.get(`${kind} ${key.split('/').at(-1)}`)),
      by: () => (this.unseen.has(kind) ? [] : this.all(kind).filter(keep)),
    });
    const ofApp = ({ spec }: AnyObject): boolean => JSON.stringify(spec).includes(guid);
    const metadataOnly = ({ metadata }: AnyObject): AnyObject => ({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata,
    });
    const labelled = ({ metadata }: AnyObject): boolean =>
      metadata.labels?.['korifi.cloudfoundry.org/app-guid'] === guid;
    const caches = {
      builds: shown('CFBuild', ofApp),
      packages: shown('CFPackage', ofApp),
      tasks: shown('CFTask', ofApp),
      processes: shown('CFProcess', ofApp),
      workloads: shown('AppWorkload', ofApp),
      routes: shown('CFRoute', ofApp),
      deployments: shown('CFDeployment', ofApp),
      namespaces: shown('Namespace', () => true),
      spaces: shown('CFSpace', () => true),
      orgs: shown('CFOrg', () => true),
    };
    const read = async ({ name }: { readonly name: string }): Promise<AnyObject> => {
      this.deeds.push(`read Secret ${name}`);
      const found = this.objects.get(`Secret ${name}`);
      if (!found) throw new KubeError('not-found', `secrets "${name}" not found`);
      return found;
    };
    const list = (kind: string) => async () => ({
      metadata: { resourceVersion: String(this.#version) },
      items: kind === 'Secret' ? this.all(kind).filter(labelled).map(metadataOnly) : this.all(kind),
    });
    const client = {
      resource: ({ kind }: ResourceType) => ({ get: read, list: list(kind) }),
    } as unknown as CfAppSources['client'];
    const shownOnes = caches as unknown as CfAppSources['caches'];
    return {
      caches: shownOnes,
      client,
      listed: listedOfApp(shownOnes, { client, clock: new VirtualClock() }),
      settings: { ...defaultSettings, apiUrl: 'https://api.example' },
      seal: this.#seal,
    };
  }
}

/** An app that was pushed and runs its first revision. */
export async function running(spec: Partial<CfApp['spec']> = {}): Promise<AppWorld> {
  const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'droplet' }, ...spec });
  world.staged('droplet');
  await world.settle();
  world.workload('0', { observedAppRev: '0' });
  world.processes(1, true);
  await world.settle();
  world.deeds.length = 0;
  return world;
}

/** A Secret that belongs to the app, as the API makes that of the environment. */
export function owned(world: AppWorld, name: string, data: Readonly<Record<string, string>>): void {
  world.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { 'korifi.cloudfoundry.org/app-guid': guid }, ownerReferences: [ownedBy(world.app)] },
    data,
  } as KubeObject);
}

/** `False ProcessesNotReady: …` */
export function readyOf(world: AppWorld): string {
  const ready = world.app.status?.conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
}
