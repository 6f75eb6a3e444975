import { isReady } from '../../../src/cloudfoundry/decide/conclude.ts';
import { deploymentStatus } from '../../../src/cloudfoundry/decide/deployment-status.ts';
import { keptRevisions } from '../../../src/cloudfoundry/kept-revisions.ts';
import { labels } from '../../../src/cloudfoundry/keys.ts';
import { revisionOfSecret } from '../../../src/cloudfoundry/manifests/revision-secret.ts';
import { revisionsOf } from '../../../src/cloudfoundry/revision.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { space } from '../app-stage.ts';
import { app, type WalkStage } from './walk-stage.ts';
import { isServing, processTypes, type Witness } from './witness.ts';

type Sized = KubeObject & { readonly spec?: { readonly replicas?: number } };

/** What is not as it should be when nothing moves any more. */
export function wrongAtRest(stage: WalkStage, witness: Witness): readonly string[] {
  const found = [...left(stage, witness), ...secrets(stage)];
  const { spec } = witness.app();
  return [...found, ...(spec.desiredState === 'STOPPED' ? stopped(witness) : started(stage, witness))];
}

/** One workload and one StatefulSet for each process that has instances, and nothing else. */
function left(stage: WalkStage, witness: Witness): readonly string[] {
  const isStarted = witness.app().spec.desiredState === 'STARTED';
  const needed = processTypes.filter((type) => isStarted && witness.wanted(type) > 0).join();
  const types = (objects: readonly KubeObject[]): string =>
    objects
      .map(({ metadata }) => metadata.labels?.[labels.processType])
      .toSorted()
      .join();
  const sets = stage.embedded.world.list<KubeObject>(kinds.statefulSets, { namespace: space });
  const [workloads, statefulSets] = [types(stage.workloads()), types(sets)];
  return [
    ...(workloads === needed ? [] : [`there are workloads of [${workloads}], and [${needed}] are needed`]),
    ...(sets.length === stage.workloads().length
      ? []
      : [`there are StatefulSets of [${statefulSets}], and [${needed}] are needed`]),
  ];
}

/** The environment of each revision that runs, or may be returned to. */
function secrets(stage: WalkStage): readonly string[] {
  const needed = new Set([String(revisionsOf(stage.app(app)).appRev), stage.app(app).status?.revision?.appRev]);
  for (const workload of stage.workloads()) {
    for (const version of [
      workload.spec.version,
      workload.status?.observedAppRev,
      ...Object.keys(keptRevisions(workload)),
    ]) {
      needed.add(version);
    }
  }
  const present = stage.embedded.world
    .list<KubeObject>(kinds.secrets, { namespace: space })
    .flatMap(({ metadata }) => revisionOfSecret(app, metadata.name ?? '') ?? []);
  const rolls = stage.workloads().some(({ spec, status }) => spec.version !== status?.observedAppRev);
  const spare = rolls ? [] : present.filter((appRev) => !needed.has(appRev));
  return spare.map((appRev) => `the environment of revision ${appRev} is kept for nobody`);
}

function stopped(witness: Witness): readonly string[] {
  const pods = witness.pods().map(({ metadata }) => `${metadata.name} of a stopped app is left`);
  return isReady(witness.app()) ? pods : [...pods, `it is stopped, and not Ready: ${told(witness)}`];
}

function started(stage: WalkStage, witness: Witness): readonly string[] {
  const { appRev } = revisionsOf(witness.app());
  const paused = witness.deployments().some((one) => {
    return deploymentStatus(one, witness.app(), stage.clock.now()).reason === 'PAUSED';
  });
  if (paused) return held(stage, witness);
  const broken = stage.workloads().some(({ spec }) => spec.image.includes('invalid'));
  if (broken) return isReady(witness.app()) ? ['a broken image runs, it says'] : saysWhy(witness);
  const wrong: string[] = [];
  if (!isReady(witness.app())) wrong.push(`it is not Ready: ${told(witness)}`);
  if (witness.app().status?.observedAppRev !== String(appRev)) wrong.push('it is Ready of another revision');
  for (const type of processTypes) {
    const pods = witness.pods(type);
    const good = pods.filter((pod) => isServing(pod) && pod.metadata.labels?.[labels.version] === String(appRev));
    const wanted = witness.wanted(type);
    if (pods.length !== wanted || good.length !== wanted) {
      wrong.push(
        `${pods.length} pods of ${type}, ${good.length} of revision ${appRev} serve, and ${wanted} are wanted`,
      );
    }
  }
  for (const set of stage.embedded.world.list<Sized>(kinds.statefulSets, { namespace: space })) {
    if (set.metadata.annotations?.['cutover.dev/surge'] !== undefined) wrong.push(`${set.metadata.name} still rolls`);
  }
  return wrong;
}

/** Canaries wait for people: all others serve, and so do they. */
function held(stage: WalkStage, witness: Witness): readonly string[] {
  if (isReady(witness.app())) return ['canaries are held, and it says Ready'];
  const wanted = witness.wanted('web');
  const serving = witness.pods('web').filter(isServing);
  const fresh = serving.filter(({ metadata }) => {
    return metadata.labels?.[labels.version] === String(revisionsOf(stage.app(app)).appRev);
  });
  return serving.length >= wanted && fresh.length > 0
    ? []
    : [`${fresh.length} canaries, ${serving.length} of ${wanted} serve`];
}

function saysWhy(witness: Witness): readonly string[] {
  return told(witness).includes('registry.invalid') ? [] : [`it does not say why: ${told(witness)}`];
}

function told(witness: Witness): string {
  const ready = witness.app().status?.conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason} ${ready?.message}`;
}
