import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { type Change, explain } from './explain.ts';
import type { RestartReason } from './restart-reason.ts';
import { cassandra, configMap, kafka, statefulSet, versionOf, zookeeper } from './versions.fixture.ts';

const instance = { name: 'db', namespace: 'default', uid: 'u' };

function explained(operatorVersion: OperatorVersion, change: Change): Record<string, RestartReason> {
  const reasons = explain({ operatorVersion, instance }, change);
  return Object.fromEntries(reasons.map((reason) => [reason.workload.name, reason]));
}

/** `restartPolicy: onDependencyChange` for a version that has the default. */
function byDependency(version: OperatorVersion): OperatorVersion {
  return { ...version, spec: { ...version.spec, restartPolicy: 'onDependencyChange' } };
}

/** All parameters as if none were quiet. */
function loud(version: OperatorVersion): OperatorVersion {
  const parameters = version.spec.parameters?.map(({ forcePodRestart: _, ...parameter }) => parameter) ?? [];
  return { ...version, spec: { ...version.spec, parameters } };
}

const set = (name: string, from: string, to: string): Change => ({ from: { [name]: from }, to: { [name]: to } });

describe('a quiet change', () => {
  it('of the size of a StatefulSet restarts nothing', () => {
    expect(explained(cassandra, set('NODE_COUNT', '3', '5'))['cassandra-node']).toEqual({
      workload: { kind: 'StatefulSet', name: 'cassandra-node' },
      restarts: false,
      reason: 'none',
      causes: [],
      sentence:
        'pods of cassandra-node keep running: NODE_COUNT changed spec.replicas in StatefulSet cassandra-node, outside of their template',
    });
  });

  it('restarts nothing when it changes a file that pods have mounted, and says that they see it later', () => {
    const node = explained(cassandra, set('NODE_COUNT', '2', '3'))['cassandra-node'];
    expect(node).toMatchObject({ restarts: false, reason: 'none' });
    expect(node?.causes).toEqual([
      { parameters: ['NODE_COUNT'], object: { kind: 'ConfigMap', name: 'cassandra-conf' }, what: ['seeds.txt'] },
    ]);
    expect(node?.sentence).toBe(
      'pods of cassandra-node keep running: NODE_COUNT changed seeds.txt in ConfigMap cassandra-conf, which they see at their next restart, for nothing that changed demands one',
    );
  });

  it('restarts nothing under onDependencyChange either: the flag is above the policy', () => {
    expect(explained(byDependency(cassandra), set('NODE_COUNT', '2', '3'))['cassandra-node']?.restarts).toBe(false);
  });

  it('restarts pods whose own template it changes, for Kubernetes does', () => {
    expect(explained(zookeeper, set('NODE_COUNT', '3', '5')).zookeeper).toMatchObject({
      restarts: true,
      reason: 'template-changed',
      sentence:
        'pods of zookeeper restart because NODE_COUNT changed spec.template.spec.containers[node].args[0] in the pod template of StatefulSet zookeeper',
    });
  });
});

describe('a forced change', () => {
  it('names parameter, file, ConfigMap and workload', () => {
    expect(explained(cassandra, set('HEAP_SIZE', '512M', '1G'))['cassandra-node']).toMatchObject({
      restarts: true,
      reason: 'forced',
      sentence: 'pods of cassandra-node restart because HEAP_SIZE changed cassandra-env.sh in ConfigMap cassandra-conf',
    });
  });

  it('restarts all workloads of the plan under always', () => {
    const { broker, connect } = explained(kafka, set('LOG_RETENTION_HOURS', '168', '24'));
    expect(broker).toMatchObject({ restarts: true, reason: 'forced' });
    expect(connect).toMatchObject({
      restarts: true,
      reason: 'forced',
      sentence: 'pods of connect restart because LOG_RETENTION_HOURS changed, which restarts all pods of the plan',
    });
  });

  it('restarts exactly the workloads whose files changed under onDependencyChange', () => {
    const { broker, connect } = explained(byDependency(kafka), set('LOG_RETENTION_HOURS', '168', '24'));
    expect(broker).toMatchObject({ restarts: true, reason: 'dependency-changed' });
    expect(connect).toMatchObject({
      restarts: false,
      reason: 'none',
      sentence: 'pods of connect keep running: no ConfigMap or Secret that they use changes',
    });
    const scaled = explained(byDependency(loud(kafka)), set('BROKER_COUNT', '3', '5'));
    expect(scaled.broker?.restarts).toBe(false);
    expect(scaled.connect?.restarts).toBe(true);
  });

  it('is one if any of several changed parameters demands it, and blames each for its own', () => {
    const node = explained(cassandra, {
      from: {},
      to: { NODE_COUNT: '2', HEAP_SIZE: '1G' },
    })['cassandra-node'];
    expect(node).toMatchObject({ restarts: true, reason: 'forced' });
    expect(node?.causes).toEqual([
      { parameters: ['HEAP_SIZE'], object: { kind: 'ConfigMap', name: 'cassandra-conf' }, what: ['cassandra-env.sh'] },
      { parameters: ['NODE_COUNT'], object: { kind: 'ConfigMap', name: 'cassandra-conf' }, what: ['seeds.txt'] },
    ]);
  });

  it('that changes template and file is told by the template, which comes first', () => {
    const node = explained(cassandra, set('NODE_MEM_MIB', '1024', '2048'))['cassandra-node'];
    expect(node?.reason).toBe('template-changed');
    expect(node?.causes.map(({ object, what }) => [object.kind, what])).toEqual([
      ['StatefulSet', ['spec.template.spec.containers[node].args[0]']],
      ['ConfigMap', ['cassandra-env.sh']],
    ]);
  });

  it('blames all parameters together for what only all of them change', () => {
    const version = versionOf({
      templates: {
        'conf.yaml': configMap('conf', {
          mode: '{{ if and (eq .Params.A "1") (eq .Params.B "1") }}on{{ else }}off{{ end }}',
        }),
        'app.yaml': statefulSet({ name: 'app', mounts: ['conf'] }),
      },
      parameters: [
        { name: 'A', default: '0' },
        { name: 'B', default: '0' },
      ],
    });
    const { app } = explained(version, { from: {}, to: { A: '1', B: '1' } });
    expect(app?.causes.map(({ parameters }) => parameters)).toEqual([['A', 'B']]);
  });
});

describe('what the execution says', () => {
  it('goes before the flags', () => {
    expect(explained(cassandra, { ...set('HEAP_SIZE', '1', '2'), forced: false })['cassandra-node']?.restarts).toBe(
      false,
    );
    expect(explained(cassandra, { ...set('NODE_COUNT', '3', '5'), forced: true })['cassandra-node']?.restarts).toBe(
      true,
    );
  });

  it('decides without changed parameters: a manual trigger restarts', () => {
    const node = explained(cassandra, { from: {}, to: {}, plan: 'deploy' })['cassandra-node'];
    expect(node).toMatchObject({
      reason: 'forced',
      sentence: 'pods of cassandra-node restart because the plan demands it',
    });
  });

  it('of a plan that does not exist, explains nothing', () => {
    expect(explain({ operatorVersion: cassandra }, { from: {}, to: {}, plan: 'constructor' })).toEqual([]);
  });
});

describe('an upgrade', () => {
  it('blames the new version', () => {
    const next = versionOf({
      templates: { 'server.yaml': statefulSet({ name: 'zookeeper', args: '--fresh' }) },
      parameters: [],
    });
    expect(explained(next, { from: {}, to: {}, before: zookeeper, plan: 'deploy' }).zookeeper).toMatchObject({
      restarts: true,
      reason: 'template-changed',
      sentence:
        'pods of zookeeper restart because the new version changed spec.template.spec.containers[node].args[0] in the pod template of StatefulSet zookeeper',
    });
  });
});

describe('a version that was read twice', () => {
  it('is no upgrade', () => {
    const change = { ...set('NODE_COUNT', '3', '5'), before: structuredClone(cassandra) };
    expect(explained(cassandra, change)['cassandra-node']?.restarts).toBe(false);
  });
});

describe('a workload', () => {
  const one = (kind: string, extra = '') =>
    versionOf({
      templates: {
        'app.yaml':
          statefulSet({ name: 'app', args: '{{ .Params.A }}' }).replace('kind: StatefulSet', `kind: ${kind}`) + extra,
      },
      parameters: [{ name: 'A', default: '1' }],
    });
  const change = set('A', '1', '2');

  it('that is new is created', () => {
    const [app] = explain({ operatorVersion: one('StatefulSet'), instance, live: [] }, change);
    expect(app).toMatchObject({ restarts: false, reason: 'none', sentence: 'StatefulSet app is created' });
  });

  it('with OnDelete keeps its pods until somebody deletes them', () => {
    const version = one('DaemonSet', '  updateStrategy: { type: OnDelete }\n');
    expect(explained(version, change).app).toMatchObject({ restarts: false, reason: 'template-changed' });
    expect(explained(version, change).app?.sentence).toMatch(
      /^pods of app keep running until they are deleted, and then/,
    );
  });

  it('of kind Job is never restarted, and cannot be changed', () => {
    const job = (text: string) => ({
      ...one('Job'),
      spec: {
        ...one('Job').spec,
        templates: { 'app.yaml': text.replace('apps/v1', 'batch/v1').replace('StatefulSet', 'Job') },
      },
    });
    const changing = job(statefulSet({ name: 'app', args: '{{ .Params.A }}' }));
    expect(explained(changing, change).app).toMatchObject({ restarts: false, reason: 'template-changed' });
    expect(explained(changing, change).app?.sentence).toMatch(
      /^Job app cannot be changed and has to be deleted first, because A/,
    );
    const steady = job(statefulSet({ name: 'app' }));
    expect(explained(steady, change).app).toMatchObject({ restarts: false });
    expect(explained(steady, change).app?.sentence).toBe('pods of app keep running: a Job is never restarted');
  });

  it('that a toggle takes away is deleted', () => {
    const version = versionOf({
      templates: { 'app.yaml': statefulSet({ name: 'app' }) },
      tasks: [{ name: 'all', kind: 'Toggle', spec: { resources: ['app.yaml'], parameter: 'ON' } }],
      parameters: [{ name: 'ON', default: 'true', 'value-type': 'boolean' }],
    });
    expect(explained(version, set('ON', 'true', 'false')).app?.sentence).toBe('StatefulSet app is deleted');
    expect(explained(version, set('ON', 'false', 't')).app?.restarts).toBe(true);
  });
});

describe('what pods use', () => {
  const secret = `apiVersion: v1
kind: Secret
metadata: { name: credentials }
stringData:
  password: "{{ .Params.PASSWORD }}"
  hint: "{{ .Params.HINT }}"
`;
  const env = '{ name: P, valueFrom: { secretKeyRef: { name: credentials, key: password } } }';
  const version = versionOf({
    templates: { 'secret.yaml': secret, 'app.yaml': statefulSet({ name: 'app', env }) },
    parameters: [
      { name: 'PASSWORD', default: 'hunter2' },
      { name: 'HINT', default: 'game' },
    ],
    restartPolicy: 'onDependencyChange',
  });

  it('by a variable counts, and no value of a Secret is ever told', () => {
    const reasons = explain({ operatorVersion: version, instance }, set('PASSWORD', 'hunter2', 'correct horse'));
    expect(reasons[0]).toMatchObject({
      restarts: true,
      sentence: 'pods of app restart because PASSWORD changed password in Secret credentials',
    });
    expect(JSON.stringify(reasons)).not.toMatch(/hunter2|correct horse/);
  });

  it('counts only with the key that the variable names', () => {
    expect(explained(version, set('HINT', 'game', 'other')).app?.restarts).toBe(false);
  });

  it('does not count if it asks not to be counted', () => {
    const skipped = secret.replace(
      'name: credentials',
      'name: credentials, annotations: { kudo.dev/skip-hash-calculation: "true" }',
    );
    const templates = { ...version.spec.templates, 'secret.yaml': skipped };
    const quiet = { ...version, spec: { ...version.spec, templates } };
    expect(explained(quiet, set('PASSWORD', 'a', 'b')).app?.restarts).toBe(false);
  });
});
