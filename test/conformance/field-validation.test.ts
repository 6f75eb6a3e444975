import { describe, expect, it } from 'vitest';
import { configMap, deployment } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const json = { 'content-type': 'application/json' };
const twice = (name: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"a":"1","a":"2"}}`;

describe('field validation', () => {
  it('refuses unknown fields when strict, naming each', async () => {
    const { api, group } = server();
    const object = deployment('strict', { repliccas: 3 });
    object.spec.template.spec.containers[0] = { ...object.spec.template.spec.containers[0], imag: 'x' };
    const answer = await api.post(`${group('apps/v1', 'deployments')}?fieldValidation=Strict`, object);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toBe(
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].imag", unknown field "spec.repliccas"',
    );
  });

  it('warns by default and drops the field', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), { ...configMap('warned'), dota: { a: 'b' } });
    expect(answer.status).toBe(201);
    expect(answer.headers.warning).toBe('299 - "unknown field \\"dota\\""');
    expect(answer.body.dota).toBeUndefined();
  });

  it('says nothing when told to ignore', async () => {
    const { api, core } = server();
    const answer = await api.post(`${core('configmaps')}?fieldValidation=Ignore`, {
      ...configMap('ignored'),
      dota: {},
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.warning).toBeUndefined();
  });

  it('sees duplicate fields', async () => {
    const { api, core } = server();
    const strict = await api.post(`${core('configmaps')}?fieldValidation=Strict`, twice('dup-1'), json);
    expect(strict.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(strict.body.message).toContain('strict decoding error: duplicate field "data.a"');
    const lax = await api.post(core('configmaps'), twice('dup-2'), json);
    expect(lax.headers.warning).toBe('299 - "duplicate field \\"data.a\\""');
    expect(lax.body.data).toEqual({ a: '2' });
  });

  it('is strict about patches too', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('patched'));
    const answer = await api.merge(`${core('configmaps', 'patched')}?fieldValidation=Strict`, { dota: 1 });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain('unknown field "dota"');
  });

  it('refuses a wrong type whatever the level', async () => {
    const { api, group } = server();
    const answer = await api.post(
      `${group('apps/v1', 'deployments')}?fieldValidation=Ignore`,
      deployment('typed', { replicas: 'two' }),
    );
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toContain(
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    );
  });

  it('refuses another level', async () => {
    const { api, core } = server();
    const answer = await api.post(`${core('configmaps')}?fieldValidation=Loose`, configMap('loose'));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(
      'fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    );
  });
});
