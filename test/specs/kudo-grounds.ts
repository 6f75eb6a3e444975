import { isObject } from '../../src/change/equal.ts';
import type { Condition } from '../../src/control/conditions.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { kudoHooks } from '../../src/kudo/admission/kudo-hooks.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { operator } from '../../src/kudo/resources/operator.ts';
import { operatorVersion } from '../../src/kudo/resources/operator-version.ts';
import { demoPackage } from '../kudo/demo-package.ts';
import { KudoStage } from '../kudo/kudo-stage.ts';
import { admitted } from './admitted.ts';
import type { Ground, Sample, Standing } from './ground.ts';
import { laneState } from './lane-state.ts';
import { wordsOf } from './standing.ts';

const namespace = 'default';
const types = [instance.type];

/** A cluster with two versions of one package; the later one can be upgraded to. */
export async function openKudo(): Promise<KudoStage> {
  const { stage } = await KudoStage.running(demoPackage);
  await stage.version('demo-0.2.0', { ...demoPackage, version: '0.2.0' });
  return stage;
}

/** Everything that KUDO's users write. */
export function kudoGrounds(stage: KudoStage, lanes: number): readonly Ground[] {
  return [instanceGround(stage, lanes), versionGround(stage, lanes), operatorGround(stage, lanes)];
}

function instanceGround(stage: KudoStage, lanes: number): Ground {
  return {
    ...shared(stage, 'instance', lanes),
    kind: instance,
    how: 'edit',
    samples: instanceSamples,
    declared: [
      {
        operations: /, then .*planExecution/,
        problem: /triggering one plan|^after another edit/,
        why: 'a plan that is asked for together with a changed parameter is refused by the webhook alone: nothing that is stored tells that both came at once.',
      },
    ],
    object: (name) =>
      made('Instance', name, { operatorVersion: { name: 'demo-0.1.0' }, parameters: { MODE: 'plain' } }),
    standing: instanceStanding,
    state: (lane) => withoutRequest(laneState(stage.embedded.world, lane, types)),
  };
}

/** What becomes of a package shows in an Instance of it. */
function versionGround(stage: KudoStage, lanes: number): Ground {
  const instanceOf = ({ metadata }: AnyObject): string => `${metadata.name}-i`;
  return {
    ...shared(stage, 'version', lanes),
    kind: operatorVersion,
    how: 'create',
    samples: versionSamples,
    spokenOf,
    object: (name) =>
      made('OperatorVersion', name, { operator: { kind: 'Operator', name: 'demo' }, version: '0.1.0', ...demoPackage }),
    standing: (object) => {
      const found = stage.embedded.world.get<AnyObject>(instance.type, namespace, instanceOf(object));
      return found ? instanceStanding(found) : { is: 'working', words: 'its Instance is not there' };
    },
    companions: (object) => [
      made('Instance', instanceOf(object), {
        operatorVersion: { name: object.metadata.name },
        retryLimit: 2,
        planTimeoutSeconds: 300,
      }),
    ],
  };
}

/** An Operator is a description: nothing is made of it, so it is true once it is stored. */
function operatorGround(stage: KudoStage, lanes: number): Ground {
  return {
    ...shared(stage, 'operator', lanes),
    kind: operator,
    how: 'create',
    samples: [
      {
        name: 'description',
        spec: {
          description: 'A demo.',
          kudoVersion: '0.19.0',
          kubernetesVersion: '1.30.0',
          maintainers: [{ name: 'somebody', email: 'somebody@example.org' }],
          url: 'https://example.org',
          namespaceManifest: 'namespace.yaml',
        },
      },
    ],
    object: (name) => made('Operator', name, { description: 'A package.' }),
    standing: () => ({ is: 'realised' }),
  };
}

const reference = {
  kind: 'OperatorVersion',
  namespace,
  uid: '',
  apiVersion: 'kudo.dev/v1beta1',
  resourceVersion: '',
  fieldPath: '',
};

const instanceSamples: readonly Sample[] = [
  { name: 'reference', spec: { operatorVersion: { ...reference, name: 'demo-0.1.0' } } },
  { name: 'upgrade', spec: { operatorVersion: { name: 'demo-0.2.0' } } },
  { name: 'parameters', spec: { parameters: { NODE_COUNT: '3', MODE: 'fancy', LEVEL: 'debug' } } },
  {
    name: 'plan',
    spec: { planExecution: { planName: 'deploy', uid: 'asked-once', status: '', override: true, restart: false } },
  },
  { name: 'limits', spec: { retryLimit: 3, planTimeoutSeconds: 60, drift: 'repair' } },
];

const parameter = {
  name: 'LEVEL',
  displayName: 'Level',
  description: 'How much is logged.',
  required: false,
  default: 'info',
  trigger: 'deploy',
  'value-type': 'string',
  immutable: false,
  enum: ['info', 'debug'],
  forcePodRestart: true,
};

/** What a template or task would have made, and pods wait for: whoever reads it looks there. */
const lacking = /(ConfigMap|Secret) \S+, which pods of \w+ \S+ need, is not there/;

/** Authors of packages know their parts by plan, phase, step and task, by template and by parameter. */
const spokenOf: NonNullable<Ground['spokenOf']> = [
  { about: /^spec\.plans/, words: /\bplan\b|\bdeploy\.[\w.-]+/ },
  { about: /^spec\.tasks/, words: /\btask\b|\bdeploy\.[\w.-]+|resource named/ },
  { about: /^spec\.templates/, words: /\btemplate\b|resource named|parsing YAML from [\w.-]+\.yaml/ },
  { about: /^spec\.(tasks|templates)/, words: lacking },
  { about: /^spec\.parameters/, words: /\.Params\.|\bparameter\b/ },
];

const versionSamples: readonly Sample[] = [
  {
    name: 'description',
    spec: {
      operator: { ...reference, kind: 'Operator' },
      version: '1.2.3',
      appVersion: '4.5.6',
      connectionString: '{{ .Name }}:80',
      upgradableFrom: [{ ...reference, name: 'demo-0.1.0' }],
      restartPolicy: 'onDependencyChange',
    },
  },
  { name: 'parameters', spec: { parameters: [parameter, ...(demoPackage.parameters ?? []).slice(0, 2)] } },
  {
    name: 'tasks that nothing uses',
    spec: {
      tasks: [
        { name: 'switch', kind: 'Toggle', spec: { parameter: 'MODE', resources: ['config.yaml'] } },
        { name: 'nothing', kind: 'Dummy', spec: { wantErr: false, fatal: false, done: true } },
        {
          name: 'keys',
          kind: 'Pipe',
          spec: { pod: 'pod.yaml', pipe: [{ file: '/tmp/key', envFile: '', kind: 'Secret', key: 'key' }] },
        },
        {
          name: 'child',
          kind: 'KudoOperator',
          spec: {
            package: 'child',
            instanceName: 'child',
            appVersion: '1',
            operatorVersion: '0.1.0',
            parameterFile: 'child.yaml',
          },
        },
        ...(demoPackage.tasks ?? []),
      ],
    },
  },
  {
    name: 'plans and templates',
    spec: {
      templates: { 'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-config\n' },
      plans: {
        deploy: {
          strategy: 'parallel',
          phases: [
            { name: 'all', strategy: 'parallel', steps: [{ name: 'first', tasks: ['config'] }] },
            { name: 'more', strategy: 'serial', steps: [{ name: 'then', tasks: ['nodes'] }] },
          ],
        },
      },
    },
  },
];

function instanceStanding(object: AnyObject): Standing {
  interface Said {
    readonly observedGeneration?: number;
    readonly execution?: unknown;
    readonly conditions?: readonly Condition[];
  }
  const { observedGeneration, execution, conditions = [] } = (object.status ?? {}) as Said;
  const words = wordsOf(object);
  const is = (type: string, status: string): boolean =>
    conditions.some((one) => one.type === type && one.status === status);
  if (observedGeneration !== object.metadata.generation) return { is: 'working', words: `not looked at: ${words}` };
  if (is('Accepted', 'False') || is('Stalled', 'True')) return { is: 'told', words };
  if (execution || !is('Ready', 'True')) return { is: 'working', words };
  return { is: 'realised' };
}

/** What an Instance says of plans it ran is history, as is the request for the last one. */
function withoutRequest(state: unknown): unknown {
  if (!Array.isArray(state)) return state;
  return state.map((one) => {
    if (!isObject(one) || one.kind !== 'Instance' || !isObject(one.spec)) return one;
    const { planExecution: _, ...spec } = one.spec;
    return { ...one, spec };
  });
}

function shared(stage: KudoStage, prefix: string, lanes: number): Pick<Ground, 'lanes' | 'admit' | 'state'> {
  const hooks = kudoHooks({ client: stage.person, caches: () => undefined });
  return {
    lanes: Array.from({ length: lanes }, (_, at) => `${prefix}${at}`),
    admit: async (object, before) => {
      const hook = hooks[`/admit-kudo-dev-v1beta1-${object.kind.toLowerCase()}`];
      return hook ? admitted(hook, object, before) : undefined;
    },
    state: (lane) => laneState(stage.embedded.world, lane, types),
  };
}

function made(kind: string, name: string, spec: object): AnyObject {
  return { apiVersion: 'kudo.dev/v1beta1', kind, metadata: { name, namespace }, spec } as AnyObject;
}
