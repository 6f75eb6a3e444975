import { expect, describe as group, it } from 'vitest';
import type { Field } from '../schema/field.ts';
import { describe } from './describe.ts';
import { spec } from './diff.fixture.ts';
import { diff } from './diff.ts';

const lines = (before: unknown, after: unknown, context?: Record<string, string>): string[] =>
  describe(diff(spec, before, after, context))
    .split('\n')
    .filter(Boolean);

group('classes', () => {
  it.each([
    ['a field without a class demands an upgrade', { image: 'a' }, { image: 'b' }, ['spec.image: a → b (upgrade)']],
    [
      'a field has the class of its metadata',
      { job: { upgradeMode: 'savepoint' } },
      { job: { upgradeMode: 'stateless' } },
      ['spec.job.upgradeMode: savepoint → stateless (nothing)'],
    ],
    [
      'a field below a classified object inherits its class',
      { jobManager: { cpu: 1 } },
      { jobManager: { cpu: 2 } },
      ['spec.jobManager.cpu: 1 → 2 (restart)'],
    ],
    [
      'free-form parts inherit too, and are reported leaf by leaf',
      { jobManager: { podTemplate: { spec: { hostname: 'x', a: 1 } } } },
      { jobManager: { podTemplate: { spec: { hostname: 'y', a: 1 } } } },
      ['spec.jobManager.podTemplate.spec.hostname: x → y (restart)'],
    ],
    [
      'an object on one side only is one change of its own class',
      {},
      { job: { savepointRedeployNonce: 1 } },
      ['spec.job: (none) → {savepointRedeployNonce: 1} (upgrade)'],
    ],
    ['another type is one change', { job: 'x' }, { job: {} }, ['spec.job: x → {} (upgrade)']],
    [
      'a field that the schema does not know is not changed silently',
      {},
      { later: 1 },
      ['spec.later: (none) → 1 (upgrade)'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  it('asks the context where the class depends on the mode', () => {
    const change = [{ job: { parallelism: 2 } }, { job: { parallelism: 4 } }] as const;
    expect(lines(...change, { mode: 'standalone' })).toEqual(['spec.job.parallelism: 2 → 4 (scale)']);
    expect(lines(...change, { mode: 'native' })).toEqual(['spec.job.parallelism: 2 → 4 (upgrade)']);
    expect(lines(...change)).toEqual(['spec.job.parallelism: 2 → 4 (upgrade)']);
    expect(lines(...change, { mode: 'constructor' })).toEqual(['spec.job.parallelism: 2 → 4 (upgrade)']);
  });

  it('puts the paths under the place it is told', () => {
    expect(diff(spec, { image: 'a' }, { image: 'b' }, {}, 'spec.template.spec')[0]?.path).toBe(
      'spec.template.spec.image',
    );
  });
});

group('what counts as a change', () => {
  it('fires when a nonce appears or changes, and not when it is removed', () => {
    expect(lines({}, { restartNonce: 1 })).toEqual(['spec.restartNonce: (none) → 1 (restart)']);
    expect(lines({ restartNonce: 1 }, { restartNonce: 2 })).toEqual(['spec.restartNonce: 1 → 2 (restart)']);
    expect(lines({ restartNonce: 1 }, {})).toEqual([]);
    expect(lines({ restartNonce: 1 }, { restartNonce: null })).toEqual([]);
  });

  it('ignores absence before, or on either side, where the rule says so', () => {
    expect(lines({}, { firstOnly: 'x', eitherWay: 'x' })).toEqual([]);
    expect(lines({ firstOnly: 'x', eitherWay: 'x' }, {})).toEqual(['spec.firstOnly: x → (none) (upgrade)']);
    expect(lines({ eitherWay: 'x' }, { eitherWay: 'y' })).toEqual(['spec.eitherWay: x → y (upgrade)']);
  });

  it('takes null, absent, the default and the assumed value to be the same', () => {
    expect(lines({ job: {} }, { job: { args: [] } })).toEqual([]);
    expect(lines({ image: null }, {})).toEqual([]);
    expect(lines({}, { mode: 'native' })).toEqual([]);
    expect(lines({}, { mode: 'standalone' })).toEqual(['spec.mode: native → standalone (upgrade)']);
    expect(lines({ podTemplate: { spec: { a: null } } }, { podTemplate: { spec: {} } })).toEqual([]);
  });

  it('asks the rule whether two spellings are one amount', () => {
    expect(lines({ memory: '1Gi' }, { memory: '1024Mi' })).toEqual([]);
    expect(lines({ memory: '1Gi' }, { memory: '1G' })).toEqual(['spec.memory: 1Gi → 1G (restart)']);
  });

  it('takes a rule that throws for one that says nothing', () => {
    const broken: Field = {
      change: {
        equal: () => {
          throw new Error('no');
        },
      },
    };
    expect(diff(broken, 1, 2)).toHaveLength(1);
    expect(diff(broken, 1, 1)).toHaveLength(0);
  });

  it('leaves out keys of an object that the schema does not name, where they mean nothing', () => {
    expect(lines({ podTemplate: { apiVersion: 'v1', spec: {} } }, { podTemplate: { kind: 'Pod', spec: {} } })).toEqual(
      [],
    );
    expect(lines({ podTemplate: { spec: { a: 1 } } }, { podTemplate: { spec: { a: 2 } } })).toEqual([
      'spec.podTemplate.spec.a: 1 → 2 (upgrade)',
    ]);
  });

  it('reports whole and atomic objects as one change', () => {
    expect(lines({ ingress: { a: 1, b: 1 } }, { ingress: { a: 2, b: 1 } })).toEqual([
      'spec.ingress: {a: 1, b: 1} → {a: 2, b: 1} (patch)',
    ]);
    expect(lines({ ingress: { a: null } }, { ingress: {} })).toEqual([]);
    expect(lines({ fitting: { a: 'x' } }, { fitting: { a: 'y' } })).toEqual([
      'spec.fitting: {a: x} → {a: y} (upgrade)',
    ]);
  });
});

group('free-form maps', () => {
  it('classifies keys by the first prefix that matches, and an absent map is an empty one', () => {
    expect(
      lines(
        {},
        { configuration: { 'job.autoscaler.enabled': true, 'pipeline.overrides': 'a:1', 'taskmanager.slots': 2 } },
        { mode: 'native' },
      ),
    ).toEqual([
      'spec.configuration[job.autoscaler.enabled]: (none) → "true" (nothing)',
      'spec.configuration[pipeline.overrides]: (none) → a:1 (scale)',
      'spec.configuration[taskmanager.slots]: (none) → "2" (upgrade)',
    ]);
    expect(lines({ parameters: { QUIET_LOUD: 'a', QUIET_X: 'a', OTHER: 'a' } }, {})).toEqual([
      'spec.parameters.OTHER: a → (none) (restart)',
      'spec.parameters.QUIET_LOUD: a → (none) (upgrade)',
      'spec.parameters.QUIET_X: a → (none) (patch)',
    ]);
  });

  it('takes rules per key from a schema that is made at run time', () => {
    const parameters: Field = {
      type: 'object',
      change: { demands: 'restart', keys: { prefixes: [] } },
      properties: { NODE_COUNT: { change: 'patch' }, PASSWORD: { secret: true } },
      additionalProperties: { type: 'string' },
    };
    const after = { NODE_COUNT: '3', PASSWORD: 'hunter2', HEAP: '2g' };
    expect(describe(diff(parameters, undefined, after, {}, 'spec.parameters')).split('\n')).toEqual([
      'spec.parameters.HEAP: (none) → 2g (restart)',
      'spec.parameters.NODE_COUNT: (none) → "3" (patch)',
      'spec.parameters.PASSWORD: (none) → "(secret)" (restart)',
    ]);
  });

  it('reads nested maps as dotted keys, lists as joined text, and numbers as text', () => {
    expect(
      lines({ configuration: { a: { b: 1, c: ['x', 'y'] } } }, { configuration: { 'a.b': '1', 'a.c': 'x;y' } }),
    ).toEqual([]);
    expect(lines({ configuration: { job: { autoscaler: { x: 1 } } } }, { configuration: {} })).toEqual([
      'spec.configuration[job.autoscaler.x]: "1" → (none) (nothing)',
    ]);
  });

  it('lets the key with dots win over the nested one, in any order', () => {
    const [one, two] = [
      { a: { b: 1 }, 'a.b': 2 },
      { 'a.b': 2, a: { b: 1 } },
    ];
    expect(lines({ configuration: one }, { configuration: two })).toEqual([]);
    expect(lines({ configuration: one }, { configuration: { 'a.b': 2 } })).toEqual([]);
  });

  it('compares whatever else stands there as a whole', () => {
    expect(lines({ configuration: 'text' }, { configuration: { a: 1 } })).toEqual([
      'spec.configuration: text → {a: 1} (upgrade)',
    ]);
  });
});

group('lists', () => {
  it('tells elements apart by their keys, defaults included, whatever their order', () => {
    const before = {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', protocol: 'UDP', port: 2 },
      ],
    };
    expect(
      lines(before, {
        ports: [
          { name: 'b', protocol: 'UDP', port: 2 },
          { name: 'a', protocol: 'TCP', port: 1 },
        ],
      }),
    ).toEqual([]);
    expect(
      lines(before, {
        ports: [
          { name: 'a', port: 9 },
          { name: 'c', port: 3 },
        ],
      }),
    ).toEqual([
      'spec.ports[name=a,protocol=TCP].port: 1 → 9 (restart)',
      'spec.ports[name=b,protocol=UDP]: {name: b, port: 2, protocol: UDP} → (none) (patch)',
      'spec.ports[name=c,protocol=TCP]: (none) → {name: c, port: 3} (patch)',
    ]);
  });

  it('compares a keyed list as a whole when it does not keep its promise', () => {
    expect(lines({ ports: [{ name: 'a' }, { name: 'a' }] }, { ports: [{ name: 'a' }] })).toHaveLength(1);
    expect(lines({ ports: [{}] }, { ports: [1] })).toEqual(['spec.ports: [{}] → [1] (upgrade)']);
  });

  it('does not see the order of a set', () => {
    expect(lines({ tags: ['a', 'b'] }, { tags: ['b', 'a'] })).toEqual([]);
    expect(lines({ tags: ['a', 'b'] }, { tags: ['b'] })).toEqual(['spec.tags: [a, b] → [b] (upgrade)']);
  });

  it('shows which element of equally many changed, unless the list is atomic', () => {
    expect(
      lines(
        { podTemplate: { spec: { containers: [{ image: 'a' }] } } },
        { podTemplate: { spec: { containers: [{ image: 'b' }] } } },
      ),
    ).toEqual(['spec.podTemplate.spec.containers[0].image: a → b (upgrade)']);
    expect(lines({ steps: [{ a: 1 }] }, { steps: [{ a: 2 }] })).toEqual(['spec.steps: [{a: 1}] → [{a: 2}] (upgrade)']);
    expect(lines({ job: { args: ['a', 'b'] } }, { job: { args: ['b', 'a'] } })).toEqual([
      'spec.job.args: [a, b] → [b, a] (upgrade)',
    ]);
  });
});

group('secrets', () => {
  it('says that a secret changed and nothing else', () => {
    expect(lines({ token: 'hunter1' }, { token: 'hunter2' })).toEqual([
      'spec.token: "(secret)" → "(secret)" (upgrade)',
    ]);
    expect(lines({}, { token: 'hunter2' })).toEqual(['spec.token: (none) → "(secret)" (upgrade)']);
    expect(lines({}, { configuration: { s3: { Password: 'hunter2' } } })).toEqual([
      'spec.configuration[s3.Password]: (none) → "(secret)" (upgrade)',
    ]);
  });

  it('hides a secret that is an object as a whole', () => {
    expect(lines({ token: { a: 'hunter1' } }, { token: { a: 'hunter2' } })).toEqual([
      'spec.token: "(secret)" → "(secret)" (upgrade)',
    ]);
  });

  it('hides secrets inside whatever is reported as a whole', () => {
    const inside: Field = { type: 'object', properties: { spec } };
    const secret = {
      token: 'hunter2',
      configuration: { a: { password: 'hunter2' }, 'b.password': 'hunter2', c: 'shown', s3: { key: 'hunter2' } },
    };
    const text = JSON.stringify(diff({ type: 'array', items: inside }, [], [{ spec: secret }]));
    expect(text).toContain('shown');
    expect(text).not.toContain('hunter2');
  });

  it('shows sealed values as their fingerprints, and compares by them', () => {
    const sealed = (value: string): unknown => ({ toJSON: () => `sealed:${value.length}`, open: () => value });
    expect(lines({ image: sealed('abc') }, { image: sealed('abc') })).toEqual([]);
    expect(lines({ image: sealed('abc') }, { image: sealed('abcd') })).toEqual([
      'spec.image: sealed:3 → sealed:4 (upgrade)',
    ]);
  });
});
