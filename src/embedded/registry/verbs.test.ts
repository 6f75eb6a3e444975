import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { configMap, type Reply, TestServer } from './test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(async () => {
  expect(server.troubles).toEqual([]);
  await server.close();
});

describe('create', () => {
  it('gives identity, time and revision, whatever the client claims', async () => {
    const { status, body } = await server.ask(
      'POST',
      maps,
      configMap('a', { x: '1' }, { uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z', selfLink: '/x' }),
    );
    expect(status).toBe(201);
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.metadata).toMatchObject({ creationTimestamp: '2030-01-01T00:00:00Z', namespace: 'default' });
    expect(body.metadata.selfLink).toBeUndefined();
  });

  it('tries another generated name when one is taken, and gives up when all are', async () => {
    const loaded: number[] = [];
    const base = seededRandom(1);
    const unlucky = await TestServer.start({ ...base, next: () => loaded.shift() ?? base.next(), uuid: base.uuid });
    const generate = async (collisions: number): Promise<Reply> => {
      loaded.push(...Array<number>(5 * (collisions + 1)).fill(0));
      const reply = await unlucky.ask('POST', maps, { metadata: { generateName: 'pre-' } });
      loaded.length = 0;
      return reply;
    };
    const [first, second, third] = [await generate(0), await generate(0), await generate(20)];
    expect(first.body.metadata.name).toMatch(/^pre-(.)\1{4}$/);
    expect(second.status).toBe(201);
    expect(second.body.metadata.name).not.toBe(first.body.metadata.name);
    expect(third.body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    await unlucky.close();
  });

  it('lets racing requests use a quota up once', async () => {
    await server.ask('POST', '/api/v1/namespaces/default/resourcequotas', {
      metadata: { name: 'few' },
      spec: { hard: { configmaps: '3' } },
    });
    const { body } = await server.ask('GET', maps);
    const racing = ['a', 'b', 'c', 'd', 'e'].map((name) => server.ask('POST', maps, configMap(name)));
    const made = (await Promise.all(racing)).filter(({ status }) => status === 201);
    expect(body.items.length + made.length).toBe(3);
  });

  it('gives a port and an address to one of racing Services', async () => {
    const service = (name: string, spec: object): object => ({
      metadata: { name },
      spec: { type: 'NodePort', ...spec, ports: [{ port: 80, nodePort: 30080 }] },
    });
    const path = '/api/v1/namespaces/default/services';
    const racing = ['a', 'b', 'c'].map((name) => server.ask('POST', path, service(name, {})));
    const [won, ...lost] = (await Promise.all(racing)).sort((a, b) => a.status - b.status);
    expect(won?.status).toBe(201);
    expect(lost.map(({ body }) => body.message.replace(/"\w"/, 'NAME'))).toEqual(
      Array(2).fill(
        'Service NAME is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
      ),
    );
  });

  it('says that a name is taken, and by something that is going', async () => {
    await server.ask('POST', maps, configMap('a', {}, { finalizers: ['x.io/hold'] }));
    expect((await server.ask('POST', maps, configMap('a'))).body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    await server.ask('DELETE', `${maps}/a`);
    expect((await server.ask('POST', maps, configMap('a'))).body.message).toBe(
      'object is being deleted: configmaps "a" already exists',
    );
  });

  it('warns of unknown and repeated fields, refuses them when strict, and stores neither', async () => {
    const text = '{"metadata":{"name":"w","odd":1},"data":{"a":"1","a":"2"}}';
    const { status, headers, body } = await server.ask('POST', maps, text);
    expect(status).toBe(201);
    expect(headers.warning).toBe('299 - "unknown field \\"metadata.odd\\"", 299 - "duplicate field \\"data.a\\""');
    expect(body).toMatchObject({ data: { a: '2' } });
    expect(body.metadata.odd).toBeUndefined();
    const strict = await server.ask('POST', `${maps}?fieldValidation=Strict`, text.replace('"w"', '"s"'));
    expect(strict.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await server.ask('GET', `${maps}/s`)).status).toBe(404);
  });

  it('leaves nothing behind on a dry run', async () => {
    const before = (await server.ask('GET', maps)).body.metadata.resourceVersion;
    expect((await server.ask('POST', `${maps}?dryRun=All`, configMap('dry'))).status).toBe(201);
    expect((await server.ask('GET', maps)).body.metadata.resourceVersion).toBe(before);
    expect((await server.ask('GET', `${maps}/dry`)).status).toBe(404);
  });
});

describe('update', () => {
  it('refuses a stale version and takes one without a version as made from the present', async () => {
    const { body } = await server.ask('POST', maps, configMap('a'));
    await server.ask('PUT', `${maps}/a`, configMap('a', { x: '1' }));
    const stale = await server.ask(
      'PUT',
      `${maps}/a`,
      configMap('a', {}, { resourceVersion: body.metadata.resourceVersion }),
    );
    expect(stale.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  it('writes nothing when nothing changed', async () => {
    const first = (await server.ask('POST', maps, configMap('a', { x: '1' }))).body;
    await server.clock.advance(5000);
    const again = (await server.ask('PUT', `${maps}/a`, configMap('a', { x: '1' }))).body;
    const patched = (await server.merge(`${maps}/a`, { data: { x: '1' } })).body;
    expect(again).toEqual(first);
    expect(patched).toEqual(first);
  });

  it('creates what is not there where that is the custom, under the name of the path only', async () => {
    const path = '/api/v1/namespaces/default/services/web';
    const service = (name: string): object => ({ metadata: { name }, spec: { clusterIP: 'None' } });
    expect((await server.ask('PUT', path, service('other'))).body).toMatchObject({
      code: 400,
      message: 'the name of the object (other) does not match the name on the URL (web)',
    });
    expect((await server.ask('PUT', path, service('web'))).status).toBe(201);
  });

  it('never makes half of two racing writes', async () => {
    await server.ask('POST', maps, configMap('a', { n: '0' }));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => server.merge(`${maps}/a`, { data: { [`k${i}`]: 'v' } })),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const { data } = (await server.ask('GET', `${maps}/a`)).body;
    expect(Object.keys(data)).toHaveLength(21);
  });

  it('counts a generation for a changed spec, not for metadata or status', async () => {
    const sets = '/apis/apps/v1/namespaces/default/statefulsets';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 0, serviceName: 's', selector: { matchLabels: { a: 'b' } }, template };
    const made = await server.ask('POST', sets, { metadata: { name: 's' }, spec });
    expect(made.body.metadata.generation).toBe(1);
    expect((await server.merge(`${sets}/s`, { metadata: { labels: { l: 'm' } } })).body.metadata.generation).toBe(1);
    expect((await server.merge(`${sets}/s/status`, { status: { replicas: 7 } })).body.metadata.generation).toBe(1);
    expect((await server.merge(`${sets}/s`, { spec: { replicas: 1 } })).body.metadata.generation).toBe(2);
    expect((await server.merge(`${sets}/s/scale`, { spec: { replicas: 2 } })).body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 2 },
    });
    expect((await server.ask('GET', `${sets}/s`)).body.metadata.generation).toBe(3);
  });
});

describe('apply', () => {
  it('creates, shares equal values, and refuses to take another manager’s field', async () => {
    const object = (value: string): object => configMap('a', { x: value });
    expect((await server.apply(`${maps}/a`, 'one', object('1'))).status).toBe(201);
    expect((await server.apply(`${maps}/a`, 'two', object('1'))).status).toBe(200);
    const refused = await server.apply(`${maps}/a`, 'two', object('2'));
    expect(refused.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refused.body.message).toContain('conflict with "one"');
    expect((await server.apply(`${maps}/a`, 'two', object('2'), '&force=true')).body.data).toEqual({ x: '2' });
  });

  it('does not create for someone who may only patch', async () => {
    const user = { name: 'patcher', groups: ['system:authenticated'] };
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }];
    await server.ask('POST', `${rbac}/roles`, { metadata: { name: 'patcher' }, rules });
    await server.ask('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'patcher' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'patcher' },
      subjects: [{ kind: 'User', name: 'patcher', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    const path = `${maps}/a?fieldManager=m`;
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const refused = await server.ask('PATCH', path, configMap('a'), headers, user);
    expect(refused.body).toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: User "patcher" cannot create resource "configmaps" in API group "" in the namespace "default"',
    });
    await server.ask('POST', maps, configMap('a'));
    expect((await server.ask('PATCH', path, configMap('a', { x: '1' }), headers, user)).status).toBe(200);
  });
});

describe('delete', () => {
  it('answers with a Status, keeps what has finalizers, and lets it go with the last', async () => {
    await server.ask('POST', maps, configMap('plain'));
    expect((await server.ask('DELETE', `${maps}/plain`)).body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'plain', kind: 'configmaps' },
    });
    await server.ask('POST', maps, configMap('held', {}, { finalizers: ['x.io/a', 'x.io/b'] }));
    const marked = (await server.ask('DELETE', `${maps}/held`)).body;
    expect(marked.metadata).toMatchObject({ deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 });
    await server.merge(`${maps}/held`, { metadata: { finalizers: ['x.io/b'] } });
    expect((await server.ask('GET', `${maps}/held`)).status).toBe(200);
    await server.merge(`${maps}/held`, { metadata: { finalizers: null } });
    expect((await server.ask('GET', `${maps}/held`)).status).toBe(404);
  });

  it.each([
    ['Orphan', ['orphan']],
    ['Foreground', ['foregroundDeletion']],
  ])('tells the garbage collector by a finalizer: %s', async (propagationPolicy, finalizers) => {
    await server.ask('POST', maps, configMap('a', {}, { finalizers: ['x.io/hold'] }));
    const { body } = await server.ask('DELETE', `${maps}/a`, { propagationPolicy });
    expect(body.metadata.finalizers).toEqual(['x.io/hold', ...finalizers]);
  });

  it('refuses when it is not the object that was meant', async () => {
    await server.ask('POST', maps, configMap('a'));
    const wrong = await server.ask('DELETE', `${maps}/a`, { preconditions: { uid: 'other' } });
    expect(wrong.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await server.ask('GET', `${maps}/a`)).status).toBe(200);
  });

  it('deletes a collection by selector', async () => {
    await server.ask('POST', maps, configMap('a', {}, { labels: { kill: 'yes' } }));
    await server.ask('POST', maps, configMap('b'));
    const { body } = await server.ask('DELETE', `${maps}?labelSelector=kill=yes`);
    expect(body.items.map((one: { metadata: { name: string } }) => one.metadata.name)).toEqual(['a']);
    expect((await server.ask('GET', `${maps}/b`)).status).toBe(200);
  });
});

describe('events of both groups', () => {
  it('are the same objects in two shapes', async () => {
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    const core = { metadata: { name: 'e' }, involvedObject, reason: 'R', message: 'hello', type: 'Normal' };
    expect((await server.ask('POST', '/api/v1/namespaces/default/events', core)).status).toBe(201);
    const modern = await server.ask('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e');
    expect(modern.body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: involvedObject,
      note: 'hello',
      reason: 'R',
    });
    expect(modern.body.message).toBeUndefined();
    const list = (await server.ask('GET', '/apis/events.k8s.io/v1/namespaces/default/events')).body;
    expect(list.items[0]).toMatchObject({ note: 'hello' });
  });
});
