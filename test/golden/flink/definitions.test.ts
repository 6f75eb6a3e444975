import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type Any, eventually } from '../../conformance/api.ts';
import { conformance } from '../../conformance/server.ts';
import { goldenCases } from './load.ts';

const server = conformance();
const definitions = join(import.meta.dirname, '../../../crds');
const examples = join(import.meta.dirname, 'examples');
const strictly = '?fieldValidation=Strict';

/** The limit of the annotation in which `kubectl apply` keeps what it applied. */
const longestAnnotation = 262_144;

beforeAll(async () => {
  const { api } = server();
  for (const file of readdirSync(definitions).filter((name) => name.startsWith('flink'))) {
    const definition = parse(readFileSync(join(definitions, file), 'utf8'));
    expect(JSON.stringify(definition).length).toBeLessThan(longestAnnotation);
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`;
    const applied = await api.apply(`${path}${strictly}&fieldManager=test&force=true`, definition);
    expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300);
  }
  await eventually(async () => {
    for (const plural of ['flinkdeployments', 'flinksessionjobs', 'flinkstatesnapshots', 'flinkbluegreendeployments']) {
      expect((await api.get(server().group('flink.apache.org/v1beta1', plural))).status).toBe(200);
    }
  });
});

function path(kind: string, ...rest: string[]): string {
  return server().group('flink.apache.org/v1beta1', `${kind.toLowerCase()}s`, ...rest);
}

async function create(object: AnyObject, name: string): Promise<Any> {
  const { namespace } = server();
  const metadata = { ...object.metadata, name, namespace };
  return server().api.must('POST', path(object.kind) + strictly, { ...object, metadata });
}

describe('what users of the upstream write', () => {
  it.each(readdirSync(examples))('%s comes back as it was applied', async (file) => {
    for (const document of parseAllDocuments(readFileSync(join(examples, file), 'utf8'))) {
      const object = document.toJS() as AnyObject;
      const created = await create(object, String(object.metadata.name));
      expect(created.spec).toEqual(object.spec);
    }
  });

  it('comes back as it was applied, in every recording', async () => {
    for (const { name, input } of goldenCases()) {
      expect((await create(input, name)).spec, name).toEqual(input.spec);
    }
  });

  it('can be edited as it was in every recording', async () => {
    const { api } = server();
    for (const { name, input, edits } of goldenCases()) {
      for (const { name: edit, patch, after } of edits) {
        const { metadata: _, ...rest } = patch as Record<string, unknown>;
        const patched = await api.merge(path(input.kind, name) + strictly, rest);
        expect(patched.status, `${name} ${edit}: ${JSON.stringify(patched.body)}`).toBe(200);
        expect(patched.body.spec, `${name} ${edit}`).toEqual(after.spec);
      }
    }
  });
});

describe('what the Java operator wrote', () => {
  it('is a status that comes back as it was, in every recording', async () => {
    const { api } = server();
    for (const { name, input, status, edits } of goldenCases()) {
      const last = timed(edits.at(-1)?.status ?? status);
      const patched = await api.merge(`${path(input.kind, name)}/status${strictly}`, { status: last });
      expect(patched.status, `${name}: ${JSON.stringify(patched.body)}`).toBe(200);
      expect(patched.body.status ?? {}, name).toEqual(last);
    }
  });
});

describe('the definition of a job', () => {
  const base = { apiVersion: 'flink.apache.org/v1beta1', metadata: {} };

  it('refuses a change of both redeploy nonces in one update, and says the way out', async () => {
    const { api } = server();
    const job = { savepointRedeployNonce: 1, statelessRedeployNonce: 1 };
    for (const kind of ['FlinkDeployment', 'FlinkSessionJob']) {
      await create({ ...base, kind, spec: { job } }, 'both');
      const edit = (change: object) => api.merge(path(kind, 'both'), { spec: { job: change } });

      const refused = await edit({ savepointRedeployNonce: 2, statelessRedeployNonce: 3 });
      expect(refused.status).toBe(422);
      expect(refused.body.message).toContain('spec.job: Invalid value');
      expect(refused.body.message).toContain(
        'savepointRedeployNonce (now 2) and statelessRedeployNonce (now 3) must not change in one update',
      );
      expect(refused.body.message).toContain('Change only the one you mean');

      expect((await edit({ savepointRedeployNonce: 2 })).status).toBe(200);
      expect((await edit({ statelessRedeployNonce: 2 })).status).toBe(200);
      expect((await edit({ savepointRedeployNonce: null, statelessRedeployNonce: 3 })).status).toBe(200);
      expect((await edit({ savepointRedeployNonce: 4, statelessRedeployNonce: 4 })).status).toBe(422);
      expect((await edit({ savepointRedeployNonce: null, statelessRedeployNonce: null })).status).toBe(200);
    }
  });

  it('is asked for in a blue/green deployment', async () => {
    const { api } = server();
    const refused = async (spec: object) => {
      const object = { ...base, kind: 'FlinkBlueGreenDeployment', metadata: { name: 'odd' }, spec };
      const answer = await api.post(path(object.kind) + strictly, object);
      expect(answer.status).toBe(422);
      expect(answer.body.message).toContain('template.spec.job is absent: write what to run');
    };
    await refused({});
    await refused({ template: {} });
    await refused({ template: { spec: { image: 'flink:1.20' } } });
  });

  it('is guarded in the template of a blue/green deployment as in a FlinkDeployment', async () => {
    const { api } = server();
    const kind = 'FlinkBlueGreenDeployment';
    await create({ ...base, kind, spec: { template: { spec: { job: { savepointRedeployNonce: 1 } } } } }, 'guarded');
    const edit = (job: object) => api.merge(path(kind, 'guarded'), { spec: { template: { spec: { job } } } });

    const both = await edit({ savepointRedeployNonce: 2, statelessRedeployNonce: 3, initialSavepointPath: 's3://a' });
    expect(both.status).toBe(422);
    expect(both.body.message).toContain('spec.template.spec.job: Invalid value');
    expect(both.body.message).toContain('savepointRedeployNonce (now 2) and statelessRedeployNonce (now 3)');

    for (const path of [{}, { initialSavepointPath: '' }]) {
      const pathless = await edit({ savepointRedeployNonce: 2, ...path });
      expect(pathless.status).toBe(422);
      expect(pathless.body.message).toContain('spec.template.spec.job.initialSavepointPath: Invalid value');
      expect(pathless.body.message).toContain('write the savepoint to start from there');
    }

    expect((await edit({ savepointRedeployNonce: 2, initialSavepointPath: 's3://a' })).status).toBe(200);
    expect((await edit({ statelessRedeployNonce: 1, initialSavepointPath: null })).status).toBe(200);
    expect((await edit({ savepointRedeployNonce: null, parallelism: 4 })).status).toBe(200);
  });

  it.each([{}, { savepoint: {}, checkpoint: {} }])('refuses a snapshot that is not exactly one: %j', async (kinds) => {
    const object = { ...base, kind: 'FlinkStateSnapshot', metadata: { name: 'odd' }, spec: kinds };
    const refused = await server().api.post(path('FlinkStateSnapshot') + strictly, object);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('exactly one of savepoint and checkpoint');
  });

  it('refuses a number as the value of a variable, where it is written', async () => {
    const podTemplate = { spec: { containers: [{ name: 'a', env: [{ name: 'B', value: 1 }] }] } };
    const object = { ...base, kind: 'FlinkDeployment', metadata: { name: 'odd' }, spec: { podTemplate } };
    const refused = await server().api.post(path('FlinkDeployment'), object);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('spec.podTemplate.spec.containers[0].env[0].value');
  });

  it('scales the TaskManagers of a deployment', async () => {
    const { api } = server();
    await create({ ...base, kind: 'FlinkDeployment', spec: { taskManager: { replicas: 2 } } }, 'scaled');
    const scale = `${path('FlinkDeployment', 'scaled')}/scale`;
    expect((await api.must('GET', scale)).spec).toEqual({ replicas: 2 });
    expect((await api.merge(scale, { spec: { replicas: 5 } })).status).toBe(200);
    expect((await api.must('GET', path('FlinkDeployment', 'scaled'))).spec.taskManager.replicas).toBe(5);
  });

  it('has the short names and columns that people know', async () => {
    const { api } = server();
    const { resources } = await api.must('GET', '/apis/flink.apache.org/v1beta1');
    const names = resources.flatMap((one: Any) => one.shortNames ?? []);
    expect(names.sort()).toEqual(['flinkbgdep', 'flinkdep', 'flinksnp', 'sessionjob']);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await api.must('GET', path('FlinkDeployment'), undefined, { accept });
    expect(table.columnDefinitions.map(({ name }: Any) => name)).toEqual(['Name', 'Job Status', 'Lifecycle State']);
    const sides = await api.must('GET', path('FlinkBlueGreenDeployment'), undefined, { accept });
    expect(sides.columnDefinitions.map(({ name }: Any) => name)).toEqual([
      'Name',
      'Job Status',
      'State',
      'Serving',
      'Cause',
    ]);
  });
});

/** Times that are texts: those of a blue/green deployment. */
const inText = new Set(['abortTimestamp', 'lastReconciledTimestamp', 'deploymentReadyTimestamp']);

/** A recorded status with a time where the recording has a placeholder and the schema wants one. */
function timed(status: unknown): Any {
  const times = /"(\w*[tT]imestamp|timeStamp)":"<timestamp>"/g;
  const time = (name: string) => (inText.has(name) ? '"2023-11-14T22:13:20Z"' : '1700000000000');
  return JSON.parse(JSON.stringify(status).replace(times, (_, name: string) => `"${name}":${time(name)}`));
}
