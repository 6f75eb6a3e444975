import type { Place } from '../src/flink/decide/bluegreen/blue-green-case.ts';
import { stateOf } from '../src/flink/decide/bluegreen/conclude.ts';
import { table } from '../src/flink/decide/bluegreen/table.ts';
import { isAhead } from '../src/flink/decide/bluegreen/traffic.ts';
import { previewTemplate, sideTemplate } from '../src/flink/manifests/blue-green-address.ts';
import { type BlueGreenDiffType, blueGreenChange } from '../src/flink/resources/blue-green-change.ts';
import {
  type BlueGreenPhase,
  type BlueGreenTransition,
  blueGreenPhases,
} from '../src/flink/resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeploymentSpec as Spec } from '../src/flink/resources/flink-blue-green-deployment.ts';
import type { JobSpec } from '../src/flink/resources/job-spec.ts';
import { cell, code, generated } from './markdown.ts';

/** The page of all that can happen to a blue/green deployment, made of what decides about it. */
export function blueGreenTablePage(): string {
  return [
    '# Blue/green: states and changes',
    '',
    generated,
    '',
    'These are the rows by which the operator decides. x is the side that serves, y the other one: in ACTIVE_BLUE, SAVEPOINTING_BLUE',
    'and TRANSITIONING_TO_GREEN x is blue and y is green; in the other three x is green and y is blue. Of the rows of a state the',
    'first that applies decides. [What it is all about](../bluegreen.md).',
    ...places.flatMap(placeSection),
    '',
    '## In any state',
    '',
    '| what happened | what is done |',
    '| --- | --- |',
    ...inAnyState.map(([on, does]) => `| ${cell(on)} | ${cell(does)} |`),
    '',
    '## Phases of a transition',
    '',
    '`status.transition.phase`, and the state that it is part of, from blue to green. In the first deployment the state is',
    `${code(stateOf(during('starting', true)))} throughout.`,
    '',
    '| phase | what goes on | traffic is at | state |',
    '| --- | --- | --- | --- |',
    ...blueGreenPhases.map((phase) => {
      const status = during(phase);
      const traffic = isAhead(status.transition) ? 'y' : 'x';
      return `| ${code(phase)} | ${cell(phases[phase])} | ${traffic} | ${code(stateOf(status))} |`;
    }),
    '',
    '## What an edit is',
    '',
    'Computed by the comparison itself. Where several hold, the first of these decides: SUSPEND or RESUME, a redeploy nonce, nothing',
    'changed, only what can be patched, anything else.',
    '',
    '| edit | diff type |',
    '| --- | --- |',
    ...edits.map(({ edit, before = {}, after }) => `| ${cell(edit)} | ${typeOf(before, after)} |`),
    '',
    '## Addresses',
    '',
    'What becomes of an `ingress.template`: of the one in `spec.template.spec.ingress` for each side, of the one in `spec.ingress` for',
    'the preview.',
    '',
    '| template | blue’s own Ingress | preview |',
    '| --- | --- | --- |',
    ...templates.map(
      (text) => `| ${[text, sideTemplate(text, 'BLUE'), previewTemplate(text)].map(code).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

const places: readonly { readonly place: Place; readonly title: string; readonly says: string }[] = [
  {
    place: 'initializing',
    title: 'INITIALIZING_BLUE',
    says: 'The first deployment. Here x is blue, though it does not serve yet, and there is no y.',
  },
  { place: 'active', title: 'ACTIVE_x', says: 'x serves, and nothing is under way.' },
  { place: 'savepointing', title: 'SAVEPOINTING_x', says: 'The state of x is being taken. There is no y yet.' },
  { place: 'transitioning', title: 'TRANSITIONING_TO_y', says: 'y is made while x is there.' },
];

function placeSection({ place, title, says }: (typeof places)[number]): string[] {
  return [
    '',
    `## ${title}`,
    '',
    says,
    '',
    '| what happened | what is done | row |',
    '| --- | --- | --- |',
    ...table
      .filter((row) => row.in === place)
      .map(({ on, does, id }) => `| ${cell(on)} | ${cell(does)} | ${code(id)} |`),
  ];
}

/** What is answered before a row is looked for, or after one was found. */
const inAnyState: readonly (readonly [string, string])[] = [
  ['the resource is deleted', 'nothing is made any more; sides and Ingresses go with it, by their own finalizers'],
  [
    'the spec as it is written is refused',
    'the last one that was not is acted upon; `Stalled`, reason `ValidationError`',
  ],
  ['ingress management is off', 'Ingresses are left alone; “traffic moves” is then `status.serving`'],
];

/** Typed by phase, so that none can be left out. */
const phases: Readonly<Record<BlueGreenPhase, string>> = {
  savepointing: 'a savepoint of x is taken, or by policy x is suspended for its last checkpoint',
  starting: 'y is made, and has not been ready yet, or not since traffic returned from it',
  verifying: 'y is ready; a hold or a person decides when it is promoted',
  switching: 'traffic moves to y',
  draining: 'traffic is at y; the deletion delay runs',
  keeping: 'the delay is over; x is kept for a way back (`rollback-window`)',
  retiring: 'x is to be deleted',
  returning: 'traffic moves back to x',
};

function during(phase: BlueGreenPhase, first = false): { readonly transition: BlueGreenTransition } {
  const way = first ? { to: 'BLUE' as const } : { from: 'BLUE' as const, to: 'GREEN' as const };
  const at = '1970-01-01T00:00:00Z';
  const record = {
    id: '',
    cause: 'spec-change' as const,
    because: '',
    generation: 1,
    startedAt: at,
    phaseStartedAt: at,
  };
  return { transition: { ...record, ...way, phase } };
}

type Template = NonNullable<NonNullable<Spec['template']>['spec']>;
type Part = Partial<Template> & { readonly job?: JobSpec };

const edits: readonly { readonly edit: string; readonly before?: Part; readonly after: Part | Spec }[] = [
  { edit: 'none', after: {} },
  { edit: '`spec.configuration`, `spec.ingress` or `spec.template.metadata`', after: aroundTemplate() },
  { edit: '`image`', after: { image: 'orders:2' } },
  { edit: '`job.parallelism`', after: { job: { parallelism: 4 } } },
  { edit: '`taskManager.resource`', after: { taskManager: { resource: { memory: '4g', cpu: 2 } } } },
  {
    edit: 'a key of Flink in `flinkConfiguration`',
    after: { flinkConfiguration: { 'taskmanager.numberOfTaskSlots': '4' } },
  },
  { edit: '`restartNonce`', after: { restartNonce: 2 } },
  { edit: '`job.upgradeMode`', after: { job: { upgradeMode: 'last-state' } } },
  { edit: '`job.initialSavepointPath` alone', after: { job: { initialSavepointPath: 's3://bucket/sp' } } },
  { edit: '`job.savepointTriggerNonce`', after: { job: { savepointTriggerNonce: 2 } } },
  {
    edit: 'a key `kubernetes.operator.…` in `flinkConfiguration`',
    after: { flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': '3' } },
  },
  {
    edit: '`job.savepointRedeployNonce` and `image`',
    after: { image: 'orders:2', job: { savepointRedeployNonce: 2 } },
  },
  {
    edit: '`job.statelessRedeployNonce` and `image`',
    after: { image: 'orders:2', job: { statelessRedeployNonce: 2 } },
  },
  { edit: 'a redeploy nonce is removed', before: { job: { savepointRedeployNonce: 1 } }, after: {} },
  {
    edit: '`job.state: suspended`, `image` and a redeploy nonce',
    after: { image: 'orders:2', job: { state: 'suspended', savepointRedeployNonce: 2 } },
  },
  {
    edit: '`job.state: running` after `suspended`, `image` and a redeploy nonce',
    before: { job: { state: 'suspended' } },
    after: { image: 'orders:2', job: { state: 'running', savepointRedeployNonce: 2 } },
  },
];

const templates: readonly string[] = [
  '{{name}}.{{namespace}}.example.com',
  'https://{{name}}.example.com',
  '*.example.com',
  'example.com/{{namespace}}/{{name}}(/|$)(.*)',
  '/{{namespace}}/{{name}}(/|$)(.*)',
  '/orders(/|$)(.*)',
];

function aroundTemplate(): Spec {
  return {
    ...specOf({}),
    configuration: { 'kubernetes.operator.bluegreen.deployment-deletion.delay': '5 s' },
    ingress: { template: '{{name}}.example.com' },
    template: { ...specOf({}).template, metadata: { labels: { team: 'orders' } } },
  };
}

function typeOf(before: Part, after: Part | Spec): BlueGreenDiffType {
  return blueGreenChange(specOf(before), 'template' in after ? after : specOf(after as Part)).type;
}

function specOf({ job, ...part }: Part): Spec {
  const running = { jarURI: 'local:///orders.jar', parallelism: 2, upgradeMode: 'savepoint' as const };
  return { template: { spec: { image: 'orders:1', restartNonce: 1, ...part, job: { ...running, ...job } } } };
}
