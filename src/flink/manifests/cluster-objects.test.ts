import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { all, configOf, made, main, named, pod, workload } from './cluster-objects.fixture.ts';
import { clusterObjects } from './cluster-objects.ts';
import { examplePlan } from './cluster-plan.fixture.ts';
import type { ClusterPlan } from './cluster-plan.ts';

const ha = { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': 's3://b/ha/' };

describe('what a job starts from', () => {
  it('is a savepoint', () => {
    const plan = examplePlan({}, { restore: { mode: 'savepoint', path: 's3://b/sp-1' } });
    expect(configOf(plan).get('execution.savepoint.path')).toBe('s3://b/sp-1');
  });

  it('is nothing, whatever users left in their configuration', () => {
    const left = { 'execution.savepoint.path': 's3://old', 'execution.state-recovery.path': 's3://old' };
    const config = configOf(examplePlan({ flinkConfiguration: left }));
    expect([...config.keys()].filter((key) => key in left)).toEqual([]);
  });

  it('is HA metadata, which must then be there if a checkpoint was', () => {
    const plan = (haWithCheckpoint: boolean) =>
      examplePlan({ flinkConfiguration: ha }, { restore: { mode: 'last-state' }, haWithCheckpoint });
    expect(configOf(plan(true)).get('execution.savepoint.path')).toBe('KUBERNETES_OPERATOR_LAST_STATE');
    expect(configOf(plan(false)).has('execution.savepoint.path')).toBe(false);
  });

  it('is an argument in standalone mode', () => {
    const job = { jarURI: 'local:///opt/x.jar', entryClass: 'com.Main', args: ['--a'], allowNonRestoredState: true };
    const plan = examplePlan(
      { mode: 'standalone', job, flinkConfiguration: ha },
      { restore: { mode: 'savepoint', path: 's3://b/sp-1' } },
    );
    expect(main(made(plan).jobManager).args).toEqual([
      'standalone-job',
      '--job-classname',
      'com.Main',
      '--allowNonRestoredState',
      '--fromSavepoint',
      's3://b/sp-1',
      '-D',
      'jobmanager.rpc.address=$(_POD_IP_ADDRESS)',
      '--a',
    ]);
  });
});

describe('the id of the job', () => {
  it('is the planned one, unless users fix theirs', () => {
    const key = '$internal.pipeline.job-id';
    expect(configOf(examplePlan()).get(key)).toBe('0123456789abcdef0123456789abcdef');
    expect(configOf(examplePlan({ flinkConfiguration: { [key]: 'f'.repeat(32) } })).get(key)).toBe('f'.repeat(32));
  });

  it('keeps results of earlier deployments apart', () => {
    const config = configOf(examplePlan({ flinkConfiguration: ha }));
    expect(config.get('job-result-store.storage-path')).toBe('s3://b/ha/job-result-store/counter/uid-1-7');
    expect(config.get('job-result-store.delete-on-commit')).toBe('false');
    expect(config.get('high-availability.cluster-id')).toBe('counter');
  });
});

describe('the checkpoints of a cancelled job', () => {
  const key = 'execution.checkpointing.externalized-checkpoint-retention';
  const { job: _, ...session } = examplePlan().spec;
  const sessionOf = (flinkVersion: 'v1_16' | 'v1_17'): ClusterPlan => ({
    ...examplePlan(),
    spec: { ...session, flinkVersion },
  });

  it('are kept, unless users want otherwise', () => {
    expect(configOf(examplePlan()).get(key)).toBe('RETAIN_ON_CANCELLATION');
    const flinkConfiguration = { [key]: 'DELETE_ON_CANCELLATION' };
    expect(configOf(examplePlan({ flinkConfiguration })).get(key)).toBe('DELETE_ON_CANCELLATION');
  });

  it('are kept by a session only where jobs cannot bring their own configuration', () => {
    expect(configOf(sessionOf('v1_16')).get(key)).toBe('RETAIN_ON_CANCELLATION');
    expect(configOf(sessionOf('v1_17')).has(key)).toBe(false);
  });
});

describe('the objects of a mode', () => {
  const names = (plan: ClusterPlan) => all(plan).map(({ kind, metadata }) => `${kind}/${metadata.name}`);

  it('are these in native mode, the configuration last: without it nothing starts', () => {
    expect(names(examplePlan())).toEqual([
      'Deployment/counter',
      'Service/counter',
      'Service/counter-rest',
      'ConfigMap/flink-config-counter',
    ]);
  });

  it('lack the internal Service where native Flink finds the JobManager in its HA metadata', () => {
    expect(names(examplePlan({ flinkConfiguration: ha }))).not.toContain('Service/counter');
    expect(configOf(examplePlan({ flinkConfiguration: ha })).has('jobmanager.rpc.address')).toBe(false);
  });

  it('have the internal Service in standalone mode, also with HA', () => {
    expect(names(examplePlan({ mode: 'standalone', flinkConfiguration: ha }))).toEqual([
      'Deployment/counter',
      'Deployment/counter-taskmanager',
      'Service/counter',
      'Service/counter-rest',
      'ConfigMap/flink-config-counter',
    ]);
  });

  it('have the template of TaskManager pods only where the JobManager makes them', () => {
    const podTemplate = { spec: { nodeSelector: { disk: 'nvme' } } };
    const plan = examplePlan({ podTemplate });
    const data = named(plan, 'ConfigMap/pod-template-counter')?.data as Record<string, string> | undefined;
    expect(parse(data?.['taskmanager-pod-template.yaml'] ?? '')).toEqual(podTemplate);
    expect(main(made(plan).jobManager).volumeMounts).toContainEqual({
      name: 'pod-template-volume',
      mountPath: '/opt/flink/pod-template',
    });
    expect(names(examplePlan({ podTemplate, mode: 'standalone' }))).not.toContain('ConfigMap/pod-template-counter');
  });
});

describe('pods', () => {
  it('get what Flink’s options for Kubernetes say, also TaskManagers of standalone mode', () => {
    const options = {
      'kubernetes.taskmanager.labels': 'role:tm',
      'kubernetes.taskmanager.annotations': 'a:b',
      'kubernetes.taskmanager.node-selector': 'zone:south',
      'kubernetes.taskmanager.tolerations': 'key:spot,operator:Exists,tolerationSeconds:600',
      'kubernetes.taskmanager.service-account': 'tm',
      'kubernetes.container.image.pull-secrets': 'one;two',
      'kubernetes.secrets': 'foo:/opt/foo',
      'kubernetes.env.secretKeyRef': 'env:PASS,secret:db,key:pass',
      'kubernetes.hadoop.conf.config-map.name': 'hadoop',
      'kubernetes.flink.log.dir': '/var/log/flink',
      'kubernetes.entry.path': '/entry.sh',
      'containerized.taskmanager.env.A': '1',
    };
    const { taskManager } = made(examplePlan({ mode: 'standalone', flinkConfiguration: options }));
    expect(workload(taskManager).template.metadata).toEqual({
      labels: { role: 'tm', app: 'counter', type: 'flink-standalone-kubernetes', component: 'taskmanager' },
      annotations: { a: 'b' },
    });
    expect(pod(taskManager)).toMatchObject({
      serviceAccountName: 'tm',
      nodeSelector: { zone: 'south' },
      tolerations: [{ key: 'spot', operator: 'Exists', tolerationSeconds: 600 }],
      imagePullSecrets: [{ name: 'one' }, { name: 'two' }],
    });
    expect(pod(taskManager).volumes?.map(({ name }) => name)).toEqual([
      'foo-volume',
      'hadoop-config-volume',
      'flink-config-volume',
    ]);
    expect(main(taskManager)).toMatchObject({
      command: ['/entry.sh'],
      env: [
        { name: 'A', value: '1' },
        { name: 'FLINK_LOG_DIR', value: '/var/log/flink' },
        { name: 'PASS', valueFrom: { secretKeyRef: { name: 'db', key: 'pass' } } },
        { name: 'HADOOP_CONF_DIR', value: '/opt/hadoop/conf' },
      ],
    });
  });

  it('can use the network of their node, on ports of their own choice in native mode', () => {
    const plan = examplePlan({ flinkConfiguration: { 'kubernetes.hostnetwork.enabled': true } });
    const { jobManager } = made(plan);
    expect(pod(jobManager)).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' });
    expect(main(jobManager).ports).toEqual([]);
    expect(configOf(plan).get('rest.bind-port')).toBe('0');
    expect(named(plan, 'Service/counter-rest')?.spec).toMatchObject({ ports: [{ port: 8081, targetPort: 8081 }] });
  });

  it('request and are limited to what resources say, in amounts of the API server’s form', () => {
    const resources = {
      requests: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1' },
      limits: { cpu: '1.5', memory: '2048Mi', 'example.com/gpu': '1' },
    };
    const plan = examplePlan({ mode: 'standalone', taskManager: { resources, resource: { memory: '9g', cpu: 9 } } });
    expect(main(made(plan).taskManager).resources).toEqual({
      requests: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1' },
      limits: { cpu: '1500m', memory: '2Gi', 'example.com/gpu': '1' },
    });
    expect(configOf(plan).get('taskmanager.memory.process.size')).toBe('1 gb');
    expect(configOf(plan).get('kubernetes.taskmanager.cpu.limit-factor')).toBe('3.0');
  });

  it('get a core per slot when nobody says how many', () => {
    const plan = examplePlan({
      mode: 'standalone',
      taskManager: { resource: { memory: '2g' } },
      flinkConfiguration: { 'taskmanager.numberOfTaskSlots': 3 },
    });
    expect(main(made(plan).taskManager).resources?.requests).toMatchObject({ cpu: '3' });
  });

  it('see the jar of the image, not an empty directory over it', () => {
    const paths = (jarURI: string) =>
      main(made(examplePlan({ mode: 'standalone', job: { jarURI } })).jobManager).volumeMounts?.map(
        ({ mountPath }) => mountPath,
      );
    expect(paths('local:///opt/flink/usrlib/a.jar')).not.toContain('/opt/flink/usrlib');
    expect(paths('local:///opt/jobs/a.jar')).toContain('/opt/flink/usrlib');
    expect(paths('local:///opt/flink/artifacts/a.jar')).not.toContain('/opt/flink/artifacts');
  });

  it('keep a startup probe that users wrote', () => {
    const startupProbe = { tcpSocket: { port: 8081 } };
    const podTemplate = { spec: { containers: [{ name: 'flink-main-container', startupProbe }] } };
    expect(main(made(examplePlan({ podTemplate })).jobManager).startupProbe).toEqual(startupProbe);
  });

  it('are restarted always, whatever a template made for bare pods says', () => {
    const podTemplate = { spec: { restartPolicy: 'Never' } };
    expect('restartPolicy' in pod(made(examplePlan({ podTemplate })).jobManager)).toBe(false);
  });

  it('run the official image of the version when none is named', () => {
    const { image: _, ...spec } = examplePlan({ flinkVersion: 'v2_3' }).spec;
    expect(main(made({ ...examplePlan(), spec }).jobManager).image).toBe('flink:2.3');
  });

  it('are configured under the keys that Flink before 1.17 knows', () => {
    const config = configOf(examplePlan({ flinkVersion: 'v1_16' }));
    expect(config.get('kubernetes.container.image')).toBe('flink:1.20');
    expect(config.has('kubernetes.container.image.ref')).toBe(false);
    expect(config.get('kubernetes.jobmanager.cpu')).toBe('0.5');
  });
});

describe('the Ingress', () => {
  const of = (ingress: NonNullable<FlinkDeploymentSpec['ingress']>) => made(examplePlan({ ingress })).ingress;
  const rule = (template: string) => (of({ template })?.spec as { rules: unknown[] } | undefined)?.rules[0];

  it.each([
    ['{{name}}.{{namespace}}.example.com', 'counter.shop.example.com', undefined],
    ['https://example.com:8443/{{Name}}', 'example.com', '/counter'],
    ['/{{namespace}}/{{name}}(/|$)(.*)', undefined, '/shop/counter(/|$)(.*)'],
  ])('has host and path of %s', (template, host, path) => {
    const backend = { service: { name: 'counter-rest', port: { number: 8081 } } };
    expect(rule(template)).toEqual({
      ...(host && { host }),
      http: { paths: [{ ...(path && { path }), pathType: 'ImplementationSpecific', backend }] },
    });
  });

  it('belongs to the resource, is labelled as what it is', () => {
    const object = of({ template: '{{name}}.x', labels: { component: 'mine', a: 'b' } });
    expect(object?.metadata.labels).toEqual({ component: 'ingress', a: 'b' });
    expect(object?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'FlinkDeployment', uid: 'uid-1', controller: true }),
    ]);
  });

  it('is not made when Ingresses are managed by somebody else', () => {
    const operator = { settings: { 'kubernetes.operator.ingress.manage': 'false' }, logFiles: {} };
    expect(made(examplePlan({ ingress: { template: 'x' } }, { operator })).ingress).toBeUndefined();
  });
});

describe('what no cluster can be made of is said', () => {
  it.each<[string, Partial<FlinkDeploymentSpec>]>([
    [
      'flinkConfiguration: blob.server.port: "1-2" is not a single port',
      { flinkConfiguration: { 'blob.server.port': '1-2' } },
    ],
    ['spec.jobManager.resource.memory: it is not said how much', { jobManager: { resource: { cpu: 1 } } }],
    ['spec.taskManager.resource.memory: it is not said', { mode: 'standalone', taskManager: {} }],
    ['spec.job.jarURI: native mode needs one jar', { job: { parallelism: 1 } }],
    [
      'spec.job.jarURI: native mode needs one jar',
      { job: { parallelism: 1 }, flinkConfiguration: { 'pipeline.jars': 'local:///a.jar;local:///b.jar' } },
    ],
    ['spec.job.jarURI: "local:///a b.jar" is not a URI', { job: { jarURI: 'local:///a b.jar' } }],
    ['flinkConfiguration: x has several lines', { flinkVersion: 'v1_18', flinkConfiguration: { x: 'a\nb' } }],
    [
      'flinkConfiguration: a.b has a value and is',
      { flinkVersion: 'v2_0', flinkConfiguration: { 'a.b': 1, 'a.b.c': 2 } },
    ],
    ['spec.jobManager.resource.cpu: ', { jobManager: { resource: { cpu: 'much' } } } as never],
    ['spec.podTemplate.spec.containers: ', { podTemplate: { spec: { containers: {} } } } as never],
  ])('%s', (problem, spec) => {
    const objects = clusterObjects(examplePlan(spec));
    expect(objects).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('even without any spec', () => {
    expect(clusterObjects({ ...examplePlan(), spec: undefined as never })).toEqual({
      problem: expect.stringContaining('spec: '),
    });
  });
});
