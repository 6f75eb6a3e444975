import { describe, expect, it } from 'vitest';
import { type Any, eventually } from './api.ts';
import { container, deployment, pod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const batch = (resource: string, ...rest: string[]): string => server().group('batch/v1', resource, ...rest);

describe('Service', () => {
  const service = (name: string, app: string, more: object = {}): Any => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app }, ports: [{ port: 80, targetPort: 8080 }], ...more },
  });

  it('gets an address and defaults', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('services'), service('addressed', 'none'));
    expect(made.spec).toMatchObject({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
    });
    expect(made.spec.clusterIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(made.spec.clusterIPs).toEqual([made.spec.clusterIP]);
  });

  it('keeps its address', async () => {
    const { api, core } = server();
    await api.must('POST', core('services'), service('fixed', 'none'));
    const answer = await api.merge(core('services', 'fixed'), {
      spec: { clusterIP: '10.0.0.250', clusterIPs: ['10.0.0.250'] },
    });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('may not change once set');
  });

  it('may have none', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('services'), service('headless', 'none', { clusterIP: 'None' }));
    expect(made.spec.clusterIP).toBe('None');
  });

  it('leads to the ready pods it selects', async () => {
    const { api, core, group } = server();
    await api.must('POST', core('services'), service('led', 'led'));
    await api.must('POST', group('apps/v1', 'deployments'), deployment('led', { replicas: 2 }));
    await eventually(async () => {
      const { items } = await api.must(
        'GET',
        `${group('discovery.k8s.io/v1', 'endpointslices')}?labelSelector=kubernetes.io%2Fservice-name%3Dled`,
      );
      const endpoints = items.flatMap((slice: Any) => slice.endpoints ?? []);
      expect(endpoints).toHaveLength(2);
      for (const endpoint of endpoints) {
        expect(endpoint).toMatchObject({ conditions: { ready: true }, targetRef: { kind: 'Pod' } });
      }
      expect(items[0].ports).toEqual([{ name: '', port: 8080, protocol: 'TCP' }]);
    });
  });
});

describe('Pod', () => {
  it('gets defaults and the account of its namespace', async () => {
    const { api, core } = server();
    await eventually(() => api.must('GET', core('serviceaccounts', 'default')));
    const made = await api.must('POST', core('pods'), pod('defaulted'));
    expect(made.spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      serviceAccountName: 'default',
      enableServiceLinks: true,
      securityContext: {},
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
    });
    expect(made.spec.containers[0]).toMatchObject({
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      resources: {},
    });
    expect(made.spec.containers[0].volumeMounts[0].mountPath).toBe('/var/run/secrets/kubernetes.io/serviceaccount');
    expect(made.spec.tolerations).toHaveLength(2);
    expect(made.status).toMatchObject({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('is scheduled, runs and becomes ready', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pod('run'));
    await eventually(async () => {
      const { spec, status } = await api.must('GET', core('pods', 'run'));
      expect(spec.nodeName).toMatch(/./);
      expect(status.phase).toBe('Running');
      expect(status.podIP).toMatch(/^\d+\./);
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
      expect(status.containerStatuses[0]).toMatchObject({ name: 'main', ready: true, restartCount: 0 });
    });
  });

  it('waits when no node suits', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pod('homeless', { nodeSelector: { 'conformance.invalid/never': 'x' } }));
    await eventually(async () => {
      const { status } = await api.must('GET', core('pods', 'homeless'));
      expect(status.conditions).toContainEqual(
        expect.objectContaining({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }),
      );
    });
  });

  it('cannot change what a running container is made of', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pod('rigid'));
    const answer = await api.jsonPatch(core('pods', 'rigid'), [
      { op: 'add', path: '/spec/containers/0/command', value: ['x'] },
    ]);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('spec: Forbidden: pod updates may not change fields other than');
  });

  it.each([
    [{ containers: [] }, 'spec.containers: Required value'],
    [{ containers: [{ image: 'nginx' }] }, 'spec.containers[0].name: Required value'],
    [{ containers: [{ name: 'a' }] }, 'spec.containers[0].image: Required value'],
    [{ containers: [container, container] }, 'spec.containers[1].name: Duplicate value: "main"'],
    [
      { containers: [{ ...container, ports: [{ containerPort: 70000 }] }] },
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      { restartPolicy: 'Sometimes' },
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
    [
      { containers: [{ ...container, volumeMounts: [{ name: 'none', mountPath: '/x' }] }] },
      'spec.containers[0].volumeMounts[0].name: Not found: "none"',
    ],
    [
      { containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
      'must be less than or equal to cpu limit of 1',
    ],
  ])('with %j is refused', async (spec, message) => {
    const { api, core } = server();
    const answer = await api.post(core('pods'), pod('wrong', spec));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(message);
  });
});

describe('Job', () => {
  const job = (name: string, spec: object = {}): Any => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } }, ...spec },
  });

  it('gets defaults, a selector of its own, and a pod', async () => {
    const { api, core } = server();
    const made = await api.must('POST', batch('jobs'), job('once'));
    expect(made.spec).toMatchObject({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      completionMode: 'NonIndexed',
      suspend: false,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': made.metadata.uid } },
    });
    expect(made.spec.template.metadata.labels).toMatchObject({
      'batch.kubernetes.io/controller-uid': made.metadata.uid,
      'batch.kubernetes.io/job-name': 'once',
      'controller-uid': made.metadata.uid,
      'job-name': 'once',
    });
    await eventually(async () => {
      const { items } = await api.must('GET', `${core('pods')}?labelSelector=job-name%3Donce`);
      expect(items).toHaveLength(1);
      expect(items[0].metadata.ownerReferences[0]).toMatchObject({ kind: 'Job', name: 'once', controller: true });
    });
  });

  it('does not start while suspended', async () => {
    const { api } = server();
    await api.must('POST', batch('jobs'), job('later', { suspend: true }));
    await eventually(async () => {
      const { status } = await api.must('GET', batch('jobs', 'later'));
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Suspended', status: 'True' }));
    });
  });

  it('refuses a template that restarts for ever, and a change of template', async () => {
    const { api } = server();
    const answer = await api.post(
      batch('jobs'),
      job('eternal', { template: { spec: { restartPolicy: 'Always', containers: [container] } } }),
    );
    expect(answer.body.message).toContain(
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    );
    await api.must('POST', batch('jobs'), job('rigid'));
    const change = await api.strategic(batch('jobs', 'rigid'), {
      spec: { template: { spec: { containers: [{ name: 'main', image: 'other' }] } } },
    });
    expect(change.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(change.body.message).toContain('field is immutable');
  });
});

describe('Secret', () => {
  it('takes stringData and shows data', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'texts' },
      stringData: { a: 'text' },
    });
    expect(made).toMatchObject({ type: 'Opaque', data: { a: 'dGV4dA==' } });
    expect(made.stringData).toBeUndefined();
  });

  it('cannot change once immutable', async () => {
    const { api, core } = server();
    await api.must('POST', core('secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'stone' },
      immutable: true,
    });
    const answer = await api.merge(core('secrets', 'stone'), { stringData: { a: 'b' } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('field is immutable when `immutable` is set');
  });
});
