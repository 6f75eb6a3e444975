import { blueGreenOptions, idleBlueGreenOptions } from '../src/flink/config/blue-green-options.ts';
import { flinkOptions } from '../src/flink/config/flink-options.ts';
import { idleOptions } from '../src/flink/config/idle-options.ts';
import { operatorOptions } from '../src/flink/config/operator-options.ts';
import type { AnyOption, Option } from '../src/flink/config/option.ts';
import { nonceTable } from '../src/flink/decide/nonce-table.ts';
import { rules } from '../src/flink/validate/rules.ts';
import { type Compared, differences } from './golden/flink/differences.ts';
import { cell, code, generated } from './markdown.ts';

/** The page of all configuration keys that Cutover reads. */
export function configurationPage(): string {
  return [
    '# Configuration keys',
    '',
    generated,
    '',
    'Keys of `spec.flinkConfiguration`, or of the operator’s own configuration (`cutover operator --flink-config PATH`), which is',
    'the layer below every resource. Nested YAML is read as dotted keys. All other keys go to Flink as they are.',
    '',
    '## The operator’s',
    '',
    ...optionTable(operatorOptions),
    '',
    '## Blue/green deployments',
    '',
    'Read from `spec.configuration` of a FlinkBlueGreenDeployment, then from `spec.template.spec.flinkConfiguration`, then from the',
    'operator’s own configuration. A change takes effect at once and starts no transition. Durations need a unit.',
    '',
    ...optionTable({ ...blueGreenOptions, ...idleBlueGreenOptions }),
    '',
    '## Accepted, without effect',
    '',
    'Keys of the Java operator that a configuration may keep. Their values are checked and nothing reads them.',
    '',
    ...idleTable(),
    '',
    '## Flink’s own that Cutover looks at',
    '',
    ...optionTable(flinkOptions),
    '',
  ].join('\n');
}

function optionTable(options: Readonly<Record<string, AnyOption>>): string[] {
  return [
    '| key | default | may be set by | what it does |',
    '| --- | --- | --- | --- |',
    ...Object.values(options).map((option) => {
      const also = option.otherKeys.length > 0 ? ` Also read as ${option.otherKeys.map(code).join(', ')}.` : '';
      const once = option.atStart ? ' Read at the start.' : '';
      const by = option.scope === 'operator' ? 'the operator' : 'resources';
      return `| ${code(option.key)} | ${shown(option as Option<unknown>)} | ${by} | ${cell(option.says)}${once}${also} |`;
    }),
  ];
}

function idleTable(): string[] {
  return [
    '| key | what there is instead |',
    '| --- | --- |',
    ...Object.values(idleOptions).map(({ key, says }) => `| ${code(key)} | ${cell(says)} |`),
  ];
}

function shown({ kind, otherwise }: Option<unknown>): string {
  if (otherwise === undefined) return '';
  const text = kind.show(otherwise);
  return text === '' ? '' : code(text);
}

/** What the list of rules for a blue/green deployment does not repeat. */
const templateNote = [
  'And, of `spec.template.spec`, all that is refused of a FlinkDeployment, except for its name (the rule here leaves room for the',
  'colours) and for changes that only a FlinkDeployment that stays has to bear: a side may differ from the one before in its mode.',
  '',
];

/** The page of everything that is refused. */
export function refusalsPage(): string {
  const kinds = [...new Set(rules.map(({ kind }) => kind))];
  return [
    '# What is refused',
    '',
    generated,
    '',
    'By the admission webhook, where there is one, and by the operator itself: then the message is in `status.error`, an event',
    'and a condition, and whatever runs keeps running. The first rule that is broken is reported first.',
    ...kinds.flatMap((kind) => [
      '',
      `## ${kind}`,
      '',
      ...(kind === 'FlinkBlueGreenDeployment' ? templateNote : []),
      '| rule | field | what it asks for |',
      '| --- | --- | --- |',
      ...rules
        .filter((rule) => rule.kind === kind)
        .map(({ rule, field, says }) => `| ${rule} | ${code(field)} | ${cell(says)} |`),
    ]),
    '',
  ].join('\n');
}

/** The page that says what each nonce does in each state of a job. */
export function nonceTablePage(): string {
  const rows = nonceTable();
  const nonces = [...new Set(rows.map(({ nonce }) => nonce))];
  return [
    '# What a nonce does in which state',
    '',
    generated,
    '',
    'For an application with `upgradeMode: savepoint` and high availability; read off the decisions themselves.',
    ...nonces.flatMap((nonce) => [
      '',
      `## ${code(nonce)}`,
      '',
      '| the job is | what a new value does |',
      '| --- | --- |',
      ...rows.filter((row) => row.nonce === nonce).map(({ state, happens }) => `| ${cell(state)} | ${cell(happens)} |`),
    ]),
    '',
  ].join('\n');
}

const comparisons: Readonly<Record<Compared, string>> = {
  objects: 'Objects that a cluster consists of',
  refusal: 'What is refused, and how',
  'diff text': 'The text of `SpecChanged`',
  'recorded spec': '`lastReconciledSpec`',
  'blue/green': 'Blue/green deployments',
};

/** The page of where a comparison with recordings of the Java operator finds something else. */
export function recordedDifferencesPage(): string {
  const found = (Object.keys(comparisons) as Compared[]).map((what) => ({
    title: comparisons[what],
    rows: differences.filter((difference) => difference.what === what),
  }));
  return [
    '# Where recordings of the Java operator differ',
    '',
    generated,
    '',
    'What version 1.15.0 made of some eighty inputs and ninety edits was recorded and is compared in the tests with what Cutover',
    'makes of them. A difference that is not listed here fails the comparison, and so does a row that no longer occurs.',
    ...found.flatMap(({ title, rows }) => [
      '',
      `## ${title}`,
      '',
      ...(rows.length === 0
        ? ['No difference.']
        : [
            '| recording | where | why it stays |',
            '| --- | --- | --- |',
            ...rows.map((row) => {
              const any = row.elsewhere ? 'others of that operator' : 'any';
              const recording = row.case === '*' ? any : code(row.case);
              return `| ${recording} | ${cell(row.where)} | ${cell(row.because)} |`;
            }),
          ]),
    ]),
    '',
  ].join('\n');
}
