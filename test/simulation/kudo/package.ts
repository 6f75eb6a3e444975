import type { OperatorVersionSpec, Plan } from '../../../src/kudo/resources/operator-version.ts';

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: '{{ .Name }}-${name}' }\ndata: { ${data} }\n`;

const password = `apiVersion: v1
kind: Secret
metadata: { name: '{{ .Name }}-password' }
stringData: { password: '{{ randAlphaNum 24 }}' }
`;

const nodes = (image: string): string => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: '{{ .Name }}-node' }
spec:
  serviceName: none
  replicas: {{ .Params.NODES }}
  selector: { matchLabels: { app: '{{ .Name }}-node' } }
  template:
    metadata: { labels: { app: '{{ .Name }}-node' } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: main
        image: ${image}
        env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: '{{ .Name }}-password', key: password } } }]
      volumes: [{ name: config, configMap: { name: '{{ .Name }}-config' } }]
`;

const job = `apiVersion: batch/v1
kind: Job
metadata: { name: '{{ .Name }}-check' }
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: busybox, command: [sh, -c, 'exit {{ .Params.VERDICT }}'] }]
`;

const generator = `apiVersion: v1
kind: Pod
spec:
  terminationGracePeriodSeconds: 1
  volumes: [{ name: out, emptyDir: {} }]
  initContainers:
  - name: generate
    image: busybox
    command: [sh, -c, 'echo -n fresh > /out/tls.crt; echo TOKEN=pulled-out-of-a-pod > /out/env']
    volumeMounts: [{ name: out, mountPath: /out }]
`;

const serial = (...steps: readonly string[]): Plan => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: steps.map((name) => ({ name, tasks: [name] })) }],
});

/**
 * Nodes with a ConfigMap and a password. `NODES` is quiet, `LEVEL` is only in the ConfigMap, `VERDICT` is what a Job of
 * a plan of its own exits with, and the plan `generate` fetches files from a pod.
 */
export function simulatedPackage(version: 1 | 2): OperatorVersionSpec {
  const apply = (name: string, ...resources: readonly string[]) =>
    ({ name, kind: 'Apply', spec: { resources: [...resources] } }) as const;
  const pipe = [
    { file: '/out/tls.crt', kind: 'ConfigMap', key: 'certificate' },
    { envFile: '/out/env', kind: 'Secret', key: 'token' },
  ] as const;
  return {
    operator: { kind: 'Operator', name: 'demo' },
    version: `0.${version}.0`,
    parameters: [
      { name: 'NODES', default: '2', 'value-type': 'integer', forcePodRestart: false },
      { name: 'LEVEL', default: 'info' },
      { name: 'NOTE', default: 'none', trigger: 'note', forcePodRestart: false },
      { name: 'VERDICT', default: '0', trigger: 'check', forcePodRestart: false },
    ],
    templates: {
      'config.yaml': configMap('config', `app.conf: 'level={{ .Params.LEVEL }}'`),
      'password.yaml': password,
      'nodes.yaml': nodes(`app:${version}`),
      'note.yaml': configMap('note', `note: '{{ .Params.NOTE }}'`),
      'job.yaml': job,
      'generator.yaml': generator,
      'user.yaml': configMap('user', `certificate: '{{ .Pipes.certificate }}', token: '{{ .Pipes.token }}'`),
      'farewell.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: farewell }\n',
    },
    tasks: [
      apply('config', 'config.yaml', 'password.yaml'),
      apply('nodes', 'nodes.yaml'),
      apply('note', 'note.yaml'),
      apply('check', 'job.yaml'),
      apply('use', 'user.yaml'),
      apply('farewell', 'farewell.yaml'),
      { name: 'generate', kind: 'Pipe', spec: { pod: 'generator.yaml', pipe: [...pipe] } },
      { name: 'clear', kind: 'Delete', spec: { resources: ['job.yaml'] } },
      { name: 'stop', kind: 'Delete', spec: { resources: ['nodes.yaml'] } },
    ],
    plans: {
      deploy: serial('config', 'nodes'),
      note: serial('note'),
      check: serial('clear', 'check'),
      generate: serial('generate', 'use'),
      cleanup: serial('farewell', 'stop'),
      ...(version === 2 && { upgrade: serial('config', 'nodes', 'note') }),
    },
  };
}
