import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../resources/operator-version.ts';
import { keys, pipePlace, podTemplate } from './pipe.fixture.ts';
import { preparePipe } from './prepare-pipe.ts';

const prepared = (template: string = podTemplate, spec: TaskSpec = {}) => {
  const task = { ...keys, spec: { ...keys.spec, ...spec } };
  return preparePipe(task, pipePlace({ tasks: [task], templates: { 'pod.yaml': template } }), 'waiter:1');
};

describe('the pod of a Pipe task', () => {
  it('is that of its template, with a name and a container that waits beside the files', () => {
    const work = prepared();
    expect(work).toMatchObject({
      does: 'pipe',
      pipe: {
        pod: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'st.deploy.mainphase.genstep.makekeys.pipepod',
            annotations: { 'kudo.dev/pipepod': 'true' },
          },
          spec: {
            restartPolicy: 'OnFailure',
            initContainers: [{ name: 'init', args: ['s1'] }],
            containers: [
              {
                name: 'waiter',
                image: 'waiter:1',
                command: ['/bin/sh', '-c'],
                args: ['sleep infinity'],
                volumeMounts: [{ name: 'shared', mountPath: '/out' }],
              },
            ],
          },
        },
        artifacts: [
          {
            path: '/out/tls.crt',
            as: 'file',
            kind: 'ConfigMap',
            name: 'st.deploy.mainphase.genstep.makekeys.certificate',
          },
          {
            path: '/out/vars.env',
            as: 'envFile',
            kind: 'Secret',
            name: 'st.deploy.mainphase.genstep.makekeys.varskey',
          },
        ],
      },
    });
  });

  it('keeps labels and annotations of its template, and takes no name from it', () => {
    const template = `${podTemplate}metadata: { name: mine, generateName: x-, labels: { a: b }, annotations: { c: d } }\n`;
    const work = prepared(template);
    expect(work.does === 'pipe' && work.pipe.pod.metadata).toEqual({
      name: 'st.deploy.mainphase.genstep.makekeys.pipepod',
      labels: { a: 'b' },
      annotations: { c: 'd', 'kudo.dev/pipepod': 'true' },
    });
  });

  it('lets the waiting container read whatever the init container could write', () => {
    const template = podTemplate
      .replace('mountPath: /out', 'mountPath: /out\n      subPath: a')
      .replace('image: tool', 'image: tool\n    securityContext: { runAsUser: 7 }');
    expect(prepared(template)).toMatchObject({
      pipe: {
        pod: {
          spec: {
            containers: [
              {
                securityContext: { runAsUser: 7 },
                volumeMounts: [{ name: 'shared', mountPath: '/out', subPath: 'a' }],
              },
            ],
          },
        },
      },
    });
  });
});

describe('a Pipe task that cannot be done', () => {
  const without = (part: string, instead = ''): string => podTemplate.replace(part, instead);
  const outside = (file: string): TaskSpec => ({ pipe: [{ file, kind: 'ConfigMap', key: 'k' }] });

  it.each([
    [
      'containers',
      `${podTemplate}  containers: [{ name: a }]\n`,
      'pipe pod should not have containers. pipe artifacts are generated in the init container',
    ],
    [
      'no init container',
      without('initContainers', 'others'),
      'pipe pod should define one init container that generated artifacts defined',
    ],
    [
      'two init containers',
      without('  - name: init', '  - name: first\n  - name: init'),
      'pipe pod should define one init container that generated artifacts defined',
    ],
    ['a restart policy', `${podTemplate}  restartPolicy: Always\n`, 'pipe pod RestartPolicy should be OnFailure'],
    [
      'no emptyDir',
      without('emptyDir: {}', 'hostPath: {}'),
      'pipe pod should define one emptyDir shared volume where the artifacts are temporary stored',
    ],
    [
      'two of them',
      without('    emptyDir: {}', '    emptyDir: {}\n  - name: b\n    emptyDir: {}'),
      'pipe pod should define one emptyDir shared volume where the artifacts are temporary stored',
    ],
    [
      'another volume mounted',
      without('    - name: shared', '    - name: other'),
      'pipe pod should save generated artifacts in shared',
    ],
    [
      'the name of our own container',
      without('- name: init', '- name: waiter'),
      'pipe pod has an init container waiter: that name is taken, rename it',
    ],
  ])('has a pod with %s', (_, template, message) => {
    expect(prepared(template)).toMatchObject({
      does: 'fail',
      failure: { reason: 'ResourceValidationError', message, fatal: true },
    });
  });

  it.each(['/etc/passwd', '/out', '/out/../etc/passwd', '/output/x', 'out/x', '/out/..'])(
    'wants the file %s, which is not in the volume',
    (file) => {
      const { failure } = prepared(podTemplate, outside(file)) as unknown as { failure: { message: string } };
      expect(failure).toMatchObject({ reason: 'ResourceValidationError', fatal: true });
      expect(failure.message).toMatch(/^pipe file \S+ should be a child of \/out mount path$/);
    },
  );

  it.each(['/out/a b', '/out/ä', `/out/${'x'.repeat(254)}`, '/out/..x'])(
    'wants a file whose name cannot be a key: %s',
    (file) => {
      expect(prepared(podTemplate, outside(file))).toMatchObject({
        failure: {
          reason: 'ResourceValidationError',
          message: expect.stringContaining("should only contain alphanumeric characters, '.', '_' and '-'"),
        },
      });
    },
  );

  it.each(['/out/.env', '/out/a/b/c.txt', '/out/./x//y'])('is none that wants %s', (file) => {
    expect(prepared(podTemplate, outside(file)).does).toBe('pipe');
  });

  it.each([
    [[], 'pipe task has an empty pipe files list'],
    [
      [{ kind: 'ConfigMap', key: 'k' }],
      "pipe file {  ConfigMap k} must have either 'file' or 'envFile' field set but not both",
    ],
    [
      [{ file: '/a', envFile: '/b', kind: 'ConfigMap', key: 'k' }],
      "pipe file {/a /b ConfigMap k} must have either 'file' or 'envFile' field set but not both",
    ],
    [[{ file: '/out/a', kind: 'Pod', key: 'k' }], 'invalid pipe kind (must be Secret or ConfigMap): {/out/a  Pod k}'],
    [
      [{ file: '/out/a', kind: 'Secret', key: 'k.1' }],
      'invalid pipe key (only letters, numbers and _ and - are allowed): {/out/a  Secret k.1}',
    ],
  ])('is written wrongly: %j', (pipe, flaw) => {
    expect(prepared(podTemplate, { pipe })).toMatchObject({
      failure: {
        reason: 'TaskBuildError',
        message: `failed to build task deploy.main-phase.gen_Step.make-Keys: task validation error: ${flaw}`,
        fatal: true,
      },
    });
  });

  it('shares a key with another task of the plan', () => {
    const pipe = [1, 2].map((index) => ({ file: `/out/${index}`, kind: 'ConfigMap', key: 'k' }));
    expect(prepared(podTemplate, { pipe })).toMatchObject({
      failure: { reason: 'InvalidPlan', message: 'could not make task pipes: duplicated pipe key k', fatal: true },
    });
  });

  it.each([
    ['a: [', /^failed to unmarshall pipe pod: /],
    ['', 'failed to unmarshall pipe pod: it is no object'],
    ['apiVersion: batch/v1\nkind: Job', 'failed to unmarshall pipe pod: it is a Job of batch/v1, not a Pod of v1'],
  ])('has a template that yields no pod: %j', (template, message) => {
    expect(prepared(template)).toMatchObject({
      failure: {
        reason: 'ResourceUnmarshalError',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        fatal: true,
      },
    });
  });

  it('has a template that cannot be rendered, or none', () => {
    expect(prepared('{{ .Params.NOPE }}')).toMatchObject({ failure: { reason: 'TaskRenderingError', fatal: true } });
    expect(prepared(podTemplate, { pod: 'nope.yaml' })).toMatchObject({
      failure: { reason: 'TaskRenderingError', message: expect.stringContaining('nope.yaml'), fatal: true },
    });
  });
});
