import { describe, expect, it } from 'vitest';
import { configMap, pod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const json = { 'content-type': 'application/json' };

describe('bad input', () => {
  it.each([
    ['nothing at all', ''],
    ['half a document', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"half"'],
    ['not JSON', 'apiVersion = v1'],
    ['a list', '[]'],
    ['a number', '7'],
    ['bare text in a string field', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":7}}'],
    ['a list where a map belongs', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":[]}'],
  ])('%s is a bad request', async (_, body) => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), body, json);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 400, reason: 'BadRequest' });
  });

  it('a body without a kind is of the kind that belongs there', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), { metadata: { name: 'kindless' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it.each([
    [{ renewTime: '2026-01-01T00:00:00Z' }, /^Lease in version "v1" .*parsing time .*cannot parse "Z" as "\.000000"$/],
    [{ acquireTime: 'yesterday' }, /cannot parse "yesterday" as "2006"$/],
    [{ renewTime: '2026-02-30T00:00:00.000000Z' }, /parsing time "2026-02-30T00:00:00\.000000Z": day out of range$/],
    [{ leaseDurationSeconds: 3_000_000_000 }, /cannot unmarshal number 3000000000 into .* of type int32$/],
    [{ holderIdentity: ['me'] }, /cannot unmarshal array into .*LeaseSpec\.spec\.holderIdentity of type string$/],
  ])('%j is no lease', async (spec, message) => {
    const { api, group } = server();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'bad' }, spec };
    const answer = await api.post(group('coordination.k8s.io/v1', 'leases'), lease);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest', message: expect.stringMatching(message) });
  });

  it('a time in another zone is told in UTC', async () => {
    const { api, group } = server();
    const spec = { renewTime: '2026-01-01T01:00:00.000001+02:00' };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'zoned' }, spec };
    const made = await api.must('POST', group('coordination.k8s.io/v1', 'leases'), lease);
    expect(made.spec.renewTime).toBe('2025-12-31T23:00:00.000001Z');
  });

  it.each([
    [{ data: { a: 'not base64' } }, /illegal base64 data at input byte 3$/],
    [{ data: { a: 7 } }, /cannot unmarshal number into Go struct field Secret\.data of type \[\]uint8$/],
  ])('%j is no secret', async (fields, message) => {
    const { api, core } = server();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bad' }, ...fields };
    const answer = await api.post(core('secrets'), secret);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest', message: expect.stringMatching(message) });
  });

  it('a quantity that is none is refused before anything else is looked at', async () => {
    const { api, core } = server();
    const answer = await api.post(
      core('pods'),
      pod('much', { containers: [{ resources: { limits: { cpu: 'much' } } }] }),
    );
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toMatch(/quantities must match the regular expression/);
  });

  it('too large a body is refused as such', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), configMap('large', { a: 'x'.repeat(3_200_000) }));
    expect(answer.body).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    expect(answer.body.message).toMatch(/^Request entity too large: limit is \d+$/);
  });

  it('a config map over one mebibyte is refused as invalid', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), configMap('big', { a: 'x'.repeat(1_100_000) }));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('Too long: may not be more than 1048576 bytes');
  });

  it('deep nesting is refused and harms nothing', async () => {
    const { api, core } = server();
    const deep = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep","annotations":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const answer = await api.post(core('configmaps'), deep, json);
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await api.get(core('configmaps'))).status).toBe(200);
  });

  it('keys that JavaScript treats specially are just keys', async () => {
    const { api, core } = server();
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto"},"data":{"__proto__":"a","constructor":"b"}}';
    const made = await api.post(core('configmaps'), body, json);
    expect(made.status).toBe(201);
    const read = await api.get(core('configmaps', 'proto'));
    expect(Object.entries(read.body.data).sort()).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('an unknown content type is refused', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), 'x', { 'content-type': 'application/x-thing' });
    expect(answer.body).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
  });

  it('an answer nobody can make is refused', async () => {
    const { api, core } = server();
    const answer = await api.get(core('configmaps'), { accept: 'text/html' });
    expect(answer.status).toBe(406);
  });

  it('YAML is taken like JSON', async () => {
    const { api, core } = server();
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n';
    expect((await api.post(core('configmaps'), body, { 'content-type': 'application/yaml' })).body.data).toEqual({
      a: '1',
    });
    const broken = await api.post(core('configmaps'), 'a: [', { 'content-type': 'application/yaml' });
    expect(broken.body).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it.each([
    ['/api/v1/nothings'],
    ['/apis/none.invalid/v1/things'],
    ['/apis/apps/v9/deployments'],
    ['/api/v1/namespaces/default/pods/x/nothing'],
    ['/nowhere'],
  ])('%s is not found', async (path) => {
    const { api } = server();
    expect((await api.get(path)).status).toBe(404);
  });

  it('a verb that a resource does not have is refused', async () => {
    const { api, core } = server();
    expect((await api.put(core('configmaps'), configMap('x'))).body).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
    });
    expect((await api.post(core('configmaps', 'x'), configMap('x'))).body).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
    });
  });

  it.each([
    [{ metadata: { name: 'Upper' } }, 'metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain'],
    [{ metadata: {} }, 'name or generateName is required'],
    [
      { metadata: { name: 'l', labels: { 'a b': 'c' } } },
      'metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters',
    ],
    [{ metadata: { name: 'l', labels: { a: 'x'.repeat(64) } } }, 'must be no more than 63'],
    [{ metadata: { name: 'l', annotations: { '/': 'c' } } }, 'metadata.annotations'],
    [
      { metadata: { name: 'k' }, data: { 'a/b': 'c' } },
      'data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters',
    ],
  ])('%j is invalid', async (change, message) => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', ...change });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(message);
  });
});
