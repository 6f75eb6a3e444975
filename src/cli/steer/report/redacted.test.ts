import { describe, expect, it } from 'vitest';
import { redacted, text } from './redacted.ts';

describe('what goes to strangers', () => {
  it('has no data of Secrets, no values of variables, and no setting that calls itself secret', () => {
    const pod = {
      kind: 'Pod',
      metadata: {
        name: 'a',
        managedFields: [{ manager: 'x' }],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"s":"hidden"}', note: 'kept' },
      },
      spec: {
        serviceAccountName: 'kept',
        imagePullSecrets: [{ name: 'registry' }],
        containers: [
          {
            name: 'main',
            env: [
              { name: 'MODE', value: 'hidden' },
              { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'main' } } },
              'hidden',
            ],
            livenessProbe: { httpGet: { httpHeaders: [{ name: 'X-Key', value: 'hidden' }] } },
          },
        ],
      },
      parameters: {
        DB_PASSWORD: 'hidden',
        apiKey: 'hidden',
        'kubernetes.operator.user.artifacts.http.header': 'Authorization: Bearer hidden',
        's3.secret-key': 'hidden',
        NODES: '3',
        secretName: 'kept',
      },
    };
    const shown = JSON.stringify(redacted(pod));
    expect(shown).not.toContain('hidden');
    expect(shown).not.toContain('managedFields');
    for (const word of ['kept', 'registry', 'keys', 'MODE', 'NODES', '"3"']) expect(shown).toContain(word);
    expect(redacted({ kind: 'Secret', data: { token: 'aGlkZGVu' }, stringData: 'hidden' })).toEqual({
      kind: 'Secret',
      data: { token: '(redacted)' },
      stringData: '(redacted)',
    });
  });

  it('has none of it in copies either: of the specification in a status, of what changed, inside of other documents', () => {
    const spec = {
      podTemplate: { spec: { containers: [{ name: 'main', env: [{ name: 'MODE', value: 'hidden' }] }] } },
    };
    const copies = {
      status: { reconciliationStatus: { lastReconciledSpec: JSON.stringify({ spec }), lastStableSpec: '{"broken' } },
      flinkConfiguration: { 'containerized.master.env.MODE': 'hidden', 'x.password.old': 'hidden' },
      changes: [
        { path: 'spec.podTemplate.spec.containers[name=main].env[name=MODE].value', from: 'hidden', to: 'hidden' },
        { path: 'spec.parameters.DB_PASSWORD_OLD', from: 'hidden', to: 'hidden', demands: 'restart' },
        { path: 'spec.environment', from: 'kept' },
      ],
      beside: [{ kind: 'Secret', data: { key: 'hidden' } }],
    };
    const shown = JSON.stringify(redacted(copies));
    expect(shown).not.toContain('hidden');
    for (const word of ['MODE', 'broken', 'restart', 'kept']) expect(shown).toContain(word);
  });

  it('has no passwords in addresses and command lines, and ends', () => {
    expect(text('jdbc:postgres://joe:hidden@db:5432/x password=hidden token: hidden')).toBe(
      'jdbc:postgres://(redacted)@db:5432/x password=(redacted) token: (redacted)',
    );
    expect(text('bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqb2UifQ.c2lnbmF0dXJl')).toBe('bearer (redacted)');
    expect(text('curl -H "Authorization: Bearer hidden-and-long"')).toBe('curl -H "Authorization: Bearer (redacted)"');
    expect(text('x'.repeat(70_000))).toHaveLength(4096 + '… (70000 characters)'.length);
  });

  it('has none of it in what events and log lines tell of a changed specification', () => {
    const note =
      'UPGRADE change(s) detected (Diff: FlinkDeploymentSpec[image : a -> b, ' +
      'podTemplate.spec.containers.0.env.1.value : hidden, or so -> hidden, ' +
      'flinkConfiguration.kubernetes.operator.user.artifacts.http.header : X: hidden -> X: hidden, ' +
      'flinkConfiguration.containerized.master.env.KEY : hidden -> hidden, ' +
      'jobManager : null -> {"podTemplate":{"spec":{"containers":[{"env":[{"name":"KEY","value":"hidden"}]}]}}}, ' +
      'job.parallelism : 1 -> 2]), starting reconciliation.';
    for (const told of [
      { note },
      { note: JSON.stringify({ msg: note }) },
      { note: `event: ${JSON.stringify(note)}` },
    ]) {
      const shown = JSON.stringify(redacted(told));
      expect(shown).not.toContain('hidden');
      for (const word of ['image : a -> b', 'KEY', 'http.header', 'job.parallelism : 1 -> 2', 'starting']) {
        expect(shown).toContain(word);
      }
    }
  });

  it.each(['a \\"hidden', 'a, job.x : hidden -> hidden', 'a}]}}, job.x : hidden', '{hidden'])(
    'has nothing of the value %j of a variable in a changed pod template',
    (value) => {
      const pod = JSON.stringify({ spec: { containers: [{ env: [{ name: 'KEY', value }] }] } });
      const note = `detected (Diff: FlinkDeploymentSpec[image : a -> b, podTemplate : null -> ${pod}, job.parallelism : 1 -> 2])`;
      for (const told of [note, JSON.stringify({ msg: note })]) {
        const shown = JSON.stringify(redacted({ told }));
        expect(shown).not.toContain('hidden');
        expect(shown).toContain('image : a -> b');
      }
    },
  );

  it('takes any depth', () => {
    let deep: unknown = 'hidden';
    for (let level = 0; level < 5000; level++) deep = { a: deep };
    expect(JSON.stringify(redacted(deep))).not.toContain('hidden');
  });
});
