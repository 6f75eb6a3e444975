import { describe, expect, it } from 'vitest';
import { ManifestError, parseManifest } from './manifest.ts';

const one = (yaml: string) => parseManifest(`applications:\n- name: a\n${yaml}`).applications[0];
const refusal = (yaml: string): ManifestError => {
  try {
    parseManifest(yaml);
  } catch (error) {
    if (error instanceof ManifestError) return error;
    throw error;
  }
  return expect.fail('it was accepted');
};

describe('a manifest', () => {
  it('says what the cf CLI makes of a push', () => {
    const yaml = [
      'applications:',
      '- name: web1',
      '  docker: {image: r/app:1}',
      '  default-route: true',
      '  memory: 64M',
      '  disk-quota: 1G',
      '  instances: 0',
      '  health-check-type: http',
      '  health-check-http-endpoint: /ready',
      '  timeout: 90',
      '  env: {K: v, N: 5, T: true, GONE: null}',
    ].join('\n');
    expect(parseManifest(yaml)).toMatchObject({
      applications: [
        {
          name: 'web1',
          docker: { image: 'r/app:1' },
          routes: { kind: 'default' },
          env: { K: 'v', N: '5', T: 'true', GONE: null },
          processes: [
            {
              type: 'web',
              memoryMB: 64,
              diskQuotaMB: 1024,
              instances: 0,
              healthCheck: { type: 'http', endpoint: '/ready', timeout: 90 },
            },
          ],
        },
      ],
      warnings: [],
    });
  });

  it('speaks of no process when it says nothing about one', () => {
    expect(one('')?.processes).toEqual([]);
    expect(one('  processes: [{type: worker, instances: 2}]')?.processes).toEqual([{ type: 'worker', instances: 2 }]);
  });

  it('means its web process with what stands on the app, where the process says nothing itself', () => {
    const yaml = '  memory: 1G\n  timeout: 9\n  processes: [{type: web, memory: 2G, health-check-type: none}]';
    expect(one(yaml)?.processes).toEqual([
      { type: 'web', memoryMB: 2048, healthCheck: { type: 'process', timeout: 9 } },
    ]);
  });

  it.each(['default', 'null', '~', '""'])('returns to the command of the droplet by %s', (text) => {
    expect(one(`  command: ${text}`)?.processes).toEqual([{ type: 'web', command: '' }]);
  });

  it.each([
    ['  no-route: true\n  routes: [{route: a.example}]', { kind: 'none' }],
    ['  random-route: true\n  routes: [{route: a.b.example/c}]', { kind: 'these', routes: ['a.b.example/c'] }],
    ['  random-route: true', { kind: 'random' }],
    ['  default-route: false', undefined],
    ['', undefined],
  ])('wants routes: %j', (yaml, routes) => expect(one(yaml)?.routes).toEqual(routes));

  it('tells what has no effect instead of hiding it', () => {
    const yaml =
      'applications:\n- name: a\n  memroy: 1G\n  log-rate-limit-per-second: 1K\n  processes: [{type: w, x: 1}]';
    expect(parseManifest(yaml).warnings).toEqual([
      'applications[0].memroy has no effect',
      'applications[0].log-rate-limit-per-second has no effect',
      'applications[0].processes[0].x has no effect',
    ]);
  });

  it.each([
    ['applications:\n- memory: 64M', 'applications[0].name cannot be blank'],
    [
      'applications:\n- name: a b',
      'applications[0].name must consist only of letters, numbers, underscores and dashes',
    ],
    [
      'applications:\n- name: a\n  memory: 64',
      'applications[0].memory must use a supported unit (B, K, KB, M, m, MB, mb, G, g, GB, gb, T, t, TB or tb)',
    ],
    ['applications:\n- name: a\n  memory: 1K', 'applications[0].memory must be greater than 0MB'],
    ['applications:\n- name: a\n  instances: -1', 'applications[0].instances must be 0 or greater'],
    ['applications:\n- name: a\n  instances: 5001', 'applications[0].instances must be 5000 or less'],
    [
      'applications:\n- name: a\n  instances: 1.5',
      'applications[0].instances must be a whole number that is 0 or greater',
    ],
    ['applications: []', 'applications cannot be blank'],
    ['version: 1', 'applications cannot be blank'],
    ['applications:\n- name: a\n- name: A', 'applications[1].name is already that of applications[0]'],
    ['applications:\n- name: a\n  docker: {}', 'applications[0].docker.image cannot be blank'],
    ['applications:\n- name: a\n  routes: [{route: "a b"}]', /^applications\[0\]\.routes\[0\]\.route is not a route/],
    ['applications:\n- name: a\n  services: [db]', "For application 'a': Service instance 'db' not found"],
    ['applications:\n- name: a\n  sidecars: [{name: x}]', /sidecars are not supported/],
    ['applications:\n- name: a\n  docker: {image: i}\n  buildpacks: [b]', /may not be used together/],
    ['applications:\n- name: a\n  processes: [{type: w}, {type: w}]', /has the type "w" more than once/],
    ['applications:\n- name: a\n  random-route: true\n  default-route: true', /may not be used together/],
    [
      'applications:\n- name: a\n  processes: [{type: a b}]',
      /^applications\[0\]\.processes\[0\]\.type must be letters/,
    ],
    [`applications:\n- name: a\n  processes: [{type: ${'x'.repeat(64)}}]`, /processes\[0\]\.type must be letters/],
    ['applications:\n- name: a\n  processes: [{type: x-}]', /processes\[0\]\.type must be letters/],
    ['applications:\n- name: a\n  memory: 9999999T', 'applications[0].memory is too large'],
    ['applications:\n- name: a\n  health-check-type: tcp', /value must be one of: none, process, port, http/],
  ])('refuses %j', (yaml, complaint) => {
    const { complaints, unreadable } = refusal(yaml);
    expect(unreadable).toBe(false);
    expect(complaints).toEqual([typeof complaint === 'string' ? complaint : expect.stringMatching(complaint)]);
  });

  it.each([
    [
      'processes',
      `processes: [${Array.from({ length: 51 }, (_, at) => `{type: t${at}}`)}]`,
      /must not be more than 50$/,
    ],
    [
      'routes',
      `routes: [${Array.from({ length: 101 }, (_, at) => `{route: a${at}.b}`)}]`,
      /must not be more than 100$/,
    ],
    ['parts', `env: [${'&a x, '.repeat(6_000)}]`, /^The manifest is too large/],
  ])('does not have more %s than anybody needs', (_what, settings, complaint) => {
    const { complaints, unreadable } = refusal(`applications:\n- name: a\n  ${settings}`);
    expect(unreadable).toBe(false);
    expect(complaints).toEqual([expect.stringMatching(complaint)]);
  });

  it('is not complained about without end', () => {
    const apps = Array.from({ length: 90 }, (_, at) => `- {name: a${at}, memory: 64}`).join('\n');
    const { complaints } = refusal(`applications:\n${apps}`);
    expect([complaints.length, complaints.at(-1)]).toEqual([21, 'and 70 more']);
  });

  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`)
    .join('\n')}\napplications: *h\n`;

  it.each([['applications: ['], ['[]'], ['hello'], [''], [`a: ${'['.repeat(50_000)}`], [bomb], ['a: 1\na: 2']])(
    'is not read from text number %#',
    (yaml) => expect(refusal(yaml).unreadable).toBe(true),
  );

  it('gives no name a meaning that it has for JavaScript', () => {
    const { env } = one('  env: {__proto__: x, constructor: y}') ?? {};
    expect(Object.getPrototypeOf(env)).toBe(Object.prototype);
    expect(Object.entries(env ?? {})).toContainEqual(['constructor', 'y']);
  });
});

it('refuses a name that cannot even be measured', () => {
  expect(() => parseManifest('applications: [{ name: { length: { toString: 0 } } }]')).toThrow(ManifestError);
});
