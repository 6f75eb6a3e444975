import { describe, expect, it } from 'vitest';
import type { Any } from './api.ts';
import { configMap, deployment } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();

const at = (name: string, manager: string, more = ''): string =>
  `${server().core('configmaps', name)}?fieldManager=${manager}${more}`;

const managers = (object: Any): Record<string, Any> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map((entry: Any) => [
      `${entry.manager}:${entry.operation}${entry.subresource ? `:${entry.subresource}` : ''}`,
      entry.fieldsV1,
    ]),
  );

describe('server-side apply', () => {
  it('creates what is not there, and says who owns what', async () => {
    const { api } = server();
    const answer = await api.apply(at('made', 'alice'), configMap('made', { a: '1' }));
    expect(answer.status).toBe(201);
    expect(answer.body.metadata.managedFields).toEqual([
      {
        manager: 'alice',
        operation: 'Apply',
        apiVersion: 'v1',
        time: expect.stringMatching(/Z$/),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ]);
  });

  it('is idempotent: the same again changes neither version nor times', async () => {
    const { api } = server();
    const first = await api.apply(at('again', 'alice'), configMap('again', { a: '1' }));
    const second = await api.apply(at('again', 'alice'), configMap('again', { a: '1' }));
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('removes what the applier owned alone and no longer mentions', async () => {
    const { api } = server();
    await api.apply(at('shrunk', 'alice'), configMap('shrunk', { a: '1', b: '2' }));
    const answer = await api.apply(at('shrunk', 'alice'), configMap('shrunk', { a: '1' }));
    expect(answer.body.data).toEqual({ a: '1' });
  });

  it('keeps what another applier owns too', async () => {
    const { api } = server();
    await api.apply(at('shared', 'alice'), configMap('shared', { a: '1', b: '2' }));
    const both = await api.apply(at('shared', 'bob'), configMap('shared', { b: '2' }));
    expect(managers(both.body)).toEqual({
      'alice:Apply': { 'f:data': { 'f:a': {}, 'f:b': {} } },
      'bob:Apply': { 'f:data': { 'f:b': {} } },
    });
    const answer = await api.apply(at('shared', 'alice'), configMap('shared', { a: '1' }));
    expect(answer.body.data).toEqual({ a: '1', b: '2' });
  });

  it('refuses to take over, naming the field and its owner', async () => {
    const { api } = server();
    await api.apply(at('fought', 'alice'), configMap('fought', { a: '1', b: '2' }));
    const answer = await api.apply(at('fought', 'bob'), configMap('fought', { a: 'x' }));
    expect(answer.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "alice": .data.a',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.a' }] },
    });
    const two = await api.apply(at('fought', 'bob'), configMap('fought', { a: 'x', b: 'y' }));
    expect(two.body.message).toBe('Apply failed with 2 conflicts: conflicts with "alice":\n- .data.a\n- .data.b');
  });

  it('takes over when forced', async () => {
    const { api } = server();
    await api.apply(at('forced', 'alice'), configMap('forced', { a: '1', b: '2' }));
    const answer = await api.apply(at('forced', 'bob', '&force=true'), configMap('forced', { a: 'x' }));
    expect(answer.body.data).toEqual({ a: 'x', b: '2' });
    expect(managers(answer.body)).toEqual({
      'alice:Apply': { 'f:data': { 'f:b': {} } },
      'bob:Apply': { 'f:data': { 'f:a': {} } },
    });
  });

  it('gives a field to whoever updates it, and conflicts with that one then', async () => {
    const { api, core } = server();
    await api.apply(at('updated', 'alice'), configMap('updated', { a: '1', b: '2' }));
    const updated = await api.call(
      'PATCH',
      at('updated', 'carol'),
      { data: { a: '9' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(managers(updated.body)).toEqual({
      'alice:Apply': { 'f:data': { 'f:b': {} } },
      'carol:Update': { 'f:data': { 'f:a': {} } },
    });
    const answer = await api.apply(at('updated', 'alice'), configMap('updated', { a: '1', b: '2' }));
    expect(answer.body.code).toBe(409);
    expect(answer.body.message).toMatch(/^Apply failed with 1 conflict: conflict with "carol" using v1: \.data\.a$/);
    expect((await api.get(core('configmaps', 'updated'))).body.data).toEqual({ a: '9', b: '2' });
  });

  it('tracks a create by the user agent when no manager is named', async () => {
    const { api, core } = server();
    const made = await api.post(core('configmaps'), configMap('agent', { a: '1' }), {
      'user-agent': 'tester/v1.0 (linux)',
    });
    expect(managers(made.body)).toEqual({ 'tester:Update': { 'f:data': { '.': {}, 'f:a': {} } } });
  });

  it('merges lists by key and owns each element', async () => {
    const { api, group } = server();
    const path = (manager: string): string => `${group('apps/v1', 'deployments', 'listed')}?fieldManager=${manager}`;
    await api.apply(path('alice'), deployment('listed', { paused: true, replicas: 0 }));
    const answer = await api.apply(path('bob'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'listed' },
      spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox' }] } } },
    });
    expect(answer.body.spec.template.spec.containers.map((one: Any) => one.name)).toEqual(['main', 'side']);
    const owned = managers(answer.body)['bob:Apply'];
    expect(owned['f:spec']['f:template']['f:spec']['f:containers']).toEqual({
      'k:{"name":"side"}': { '.': {}, 'f:image': {}, 'f:name': {} },
    });
    const gone = await api.apply(path('bob'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'listed' },
    });
    expect(gone.body.spec.template.spec.containers.map((one: Any) => one.name)).toEqual(['main']);
  });

  it('keeps status and main apart in managed fields', async () => {
    const { api, group } = server();
    await api.apply(
      `${group('apps/v1', 'deployments', 'told')}?fieldManager=alice`,
      deployment('told', { paused: true, replicas: 0 }),
    );
    const answer = await api.apply(`${group('apps/v1', 'deployments', 'told', 'status')}?fieldManager=alice`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'told' },
      status: { collisionCount: 2 },
    });
    expect(answer.body.status.collisionCount).toBe(2);
    expect(managers(answer.body)['alice:Apply:status']).toEqual({ 'f:status': { 'f:collisionCount': {} } });
  });

  it('takes YAML', async () => {
    const { api } = server();
    const answer = await api.apply(
      at('yaml', 'alice'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n',
    );
    expect(answer.body.data).toEqual({ a: '1' });
  });

  it.each([
    [
      'no manager',
      (): string => server().core('configmaps', 'refused'),
      {},
      422,
      'fieldManager: Required value: is required for apply patch',
    ],
    [
      'managed fields in the body',
      () => at('refused', 'a'),
      {
        metadata: {
          name: 'refused',
          managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
        },
      },
      400,
      'metadata.managedFields must be nil',
    ],
    ['another name in the body', () => at('refused', 'a'), { metadata: { name: 'other' } }, 400, 'does not match'],
    ['no kind', () => at('refused', 'a'), { kind: undefined }, 400, ''],
  ])('refuses %s', async (_, path, change, code, message) => {
    const { api } = server();
    const answer = await api.apply(path(), { ...configMap('refused', { a: '1' }), ...change });
    expect(answer.body.code).toBe(code);
    expect(answer.body.message).toContain(message);
  });

  it('drops managed fields when told to', async () => {
    const { api, core } = server();
    await api.apply(at('forgotten', 'alice'), configMap('forgotten', { a: '1' }));
    const answer = await api.merge(core('configmaps', 'forgotten'), { metadata: { managedFields: [{}] } });
    expect(answer.body.metadata.managedFields).toBeUndefined();
  });

  it('treats a stale resource version as a conflict, even when forced', async () => {
    const { api } = server();
    await api.apply(at('stale', 'alice'), configMap('stale', { a: '1' }));
    const object = configMap('stale', { a: '2' }, { resourceVersion: '1' });
    expect((await api.apply(at('stale', 'alice', '&force=true'), object)).body).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
  });

  it('creates what is not there whatever version is named, and so can be kept from changing what is', async () => {
    const { api } = server();
    const object = (value: string): Any => configMap('fenced', { a: value }, { resourceVersion: '1' });
    expect((await api.apply(at('fenced', 'alice', '&force=true'), object('1'))).status).toBe(201);
    const late = await api.apply(at('fenced', 'alice', '&force=true'), object('2'));
    expect(late.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await api.get(server().core('configmaps', 'fenced'))).body.data).toEqual({ a: '1' });
  });

  it('strict field validation refuses unknown fields', async () => {
    const { api } = server();
    const answer = await api.apply(at('unknown', 'alice', '&fieldValidation=Strict'), {
      ...configMap('unknown'),
      dota: {},
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.message).toContain('dota');
  });
});
