import { applyPatch } from 'rfc6902';
import { equal } from '../../../src/change/equal.ts';
import type { Action } from '../../../src/control/decision.ts';
import { parseOperatorConfig } from '../../../src/flink/config/parse-operator-config.ts';
import { decideBlueGreen } from '../../../src/flink/decide/bluegreen/blue-green.ts';
import type { BlueGreenCaches } from '../../../src/flink/observe/blue-green-caches.ts';
import { blueGreenView } from '../../../src/flink/observe/blue-green-view.ts';
import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type GoldenCase, operatorConf } from './load.ts';

const operator = parseOperatorConfig(operatorConf());
if ('problem' in operator) throw new Error(operator.problem);
const config = operator;

/** No recording needs more looks than this to come to rest. */
const mostLooks = 100;

/**
 * What our decisions make of a recorded blue/green deployment, in a world where whatever is asked for happens at once: sides
 * run as soon as they are made, if the recording had a stub that made jobs look alive; savepoints are taken; what is deleted
 * is gone.
 */
export class Played {
  /** The states since the last edit, that before it included: `ACTIVE_BLUE RUNNING`. */
  states: string[] = [];
  #resource: FlinkBlueGreenDeployment;
  readonly #objects = new Map<string, AnyObject>();
  readonly #applied = new Map<string, AnyObject>();
  #version = 1;
  #now = Date.UTC(2026, 0, 1);
  readonly #alive: boolean;

  constructor({ name, input }: GoldenCase) {
    this.#alive = name.startsWith('r');
    const metadata = { ...input.metadata, uid: '<uid>', resourceVersion: '1', generation: 1 };
    this.#resource = { ...input, metadata } as unknown as FlinkBlueGreenDeployment;
    this.#rest();
  }

  /** Its sides and its Ingress, by `Kind/name`. */
  get objects(): ReadonlyMap<string, AnyObject> {
    return new Map([...this.#objects].filter(([, { kind }]) => kind !== 'FlinkStateSnapshot'));
  }

  get error(): string | undefined {
    return this.#resource.status?.error;
  }

  edit({ spec }: AnyObject): void {
    const { metadata, status } = this.#resource;
    const generation = (metadata.generation ?? 0) + 1;
    this.#resource = {
      ...this.#resource,
      metadata: { ...metadata, generation, resourceVersion: this.#next() },
      spec: spec as FlinkBlueGreenDeployment['spec'],
    };
    this.states = status ? [stateOf(status)] : [];
    this.#rest();
  }

  /** Looks and acts until there is nothing to do, and, where jobs run, nothing to wait for. */
  #rest(): void {
    for (let looks = 0; looks < mostLooks; looks++) {
      const { actions, wakeAt } = decideBlueGreen(this.#view());
      if (actions.map((action) => this.#act(action)).includes(true)) continue;
      if (wakeAt === undefined || !this.#alive) return;
      this.#now = Math.max(wakeAt, this.#now + 1);
    }
    throw new Error(`${this.#resource.metadata.name} does not come to rest: ${JSON.stringify(this.#resource.status)}`);
  }

  #view() {
    const of = (kind: string) => ({ get: (key: string) => this.#objects.get(`${kind}/${key.split('/')[1]}`) });
    const snapshots = [...this.#objects.values()].filter(({ kind }) => kind === 'FlinkStateSnapshot');
    const caches = {
      deployments: of('FlinkDeployment'),
      ingresses: of('Ingress'),
      snapshots: { by: () => snapshots },
    } as unknown as BlueGreenCaches;
    const { name, namespace } = this.#resource.metadata;
    const glance = { object: this.#resource, now: this.#now, outcomes: {}, signal: new AbortController().signal };
    return blueGreenView(`${namespace}/${name}`, glance, { caches, operator: () => config });
  }

  /** Whether anything changed by it. */
  #act(action: Action): boolean {
    switch (action.do) {
      case 'status': {
        const status = action.status as FlinkBlueGreenDeployment['status'] & object;
        const metadata = { ...this.#resource.metadata, resourceVersion: this.#next() };
        this.#resource = { ...this.#resource, metadata, status };
        if (stateOf(status) !== this.states.at(-1)) this.states.push(stateOf(status));
        return true;
      }
      case 'create':
        this.#put(action.object as AnyObject);
        return true;
      case 'apply': {
        const object = action.object as AnyObject;
        if (equal(object, this.#applied.get(idOf(object)))) return false;
        this.#applied.set(idOf(object), object);
        this.#put(object);
        return true;
      }
      case 'patch': {
        const found = structuredClone(this.#objects.get(idOf({ ...action.of, metadata: action.of }))) as AnyObject;
        applyPatch(found, [...action.patch] as Parameters<typeof applyPatch>[1]);
        this.#put(found);
        return true;
      }
      case 'delete': {
        const id = idOf({ ...action.of, metadata: action.of });
        this.#applied.delete(id);
        return this.#objects.delete(id);
      }
      case 'event':
        return false;
      default:
        throw new Error(`a blue/green deployment does not ask for ${action.do}`);
    }
  }

  #put(object: AnyObject): void {
    const before = this.#objects.get(idOf(object));
    const resourceVersion = this.#next();
    const metadata = {
      ...object.metadata,
      uid: before?.metadata.uid ?? `uid-${resourceVersion}`,
      resourceVersion,
      generation: (before?.metadata.generation ?? 0) + 1,
      creationTimestamp: new Date(this.#now).toISOString(),
    };
    this.#objects.set(idOf(object), { ...object, metadata, ...this.#statusOf(object) });
  }

  #statusOf(object: AnyObject): object {
    if (object.kind === 'FlinkStateSnapshot') {
      const directory = this.#resource.spec.template?.spec?.flinkConfiguration?.['state.savepoints.dir'];
      return { status: { state: 'COMPLETED', path: `${directory}/savepoint-job-0123456789ab` } };
    }
    if (object.kind !== 'FlinkDeployment') return {};
    const suspended = (object as unknown as FlinkDeployment).spec.job?.state === 'suspended';
    const [lifecycleState, state] = suspended
      ? ['SUSPENDED', 'FINISHED']
      : this.#alive
        ? ['STABLE', 'RUNNING']
        : ['DEPLOYED', 'RECONCILING'];
    return { status: { lifecycleState, jobStatus: { state, jobId: '0'.repeat(32) } } };
  }

  #next(): string {
    this.#version++;
    return `${this.#version}`;
  }
}

/** `Kind/name` */
function idOf({ kind, metadata }: Pick<AnyObject, 'kind' | 'metadata'>): string {
  return `${kind}/${metadata.name}`;
}

function stateOf({ blueGreenState, jobStatus }: FlinkBlueGreenDeployment['status'] & object): string {
  return `${blueGreenState} ${jobStatus?.state}`;
}
