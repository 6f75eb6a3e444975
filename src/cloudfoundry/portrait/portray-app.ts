import type { AnyObject } from '../../kube/object.ts';
import { podNode, podPortrait } from '../../portrait/of-pod.ts';
import type { Cause, ConditionLine, Fact, Machine, Portrait, Side, TreeNode } from '../../portrait/portrait.ts';
import type { Phase } from '../../portrait/summary.ts';
import type { Around } from '../../portrait/workload.ts';
import { labels } from '../keys.ts';
import { wantedInstances } from '../wanted-instances.ts';
import { answersOf } from './answers.ts';
import { countOf, podsOf, revisionOf, wantedOf, whyOf } from './instances.ts';
import { type Scene, sceneOf } from './scene.ts';
import { historyOf, stepsOf } from './steps.ts';
import { summaryOf } from './summarize-app.ts';

/** Everything about an app: its revisions side by side, the deployment that goes on, and every instance. */
export function portrayApp(object: AnyObject, around: Around): Portrait {
  const scene = sceneOf(object, around);
  const cause = causeOf(scene);
  const summary = summaryOf(scene);
  return {
    ...summary,
    serving: summary.serving === 'nothing' ? 'nothing' : `${summary.serving}, ${readyOf(scene)}`,
    answers: answersOf(scene),
    ...(cause && { cause }),
    sides: sidesOf(scene),
    steps: stepsOf(scene),
    deadlines: [],
    machine: machineOf(scene),
    tree: treeOf(scene, summary.phase),
    pods: podsOf(scene),
    facts: factsOf(scene),
    conditions: conditionsOf(scene),
    history: historyOf(scene),
  };
}

function readyOf(scene: Scene): string {
  const ready = scene.pods.map((pod) => podPortrait(pod)).filter((pod) => pod.ready && pod.phase !== 'deleting').length;
  return `${ready} of ${wantedOf(scene)} ready`;
}

function causeOf({ app, current, situation }: Scene): Cause | undefined {
  if (!current || !('mark' in situation)) return undefined;
  const { record } = current;
  const since = record.metadata.creationTimestamp;
  const { dropletRef, previousDropletRef, strategy } = record.spec;
  const changed = dropletRef?.name !== previousDropletRef?.name;
  return {
    kind: situation.is === 'returning' ? 'cancel' : `${strategy} deployment`,
    because: whyOf(record.spec),
    changes: changed
      ? [
          {
            path: 'spec.currentDropletRef.name',
            ...(previousDropletRef?.name !== undefined && { from: previousDropletRef.name }),
            ...(dropletRef?.name !== undefined && { to: dropletRef.name }),
            demands: 'restart',
          },
        ]
      : [],
    ...(app.metadata.generation !== undefined && { generation: app.metadata.generation }),
    ...(since !== undefined && { since }),
  };
}

/** The revisions that have instances, the one that served before first. */
function sidesOf(scene: Scene): readonly Side[] {
  const { appRev, pods, situation } = scene;
  const wanted = wantedOf(scene);
  const present = [...new Set(pods.flatMap((pod) => revisionOf(pod) ?? []))].map(Number).filter(Number.isSafeInteger);
  const revisions = [...new Set([...present, ...(wanted > 0 ? [appRev] : [])])].toSorted((a, b) => a - b);
  return revisions.map((revision): Side => {
    const { ready, all } = countOf(scene, revision);
    const role = roleOf(scene, revision, ready);
    const phase: Phase =
      ready > 0 && (role !== 'next' || situation.is === 'canary') ? 'healthy' : all === 0 ? 'unknown' : 'progressing';
    const droplet = dropletOf(scene, revision);
    const share = wanted === 0 ? '' : `${Math.round((100 * ready) / Math.max(wanted, 1))}%`;
    return {
      name: `revision ${revision}`,
      role,
      phase,
      state: `${ready} of ${all} ready`,
      facts: [
        ...(droplet === undefined ? [] : [{ label: 'droplet', value: droplet }]),
        ...(share === '' ? [] : [{ label: 'share of instances', value: share }]),
      ],
    };
  });
}

function roleOf({ situation, appRev }: Scene, revision: number, ready: number): Side['role'] {
  if (situation.is === 'rolling' || situation.is === 'canary') return revision === appRev ? 'next' : 'serving';
  if (situation.is === 'returning') return revision === appRev ? 'serving' : 'old';
  if (revision === appRev) return ready > 0 ? 'serving' : 'next';
  return 'old';
}

function dropletOf({ app, deployments }: Scene, revision: number): string | undefined {
  const { revision: taken } = app.status ?? {};
  if (taken?.appRev === String(revision)) return taken.droplet;
  return deployments.find(({ record }) => record.status?.appRev === String(revision))?.record.spec.dropletRef?.name;
}

/** The states of a deployment, in Cloud Foundry's words, between those of the app. */
function machineOf({ situation }: Scene): Machine {
  const now: Readonly<Record<Scene['situation']['is'], string>> = {
    deleting: 'STOPPED',
    stopped: 'STOPPED',
    stopping: 'STOPPED',
    'without-droplet': 'STOPPED',
    starting: 'STARTING',
    running: 'DEPLOYED',
    rolling: 'DEPLOYING',
    canary: 'PAUSED',
    returning: 'CANCELING',
  };
  const states = ['STOPPED', 'STARTING', 'DEPLOYED', 'DEPLOYING', 'PAUSED', 'CANCELING'];
  return {
    states: states.map((name) => ({ name, current: now[situation.is] === name })),
    edges: [
      { from: 'STOPPED', to: 'STARTING', label: 'start' },
      { from: 'STARTING', to: 'DEPLOYED', label: 'all instances ready' },
      { from: 'DEPLOYED', to: 'DEPLOYING', label: 'push, restart' },
      { from: 'DEPLOYING', to: 'PAUSED', label: 'canary' },
      { from: 'PAUSED', to: 'DEPLOYING', label: 'continue' },
      { from: 'DEPLOYING', to: 'DEPLOYED', label: 'all instances ready' },
      { from: 'DEPLOYING', to: 'CANCELING', label: 'cancel' },
      { from: 'PAUSED', to: 'CANCELING', label: 'cancel' },
      { from: 'CANCELING', to: 'DEPLOYED', label: 'previous revision ready' },
      { from: 'DEPLOYED', to: 'STOPPED', label: 'stop' },
    ],
  };
}

function treeOf(scene: Scene, phase: Phase): TreeNode {
  const { app, processes, sets, current } = scene;
  const pods = podsOf(scene);
  const byProcess = (guid: string): TreeNode[] =>
    sets.filter(({ metadata }) => metadata.labels?.[labels.guid] === guid).map((set) => node(set, scene.pods, pods));
  const deployment: TreeNode[] = current
    ? [
        {
          kind: 'CFDeployment',
          name: current.record.metadata.name ?? '',
          phase: current.standing.value === 'FINALIZED' ? 'healthy' : phase,
          status: `${current.standing.value} ${current.standing.reason}`,
          ...made(current.record),
          info: whyOf(current.record.spec),
          children: [],
        },
      ]
    : [];
  return {
    kind: app.kind,
    name: app.spec.displayName || (app.metadata.name ?? ''),
    phase,
    status: app.spec.desiredState,
    ...made(app),
    children: [
      ...deployment,
      ...processes.map((process): TreeNode => {
        const wanted = app.spec.desiredState === 'STOPPED' ? 0 : wantedInstances(process.spec);
        const ready = process.status?.actualInstances ?? 0;
        return {
          kind: 'CFProcess',
          name: process.spec.processType,
          phase: ready >= wanted ? 'healthy' : 'progressing',
          status: `${ready} of ${wanted} ready`,
          ...made(process),
          children: byProcess(process.metadata.name ?? ''),
        };
      }),
    ],
  };
}

function node(set: AnyObject, pods: readonly AnyObject[], portraits: ReturnType<typeof podsOf>): TreeNode {
  const own = portraits.filter((_, index) => {
    return pods[index]?.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid);
  });
  const ready = own.filter((pod) => pod.ready).length;
  return {
    kind: 'StatefulSet',
    name: set.metadata.name ?? '',
    phase: set.metadata.deletionTimestamp !== undefined ? 'deleting' : ready === own.length ? 'healthy' : 'progressing',
    status: `${ready} of ${own.length} ready`,
    ...made(set),
    children: own.map(podNode),
  };
}

function made({ metadata }: Pick<AnyObject, 'metadata'>): { readonly createdAt?: string } {
  return metadata.creationTimestamp === undefined ? {} : { createdAt: metadata.creationTimestamp };
}

function factsOf({ app, appRev, routes, processes, current }: Scene): readonly Fact[] {
  const uris = routes.flatMap(({ status }) => (typeof status?.uri === 'string' ? [status.uri] : []));
  const { droplet } = app.status?.revision ?? {};
  const { strategy, maxInFlight } = current?.record.spec ?? {};
  return [
    { label: 'app-rev', value: String(appRev) },
    ...(droplet === undefined ? [] : [{ label: 'droplet', value: droplet }]),
    ...(uris.length === 0 ? [] : [{ label: 'routes', value: uris.join(', ') }]),
    ...processes.map(({ spec }) => ({
      label: `process ${spec.processType}`,
      value: `${wantedInstances(spec)} × ${spec.memoryMB ?? '?'} MB`,
    })),
    ...(strategy === undefined ? [] : [{ label: 'strategy', value: `${strategy}, ${maxInFlight ?? 1} at a time` }]),
  ];
}

function conditionsOf({ app }: Scene): readonly ConditionLine[] {
  const conditions = Array.isArray(app.status?.conditions) ? app.status.conditions : [];
  return conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({
    type: String(type),
    status: String(status),
    reason: String(reason),
    message: String(message),
    ...(typeof lastTransitionTime === 'string' && { since: lastTransitionTime }),
  }));
}
