import type { Task, TaskSpec } from '../resources/operator-version.ts';
import type { OperatorFile, PackagePhase, PackagePlan, PackageStep, PackageTask } from './operator-package.ts';
import { present } from './present.ts';
import { Fields, type Notes } from './yaml/fields.ts';
import type { YamlNode } from './yaml/node.ts';

const operatorKeys = [
  'apiVersion',
  'name',
  'description',
  'operatorVersion',
  'appVersion',
  'kudoVersion',
  'kubernetesVersion',
  'maintainers',
  'url',
  'tasks',
  'plans',
  'namespaceManifest',
  'restartPolicy',
];

const specTexts = [
  'parameter',
  'pod',
  'package',
  'instanceName',
  'appVersion',
  'operatorVersion',
  'parameterFile',
] as const;
const specFlags = ['wantErr', 'fatal', 'done'] as const;
const specKeys = ['resources', 'pipe', ...specTexts, ...specFlags];
const pipeTexts = ['file', 'envFile', 'kind', 'key'] as const;

/** Decodes `operator.yaml`. The version of the format has been looked at. */
export function parseOperatorFile(root: YamlNode, notes: Notes): OperatorFile {
  const fields = new Fields(root, 'the operator', operatorKeys, notes);
  const tasks = (fields.list('tasks') ?? []).map((node) => taskOf(node, notes));
  const plans = new Map<string, PackagePlan>();
  for (const [name, entry] of fields.map('plans')) plans.set(name, planOf(name, entry.value, notes));
  return {
    name: fields.text('name') ?? '',
    operatorVersion: fields.text('operatorVersion') ?? '',
    ...present({
      description: fields.text('description'),
      appVersion: fields.text('appVersion'),
      kudoVersion: fields.text('kudoVersion'),
      kubernetesVersion: fields.text('kubernetesVersion'),
      url: fields.text('url'),
      namespaceManifest: fields.text('namespaceManifest'),
      maintainers: fields.list('maintainers')?.map((node) => maintainerOf(node, notes)),
      restartPolicy: restartPolicyOf(fields, notes),
    }),
    tasks,
    plans,
  };
}

/** Ours: a wrong value is refused, for it decides whether pods restart. */
function restartPolicyOf(fields: Fields, notes: Notes): OperatorFile['restartPolicy'] {
  const policy = fields.text('restartPolicy');
  if (policy === undefined || policy === 'always' || policy === 'onDependencyChange') return policy;
  notes.errors.push({
    message: `restartPolicy must be always or onDependencyChange, not ${JSON.stringify(policy)}`,
    ...atOf(fields.node('restartPolicy')),
  });
  return undefined;
}

function maintainerOf(node: YamlNode, notes: Notes): { name?: string; email?: string } {
  const fields = new Fields(node, 'a maintainer', ['name', 'email'], notes);
  return present({ name: fields.text('name'), email: fields.text('email') });
}

function taskOf(node: YamlNode, notes: Notes): PackageTask {
  const fields = new Fields(node, called('task', node), ['name', 'kind', 'spec'], notes);
  const name = fields.text('name') ?? '';
  const task: Task = {
    name,
    kind: fields.text('kind') ?? '',
    spec: taskSpecOf(fields.node('spec'), `the spec of task ${JSON.stringify(name)}`, notes),
  };
  return { at: node.at, task };
}

/** Empty text, `false` and empty lists are left out, except in the files of a Pipe: as KUDO writes the object. */
function taskSpecOf(node: YamlNode | undefined, what: string, notes: Notes): TaskSpec {
  const fields = new Fields(node, what, specKeys, notes);
  const spec: { -readonly [key in keyof TaskSpec]: TaskSpec[key] } = {};
  const resources = fields.texts('resources');
  if (resources && resources.length > 0) spec.resources = [...resources];
  const pipe = fields.list('pipe')?.map((item) => {
    const file = new Fields(item, `a file of ${what}`, pipeTexts, notes);
    return Object.fromEntries(pipeTexts.map((key) => [key, file.text(key) ?? '']));
  });
  if (pipe && pipe.length > 0) spec.pipe = pipe;
  for (const key of specTexts) {
    const text = fields.text(key);
    if (text) spec[key] = text;
  }
  for (const key of specFlags) if (fields.flag(key)) spec[key] = true;
  return spec;
}

function planOf(name: string, node: YamlNode, notes: Notes): PackagePlan {
  const fields = new Fields(orEmpty(node), `plan ${JSON.stringify(name)}`, ['strategy', 'phases'], notes);
  return {
    at: node.at,
    ...present({ strategy: fields.text('strategy') }),
    phases: (fields.list('phases') ?? []).map((phase) => phaseOf(phase, notes)),
  };
}

function phaseOf(node: YamlNode, notes: Notes): PackagePhase {
  const fields = new Fields(node, called('phase', node), ['name', 'strategy', 'steps'], notes);
  return {
    at: node.at,
    name: fields.text('name') ?? '',
    ...present({ strategy: fields.text('strategy') }),
    steps: (fields.list('steps') ?? []).map((step) => stepOf(step, notes)),
  };
}

function stepOf(node: YamlNode, notes: Notes): PackageStep {
  const fields = new Fields(node, called('step', node), ['name', 'tasks'], notes);
  return { at: node.at, name: fields.text('name') ?? '', tasks: fields.texts('tasks') ?? [] };
}

/** `task "main"`, as far as a name can be seen. */
function called(what: string, node: YamlNode): string {
  const name = node.kind === 'map' ? node.entries.get('name')?.value : undefined;
  return name?.kind === 'scalar' && name.value !== null ? `${what} ${JSON.stringify(String(name.value))}` : `a ${what}`;
}

function orEmpty(node: YamlNode): YamlNode | undefined {
  return node.kind === 'scalar' && node.value === null ? undefined : node;
}

function atOf(node: YamlNode | undefined) {
  return node ? { at: node.at } : {};
}
