import { labels } from '../../../src/cloudfoundry/keys.ts';
import type { Pod } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import { cloudFoundryKinds } from '../../../src/cloudfoundry/resources/all.ts';
import { type CfApp, cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../../../src/cloudfoundry/resources/cf-deployment.ts';
import { revisionsOf } from '../../../src/cloudfoundry/revision.ts';
import type { Change, World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Oracle } from '../subject.ts';
import { WriteCount } from '../write-count.ts';
import { essential } from './essential.ts';

type RunningPod = Pod & { readonly spec?: { readonly containers?: readonly { image?: string; env?: unknown }[] } };

const space = 'space-1';
const custom = cloudFoundryKinds.map(({ type }) => type);
const objects = [kinds.statefulSets, kinds.secrets, kinds.services, kinds.jobs, kinds.serviceAccounts];

/** What must never be the case with apps and their instances. */
export class CloudFoundryOracle implements Oracle {
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #count = new WriteCount();
  /** As many instances serve, whatever happens, until somebody takes them. */
  #floor = 0;
  #excused = false;
  /** What each revision was seen to consist of. */
  readonly #contents = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
    for (const type of [...custom, ...objects]) world.watch(type, (change) => this.#written(change));
    world.watch<RunningPod>(kinds.pods, ({ after }) => this.#pod(after));
    world.watch<CfApp>(cfApp.type, ({ before, after }) => before && after && this.#app(before, after));
    world.watch<CfDeployment>(cfDeployment.type, ({ before, after }) => after && this.#deployment(before, after));
  }

  get writes(): Oracle['writes'] {
    return this.#count.writes;
  }

  /** From now on fewer instances may serve, but not fewer than these. */
  permits(instances: number): void {
    this.#floor = Math.min(this.#floor, instances);
  }

  /** From now on instances come and go for other reasons than the operator's. */
  excuse(): void {
    this.#excused = true;
    this.#floor = 0;
  }

  pods(): readonly RunningPod[] {
    const all = this.#world.list<RunningPod>(kinds.pods, { namespace: space });
    return all.filter(({ metadata }) => metadata.labels?.[labels.processType] === 'web');
  }

  serving(): readonly RunningPod[] {
    return this.pods().filter(isServing);
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  judgeCall(): void {}

  judgeEnd(): void {
    if (this.serving().length < this.#floor) this.violate(`${this.serving().length} instances serve in the end`);
  }

  isIdle(): boolean {
    return false;
  }

  effects(): Readonly<Record<string, number>> {
    return {};
  }

  end(): unknown {
    return essential([...custom, ...objects, kinds.pods].flatMap((type) => this.#world.list(type)));
  }

  #written(change: Change): void {
    const { before, after } = change;
    const { kind, metadata } = after ?? before ?? {};
    if (metadata?.namespace !== space) return;
    // The status of what the cluster runs is the cluster's.
    const runs = kind === 'StatefulSet' || kind === 'Job';
    if (runs && before && after && before.metadata.generation === after.metadata.generation) return;
    this.#count.count(`${kind} ${metadata?.name?.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'UID')}`, change);
  }

  #pod(pod: RunningPod | undefined): void {
    const found = this.#world.get<CfApp>(cfApp.type, space, 'web');
    const started = found?.spec.desiredState === 'STARTED' && !found.metadata.deletionTimestamp;
    if (!started) this.#floor = 0;
    // What ran before a stop ends, also when the app was started again before it has.
    const since = found ? revisionsOf(found).lastStopAppRev : 0;
    const serving = this.serving().filter(({ metadata }) => Number(metadata.labels?.[labels.version]) >= since).length;
    if (serving < this.#floor) this.violate(`${serving} instances serve, and there were ${this.#floor}`);
    this.#floor = started && !this.#excused ? Math.max(this.#floor, Math.min(serving, this.#wanted())) : 0;
    if (pod) this.#content(pod);
  }

  #wanted(): number {
    const [set] = this.#world.list(kinds.statefulSets, { namespace: space });
    const { replicas = 0 } = (set?.spec ?? {}) as { replicas?: number };
    return replicas - Number(set?.metadata.annotations?.['cutover.dev/surge'] ?? 0);
  }

  #content({ metadata, spec }: RunningPod): void {
    const revision = metadata.labels?.[labels.version];
    if (revision === undefined || metadata.labels?.[labels.processType] !== 'web') return;
    const [{ image, env } = {}] = spec?.containers ?? [];
    const content = JSON.stringify([image, env]);
    const known = this.#contents.get(revision) ?? content;
    if (known !== content) this.violate(`revision ${revision} was ${known}, and is ${content}`);
    this.#contents.set(revision, content);
  }

  #app(before: CfApp, after: CfApp): void {
    const [was, is] = [revisionsOf(before), revisionsOf(after)];
    if (is.appRev < was.appRev) this.violate(`app-rev went from ${was.appRev} back to ${is.appRev}`);
    if (is.highest > was.highest + 1) this.violate(`revisions were left out: ${was.highest} → ${is.highest}`);
    if (is.lastStopAppRev !== was.lastStopAppRev && after.spec.desiredState !== 'STOPPED') {
      this.violate('a stop was recorded of an app that is started');
    }
  }

  #deployment(before: CfDeployment | undefined, after: CfDeployment): void {
    const [was, is] = [before?.status, after.status];
    if (was?.value === 'FINALIZED' && is?.reason !== was.reason) {
      this.violate(`a deployment was ${was.reason}, and is ${is?.reason}`);
    }
    if (this.#excused || is?.reason !== 'DEPLOYED' || was?.reason === 'DEPLOYED') return;
    const fresh = this.serving().filter(({ metadata }) => metadata.labels?.[labels.version] === is.appRev);
    if (fresh.length < this.#wanted()) {
      this.violate(`it says DEPLOYED, and ${fresh.length} of ${this.#wanted()} run revision ${is.appRev}`);
    }
  }
}

function isServing({ metadata, status }: RunningPod): boolean {
  return (
    !metadata.deletionTimestamp && !!status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')
  );
}
