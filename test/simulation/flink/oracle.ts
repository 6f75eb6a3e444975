import type { VirtualClock } from '../../../src/clock/virtual.ts';
import { audit } from '../../../src/embedded/programs/flink/audit.ts';
import { seen } from '../../../src/embedded/programs/flink/counting.ts';
import type { FlinkWorld } from '../../../src/embedded/programs/flink/flink-world.ts';
import type { Run } from '../../../src/embedded/programs/flink/run.ts';
import type { World } from '../../../src/embedded/world.ts';
import { flinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Request } from '../../../src/kube/transport.ts';
import { checkpointMs, rate } from '../../flink/manifests.ts';
import { watchTraffic } from '../bluegreen/traffic.ts';
import type { Oracle, Writes } from '../subject.ts';
import { essential } from './essential.ts';
import type { Workload } from './workloads.ts';

const custom = [flinkDeployment.type, flinkSessionJob.type, flinkStateSnapshot.type, flinkBlueGreenDeployment.type];
const objects = [kinds.deployments, kinds.services, kinds.configMaps, kinds.ingresses];

/** A checkpoint takes a moment, and a job that is being stopped reads on meanwhile. */
const sinceCheckpoint = ((checkpointMs + 5_000) / 1000) * rate;

/** What must never be the case with Flink jobs. */
export class FlinkOracle implements Oracle {
  readonly violations: string[] = [];
  readonly writes: Writes = {};
  readonly #world: World;
  readonly #flink: FlinkWorld;
  readonly #clock: VirtualClock;
  readonly #newest = new Map<string, { attempt: number; generation: number }>();
  #workload: Workload | undefined;
  #excused = false;
  #counts = true;

  constructor(world: World, flink: FlinkWorld, clock: VirtualClock) {
    this.#world = world;
    this.#flink = flink;
    this.#clock = clock;
    watchTraffic(
      world,
      flink,
      (what) => this.violate(what),
      () => this.#excused,
    );
    for (const type of [...custom, ...objects]) {
      world.watch(type, ({ before, after }) => {
        this.#count(before, after);
        if (after && custom.includes(type)) this.#judge(after);
      });
    }
  }

  expect(workload: Workload | undefined): void {
    this.#workload = workload;
  }

  /**
   * From now on a job may also begin anew because somebody took away what it ran in. `moreOrLess`: there may be another number of
   * savepoints, for something is done besides, or not to the end.
   */
  excuse(moreOrLess: boolean): void {
    this.#excused = true;
    if (moreOrLess) this.#counts = false;
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  judgeCall(id: string): void {
    const statuses = custom.flatMap((type) => this.#world.list(type).map(({ status }) => JSON.stringify(status ?? {})));
    if (!statuses.some((status) => status.includes(`"${id}"`))) {
      this.violate(`${id} was called although no stored status holds it`);
    }
  }

  /** What is wrong with a request, should it succeed: it takes away what a living JobManager recovers from. */
  fault({ method, path }: Request): string | undefined {
    const [, namespace, name = ''] =
      method === 'DELETE' ? (/\/namespaces\/([^/]+)\/configmaps\/([^/?]+)/.exec(path) ?? []) : [];
    const labels = this.#world.get(kinds.configMaps, namespace, name)?.metadata.labels;
    if (labels?.['configmap-type'] !== 'high-availability') return undefined;
    const alive = this.#world
      .list(kinds.pods)
      .filter(({ metadata }) => metadata.labels?.app === labels.app && metadata.labels?.component === 'jobmanager');
    return alive.length > 0 ? `${name} is deleted while ${alive[0]?.metadata.name} lives` : undefined;
  }

  judgeEnd(): void {
    const runs = this.#flink.runs();
    for (const { state, origin } of runs) {
      const counts = Array.from({ length: origin.keys }, (_, key) => seen(state.offset, key, origin.keys));
      if (state.offset > 0 && JSON.stringify(state.counts) !== JSON.stringify(counts)) {
        this.violate(`${origin.jobId} counted ${state.counts} of ${state.offset}`);
      }
    }
    const { lost } = audit(runs);
    if (lost.length > 0) this.violate(`records were lost: ${JSON.stringify(lost)}`);
    const { repeats, savepoints } = this.#workload ?? {};
    if (repeats !== 'what two sides count at once' && !this.#excused)
      this.#judgeRepeats(repeats === 'nothing' ? 0 : sinceCheckpoint);
    const taken = this.#savepoints().length;
    if (this.#counts && savepoints !== undefined && taken !== savepoints)
      this.violate(`${taken} savepoints instead of ${savepoints}`);
  }

  /** One job after the other, and each goes on where the one before was, or not much earlier. */
  #judgeRepeats(most: number): void {
    const runs = this.#flink.runs();
    for (const [at, run] of runs.entries()) {
      const twice = runs.slice(0, at).find((other) => other.ranAt(this.#startOf(run) + 1));
      if (twice) this.violate(`${run.origin.jobId} began while ${twice.origin.jobId} was running`);
      const before = runs[at - 1];
      if (!before || run.origin.restoredFrom === undefined) continue;
      if (before.to - run.from > most) this.violate(`${before.to - run.from} records were counted twice`);
    }
  }

  /** Flink cannot be watched: it is asked now and then. */
  isIdle(call: string): boolean {
    return call.startsWith('GET ') && call.includes('/proxy/');
  }

  effects(): Readonly<Record<string, number>> {
    const runs = this.#flink.runs();
    return {
      savepoints: this.#savepoints().length,
      jobs: new Set(runs.map(({ origin }) => origin.jobId)).size,
      runs: runs.length,
      'runs that began empty': runs.filter(({ origin }) => origin.restoredFrom === undefined).length,
    };
  }

  end(): unknown {
    return essential([...custom, ...objects, kinds.pods].flatMap((type) => this.#world.list(type)));
  }

  #savepoints(): readonly string[] {
    return this.#flink.storage.list('s3://bucket/').filter((path) => path.includes('/savepoint-'));
  }

  /** By the monotonic clock. */
  #startOf(run: Run): number {
    return this.#clock.monotonic() - run.ageMs;
  }

  #count(before: AnyObject | undefined, after: AnyObject | undefined): void {
    const object = after ?? before;
    const { name = '', labels } = object?.metadata ?? {};
    // What Flink itself and the cluster keep is not the operator's.
    if (labels?.['configmap-type'] === 'high-availability' || name === 'kube-root-ca.crt') return;
    const key = `${object?.kind} ${name.replace(/\d{13}/, 'TIME').replace(/savepoint-[0-9a-f]{10}$/, 'SAVEPOINT')}`;
    const count = { created: 0, changed: 0, deleted: 0, ...this.writes[key] };
    if (!before) count.created += 1;
    else if (!after) count.deleted += 1;
    // The status of a Deployment is the cluster's.
    else if (before.metadata.generation !== after.metadata.generation || !isDeployment(after)) count.changed += 1;
    this.writes[key] = count;
  }

  #judge(object: AnyObject): void {
    const {
      attempt = 0,
      observedGeneration: generation = 0,
      conditions = [],
    } = (object.status as FlinkDeployment['status']) ?? {};
    const key = object.metadata.uid ?? '';
    const newest = this.#newest.get(key) ?? { attempt: 0, generation: 0 };
    if (attempt < newest.attempt) this.violate(`attempts went back from ${newest.attempt} to ${attempt}`);
    if (generation < newest.generation) this.violate('observedGeneration went back');
    this.#newest.set(key, { attempt, generation });
    const types = conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
    if (types.includes('Reconciling') && types.includes('Stalled')) this.violate('Reconciling and Stalled at once');
  }
}

function isDeployment({ kind }: AnyObject): boolean {
  return kind === 'Deployment';
}
