import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { listParameters, listPlans, listTasks } from './list.ts';

const version = (spec: OperatorVersion['spec']): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'x' },
  spec,
});
/** The blanks below a branch do not break, as in KUDO's trees. */
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`.replaceAll('│  ', '│\u00a0\u00a0');

describe('listParameters', () => {
  const all = version({
    parameters: [
      {
        name: 'B',
        required: true,
        description: 'Said in so many words that they do not fit into a single cell of it.',
      },
      { name: 'A', required: true, default: '' },
      { name: 'C', required: false, immutable: true },
    ],
  });

  it('sorts them, and breaks long descriptions between words', () => {
    expect(listParameters(all, { descriptions: true })).toBe(
      lines(
        'Name\tDefault\tRequired\tImmutable\tDescriptions',
        'A   \t       \ttrue    \tfalse',
        'B   \t       \ttrue    \tfalse    \tSaid in so many words that they do',
        '    \t       \t        \t         \tnot fit into a single cell of it.',
        'C   \t       \tfalse   \ttrue',
      ),
    );
  });

  it('can show only what has to be given, or only names', () => {
    expect(listParameters(all, { required: true })).toBe(lines('Name', 'B'));
    expect(listParameters(all, { names: true })).toBe(lines('Name', 'A', 'B', 'C'));
    expect(listParameters(version({}), { required: true })).toBe(
      'no required parameters without default values found\n',
    );
  });
});

describe('listPlans', () => {
  it('can show what each task does', () => {
    const tasks = [
      { name: 'a', kind: 'Apply', spec: { resources: ['a.yaml'] } },
      { name: 't', kind: 'Toggle', spec: { resources: ['t.yaml'], parameter: 'ON' } },
      { name: 'p', kind: 'Pipe', spec: { pod: 'p.yaml' } },
      { name: 'k', kind: 'KudoOperator', spec: { package: 'kid' } },
      { name: 'd', kind: 'Dummy' },
      { name: 'x', kind: 'Teleport' },
    ];
    const steps = [{ name: 's', tasks: ['a', 't', 'p', 'k', 'd', 'x', 'ghost'] }];
    const plans = { deploy: { strategy: 'serial', phases: [{ name: 'p', strategy: 'parallel', steps }] } };
    expect(listPlans(version({ tasks, plans }), true)).toBe(
      lines(
        'plans',
        '└── deploy (serial)',
        '    └── [phase]  p (parallel)',
        '        └── [step]  s',
        '            ├── [apply]  a',
        '            │   └── a.yaml',
        '            ├── [toggle]  t',
        '            │   ├── [parameter]  ON',
        '            │   └── t.yaml',
        '            ├── [pipe]  p',
        '            │   └── p.yaml',
        '            ├── [kudooperator]  k',
        '            │   └── kid',
        '            ├── [dummy]  d',
        '            └── [unknown]  x',
        '',
      ),
    );
  });

  it('says that there are none', () => {
    expect(listPlans(version({}))).toBe('no plans found\n');
    expect(listTasks(version({ tasks: null }))).toBe('no tasks  found\n');
  });
});
