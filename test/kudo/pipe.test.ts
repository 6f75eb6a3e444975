import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

/** A package that makes a password and uses it. */
const generator: OperatorVersionSpec = {
  templates: {
    'pod.yaml': `apiVersion: v1
kind: Pod
spec:
  terminationGracePeriodSeconds: 1
  volumes: [{ name: out, emptyDir: {} }]
  initContainers:
  - name: generate
    image: busybox
    command: [sh, -c, '{{ .Params.SCRIPT }}']
    volumeMounts: [{ name: out, mountPath: /out }]
`,
    'user.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: '{{ .Name }}-user' }
data: { certificate: '{{ .Pipes.certificate }}', variables: '{{ .Pipes.variables }}' }
`,
  },
  parameters: [
    {
      name: 'SCRIPT',
      default: 'echo -n $HOSTNAME-$SEED > /out/tls.crt; hostname > /out/h; echo PASSWORD=s3cret > /out/env',
    },
  ],
  tasks: [
    {
      name: 'generate',
      kind: 'Pipe',
      spec: {
        pod: 'pod.yaml',
        pipe: [
          { file: '/out/tls.crt', kind: 'ConfigMap', key: 'certificate' },
          { envFile: '/out/env', kind: 'Secret', key: 'variables' },
        ],
      },
    },
    { name: 'use', kind: 'Apply', spec: { resources: ['user.yaml'] } },
  ],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [
        {
          name: 'main',
          strategy: 'serial',
          steps: [
            { name: 'generate', tasks: ['generate'] },
            { name: 'use', tasks: ['use'] },
          ],
        },
      ],
    },
  },
};

const name = (suffix: string): string => `one.deploy.main.generate.generate.${suffix}`;

async function install(deathAt: number): Promise<{ writes: number; certificate?: AnyObject; variables?: AnyObject }> {
  const { stage, operator } = await KudoStage.running(generator);
  await using _ = stage;
  const from = stage.writes.length;
  if (Number.isFinite(deathAt)) operator.dieAt(deathAt);
  await stage.install('one');
  if (Number.isFinite(deathAt)) {
    await stage.until('it dies', () => operator.dead);
    stage.start();
  }
  await stage.settled('one', 1);
  expect(stage.last('one')).toBe('deploy COMPLETE');
  await stage.until('the pod is gone', () => stage.pods().length === 0);
  const certificate = stage.find(kinds.configMaps, name('certificate'));
  const variables = stage.find(kinds.secrets, name('variables'));
  return { writes: stage.writes.length - from, ...(certificate && { certificate }), ...(variables && { variables }) };
}

describe('a Pipe task', () => {
  it('makes the same whichever write the operator dies of, and all of it from one pod', async () => {
    const calm = await install(Number.POSITIVE_INFINITY);
    for (let death = 1; death <= calm.writes; death += 1) {
      const { certificate, variables } = await install(death);
      expect({ death, data: certificate?.binaryData }).toEqual({ death, data: calm.certificate?.binaryData });
      expect(variables?.data).toEqual({ PASSWORD: Buffer.from('s3cret').toString('base64') });
      const sources = [certificate, variables].map((one) => one?.metadata.annotations?.['kudo.cutover.dev/from-pod']);
      expect(new Set(sources).size).toBe(1);
    }
  });

  it('tells nobody what is in a Secret', async () => {
    const { stage } = await KudoStage.running(generator);
    await using _ = stage;
    await stage.install('one', { parameters: { SCRIPT: 'echo x > /out/tls.crt; echo s3cret-without-key > /out/env' } });
    await stage.settled('one', 1);
    expect(stage.last('one')).toBe('deploy FATAL_ERROR');
    const { planStatus, history, conditions } = stage.instance('one').status ?? {};
    const events = stage.embedded.world.list(kinds.events, {});
    const told = JSON.stringify([planStatus, history, conditions, events]);
    expect(history?.[0]?.message).toContain(
      'failed to read env var file "/out/env": line 1 is not a valid env var definition (KEY=VAL)',
    );
    expect(told).not.toContain('s3cret');
  });

  it('says what keeps its pod from running, and goes on when it is mended', async () => {
    const { stage } = await KudoStage.running(generator);
    await using _ = stage;
    await stage.install('one', { parameters: { SCRIPT: 'exit 3' } });
    await stage.until('it fails', () => {
      const [status] =
        (stage.pods()[0]?.status as { initContainerStatuses?: { restartCount: number }[] })?.initContainerStatuses ??
        [];
      return (status?.restartCount ?? 0) > 1;
    });
    expect(stage.instance('one').status?.execution).toMatchObject({ plan: 'deploy' });
    await stage.set('one', { SCRIPT: 'echo x > /out/tls.crt; echo A=1 > /out/env' });
    await stage.trigger('one', 'deploy', { override: true });
    await stage.until('it completes', () => stage.last('one') === 'deploy COMPLETE');
    expect(stage.find(kinds.secrets, name('variables'))?.data).toEqual({ A: 'MQ==' });
  });
});
