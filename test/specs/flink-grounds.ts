import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkFamily, flinkHooks } from '../../src/flink/family.ts';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import { application, blueGreen, namespace, session, sessionJob } from '../flink/manifests.ts';
import { FlinkStage } from '../flink/stage.ts';
import { admitted } from './admitted.ts';
import type { Declared, Ground, Sample, Standing } from './ground.ts';
import { laneState } from './lane-state.ts';
import { podTemplateSample } from './pod-template-sample.ts';
import { standingOf, wordsOf } from './standing.ts';

/** A redeploy from a place where nothing lies. */
const noWayBack: Declared = {
  operations: /initialSavepointPath|savepointRedeployNonce|redeploy from savepoint/,
  problem: /^taken back, .*(FAILED|Cannot find checkpoint|TransitionAborted)/s,
  why: 'a job that cannot start from the savepoint that somebody named stays FAILED until another nonce says where to start: taking the nonce back names no state, and none is chosen for the user.',
};

/** Snapshots that were asked for stay: they are no part of what a job consists of. */
const types = [flinkDeployment, flinkSessionJob, flinkBlueGreenDeployment].map(({ type }) => type);

/** Checkpoints, so often as they usually are made, would be most of what is simulated here. */
const configuration = { 'execution.checkpointing.interval': '1 h' };

/** A cluster with Flink, an operator, and something that jobs can start from. */
export async function openFlink(): Promise<Pick<FlinkGroundOptions, 'stage' | 'savepoint' | 'spare'>> {
  const stage = await FlinkStage.open({ settings: { 'kubernetes.operator.reconcile.interval': '5 min' } });
  stage.start();
  const important = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'important' } };
  await stage.apply({ ...important, ...{ value: 1000 } });
  return { stage, savepoint: await savepointOf(stage, 'origin'), spare: await savepointOf(stage, 'spare') };
}

/** What a job left behind when it was suspended. */
async function savepointOf(stage: FlinkStage, name: string): Promise<string> {
  await stage.running(application({ name }), 0);
  await stage.editJob(name, { state: 'suspended' });
  await stage.lifecycle(name, 'SUSPENDED');
  return stage.savepoints(name)[0] ?? '';
}

export interface FlinkGroundOptions {
  readonly stage: FlinkStage;
  /** Where jobs can start from. */
  readonly savepoint: string;
  /** One that snapshots may dispose of. */
  readonly spare: string;
  readonly lanes: number;
}

/** Every kind of Flink that people write. */
export async function flinkGrounds(options: FlinkGroundOptions): Promise<readonly Ground[]> {
  return [
    deploymentGround(options),
    await sessionJobGround(options),
    await snapshotGround(options),
    blueGreenGround(options),
  ];
}

function deploymentGround({ stage, savepoint, lanes }: FlinkGroundOptions): Ground {
  return {
    ...shared(stage, 'app', lanes),
    kind: flinkDeployment,
    how: 'edit',
    samples: clusterSamples(savepoint),
    declared: [noWayBack],
    object: (name) => asAny(application({ name, configuration })),
    standing: standingOf,
    ...madeOfClusters(stage, savepoint),
  };
}

function blueGreenGround({ stage, savepoint, lanes }: FlinkGroundOptions): Ground {
  const settings = { 'deployment-deletion.delay': '5 s', 'abort.grace-period': '10 min' };
  return {
    ...shared(stage, 'pair', lanes),
    kind: flinkBlueGreenDeployment,
    how: 'edit',
    samples: [
      { name: 'settings', spec: { configuration: { 'kubernetes.operator.bluegreen.abort.grace-period': '20 min' } } },
      { name: 'ingress', spec: { ingress: ingressSample } },
      {
        name: 'metadata',
        spec: { template: { metadata: { labels: { team: 'a' }, annotations: { 'a.org/b': 'c' } } } },
      },
      ...clusterSamples(savepoint)
        .filter(({ name }) => name !== 'ingress')
        .map(({ name, spec }) => ({ name: `template: ${name}`, spec: { template: { spec } } })),
    ],
    declared: [
      noWayBack,
      {
        operations: /template\.metadata|sample "metadata"/,
        problem: /^taken back/,
        why: 'labels and annotations that the template no longer asks for stay on the side that serves until the next transition.',
      },
      {
        operations: /Nonce|sample "template: redeploy/,
        problem: /^taken back/,
        why: 'taking a nonce back asks for nothing: the side that serves keeps its number until the next transition.',
      },
    ],
    object: (name) => asAny(blueGreen({ name, configuration, settings })),
    standing: standingOf,
    ...madeOfClusters(stage, savepoint),
  };
}

async function sessionJobGround({ stage, savepoint, lanes }: FlinkGroundOptions): Promise<Ground> {
  await stage.running(session({ configuration }), 0);
  return {
    ...shared(stage, 'job', lanes),
    kind: flinkSessionJob,
    how: 'edit',
    samples: [
      ...jobSamples(savepoint),
      { name: 'configuration', spec: { restartNonce: 3, flinkConfiguration: { 'pipeline.name': 'other' } } },
    ],
    declared: [noWayBack],
    object: (name) => asAny(sessionJob({ name, configuration: { 'state.savepoints.dir': `s3://bucket/${name}/sp` } })),
    standing: standingOf,
  };
}

async function snapshotGround({ stage, spare, lanes }: FlinkGroundOptions): Promise<Ground> {
  await stage.running(application({ name: 'target', configuration }), 0);
  const jobReference = { kind: 'FlinkDeployment', name: 'target' };
  return {
    ...shared(stage, 'shot', lanes),
    kind: flinkStateSnapshot,
    how: 'create',
    samples: [
      {
        name: 'savepoint',
        spec: { savepoint: { path: 's3://bucket/target/elsewhere', formatType: 'NATIVE', disposeOnDelete: false } },
      },
      { name: 'existing savepoint', spec: { savepoint: { path: spare, alreadyExists: true } } },
      { name: 'checkpoint', spec: { savepoint: undefined, checkpoint: {}, backoffLimit: 3 } },
    ],
    object: (name) => ({
      apiVersion: flinkStateSnapshot.apiVersion,
      kind: 'FlinkStateSnapshot',
      metadata: { name, namespace },
      spec: { jobReference, savepoint: { disposeOnDelete: true }, backoffLimit: 1 },
    }),
    standing: snapshotStanding,
  };
}

/**
 * What a FlinkDeployment, or the sides of a pair, are made of. Quantities are told to Flink in its own words, templates are filled in.
 * Where a job starts from is chance; `resources` comes before `resource`; settings of the operator are for the operator.
 */
function madeOfClusters(stage: FlinkStage, savepoint: string): Pick<Ground, 'made' | 'spelt'> {
  return {
    made: (lane) => JSON.stringify(laneState(stage.embedded.world, lane, [])),
    spelt: {
      [ingressSample.template]: `.${namespace}.flink.example`,
      '700m': '0.7',
      [savepoint]: '',
      [amounts.resource.memory]: '',
      '20 min': '',
      stateless: '',
      suspended: '',
    },
  };
}

function snapshotStanding(object: AnyObject): Standing {
  const { state, error } = (object.status ?? {}) as { readonly state?: string; readonly error?: string };
  const words = `${state}: ${error ?? ''}\n${wordsOf(object)}`;
  if (state === 'COMPLETED') return { is: 'realised' };
  return state === 'FAILED' || state === 'ABANDONED' || error ? { is: 'told', words } : { is: 'working', words };
}

const ingressSample = {
  template: '{{name}}.{{namespace}}.flink.example',
  className: 'nginx',
  annotations: { 'nginx.ingress.kubernetes.io/rewrite-target': '/' },
  labels: { team: 'a' },
  tls: [{ hosts: ['flink.example'], secretName: 'certificate' }],
};

const amounts = {
  resource: { cpu: 0.75, memory: '1200m', ephemeralStorage: '2Gi' },
  resources: { requests: { cpu: '700m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
};

function jobSamples(savepoint: string): readonly Sample[] {
  const job = (name: string, spec: object): Sample => ({ name, spec: { job: spec } });
  return [
    job('job', { parallelism: 1, args: ['--rate', '5'], entryClass: 'org.example.Count', allowNonRestoredState: true }),
    job('snapshot nonces', { savepointTriggerNonce: 5, checkpointTriggerNonce: 6, autoscalerResetNonce: 7 }),
    job('redeploy from savepoint', { savepointRedeployNonce: 3, initialSavepointPath: savepoint }),
    job('redeploy without state', { statelessRedeployNonce: 4, upgradeMode: 'stateless' }),
    job('suspended', { state: 'suspended' }),
  ];
}

function clusterSamples(savepoint: string): readonly Sample[] {
  return [
    {
      name: 'version',
      spec: {
        image: 'flink:1.19',
        flinkVersion: 'v1_19',
        imagePullPolicy: 'IfNotPresent',
        mode: 'native',
        restartNonce: 7,
      },
    },
    { name: 'ingress', spec: { ingress: ingressSample } },
    { name: 'pod template', spec: { podTemplate: podTemplateSample('all') } },
    {
      name: 'job manager',
      spec: { jobManager: { ...amounts, replicas: 1, podTemplate: podTemplateSample('jobmanager') } },
    },
    {
      name: 'task manager',
      spec: { taskManager: { ...amounts, replicas: 1, podTemplate: podTemplateSample('taskmanager') } },
    },
    {
      name: 'logging and configuration',
      spec: {
        logConfiguration: { 'log4j-console.properties': 'rootLogger.level = WARN' },
        flinkConfiguration: { 'taskmanager.numberOfTaskSlots': '1' },
      },
    },
    ...jobSamples(savepoint),
  ];
}

function shared(stage: FlinkStage, prefix: string, lanes: number): Pick<Ground, 'lanes' | 'admit' | 'state'> {
  const { world } = stage.embedded;
  const operator = defaultOperatorConfig();
  const find = (type: Parameters<typeof world.get>[0], place: string, name: string): AnyObject | 'absent' =>
    world.get<AnyObject>(type, place, name) ?? 'absent';
  const hook = flinkHooks(
    flinkFamily(() => operator),
    { find },
  )['/validate'];
  return {
    lanes: Array.from({ length: lanes }, (_, at) => `${prefix}${at}`),
    admit: (object, before) => admitted(hook, object, before),
    state: (lane) => laneState(world, lane, types),
  };
}

function asAny(object: KubeObject): AnyObject {
  return object as AnyObject;
}
