import { describe, expect, it } from 'vitest';
import type { Pod } from '../../kinds/objects/pod.ts';
import { Configuration } from './configuration.ts';
import { entryOf } from './entry.ts';
import { taskManagerPod } from './task-manager-pod.ts';

const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app', uid: 'u' };
const podOf = (values: Readonly<Record<string, string>>, template?: string): Pod =>
  taskManagerPod(
    new Configuration(Object.entries({ 'kubernetes.cluster-id': 'app', 'kubernetes.namespace': 'ns', ...values })),
    {
      read: () => (template === undefined ? undefined : Buffer.from(template)),
      list: () => undefined,
      write: () => 'Read-only file system',
    },
    'app-taskmanager-1-1',
    'flink:1.20',
    owner,
  );

describe('taskManagerPod', () => {
  it('is what the configuration says', () => {
    const { metadata, spec } = podOf({
      'kubernetes.container.image.ref': 'registry.example.com/flink:1.20.5',
      'kubernetes.service-account': 'runner',
      'kubernetes.taskmanager.cpu.amount': '0.5',
      'kubernetes.taskmanager.cpu.limit-factor': '2',
      'kubernetes.taskmanager.labels': 'team:a,tier:b',
      'taskmanager.memory.process.size': '2 gb',
      'taskmanager.numberOfTaskSlots': '4',
    });
    expect(metadata).toMatchObject({
      namespace: 'ns',
      labels: { app: 'app', component: 'taskmanager', type: 'flink-native-kubernetes', team: 'a', tier: 'b' },
      ownerReferences: [owner],
    });
    expect(spec).toMatchObject({ restartPolicy: 'Never', serviceAccountName: 'runner' });
    const [main] = spec.containers;
    expect(main).toMatchObject({
      image: 'registry.example.com/flink:1.20.5',
      resources: { requests: { cpu: '0.5', memory: '2048Mi' }, limits: { cpu: '1', memory: '2048Mi' } },
    });
    expect(entryOf([...(main?.command ?? []), ...(main?.args ?? [])])).toMatchObject({
      role: 'taskmanager',
      properties: { 'taskmanager.resource-id': 'app-taskmanager-1-1', 'taskmanager.numberOfTaskSlots': '4' },
    });
  });

  it('keeps what the template brings', () => {
    const template = `
metadata: { labels: { app: other, mine: x }, annotations: { a: b } }
spec:
  nodeSelector: { disk: fast }
  containers:
    - name: sidecar
      image: log:1
    - name: flink-main-container
      env: [{ name: A, value: b }]
      volumeMounts: [{ name: scratch, mountPath: /scratch }]
  volumes: [{ name: scratch, emptyDir: {} }]
`;
    const { metadata, spec } = podOf({}, template);
    expect(metadata).toMatchObject({ labels: { app: 'app', mine: 'x' }, annotations: { a: 'b' } });
    expect(spec.nodeSelector).toEqual({ disk: 'fast' });
    expect(spec.containers.map(({ name }) => name)).toEqual(['flink-main-container', 'sidecar']);
    expect(spec.containers[0]?.env).toContainEqual({ name: 'A', value: 'b' });
    expect(spec.containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual([
      '/scratch',
      '/opt/flink/conf',
    ]);
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['scratch', 'flink-config-volume']);
  });

  it.each(['{', 'text', '[1]', ''])('is made without a template that is none: %j', (template) => {
    expect(podOf({}, template).spec.containers).toHaveLength(1);
  });
});
