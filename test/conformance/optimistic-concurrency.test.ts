import { describe, expect, it } from 'vitest';
import { configMap } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();

describe('optimistic concurrency', () => {
  it('creates with uid, creation time and resource version, and answers 201', async () => {
    const { api, core } = server();
    const created = await api.post(core('configmaps'), configMap('born'));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'born' } });
    expect(created.body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(created.body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(created.body.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(created.body.metadata.generation).toBeUndefined();
  });

  it('refuses a second object of the same name', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('twin'));
    const second = await api.post(core('configmaps'), configMap('twin'));
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "twin" already exists',
      reason: 'AlreadyExists',
      details: { name: 'twin', kind: 'configmaps' },
      code: 409,
    });
  });

  it('refuses a create that names a resource version', async () => {
    const { api, core } = server();
    const object = { ...configMap('versioned'), metadata: { name: 'versioned', resourceVersion: '1' } };
    const answer = await api.post(core('configmaps'), object);
    expect(answer.body).toMatchObject({
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
  });

  it('refuses an update from a stale read and changes nothing', async () => {
    const { api, core } = server();
    const read = await api.must('POST', core('configmaps'), configMap('stale', { a: '1' }));
    await api.must('PUT', core('configmaps', 'stale'), { ...read, data: { a: '2' } });
    const answer = await api.put(core('configmaps', 'stale'), { ...read, data: { a: '3' } });
    expect(answer.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "stale": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect((await api.get(core('configmaps', 'stale'))).body.data).toEqual({ a: '2' });
  });

  it('takes an update without a resource version as unconditional', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('blind', { a: '1' }));
    const answer = await api.put(core('configmaps', 'blind'), configMap('blind', { a: '2' }));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ a: '2' });
  });

  it('demands the resource version where an unconditional update is not allowed', async () => {
    const { api, group } = server();
    const path = (name?: string): string => group('coordination.k8s.io/v1', 'leases', name);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'held' }, spec: {} };
    await api.must('POST', path(), lease);
    const answer = await api.put(path('held'), lease);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toBe(
      'leases.coordination.k8s.io "held" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  it('keeps the resource version when an update changes nothing', async () => {
    const { api, core } = server();
    const read = await api.must('POST', core('configmaps'), configMap('same', { a: '1' }));
    const again = await api.must('PUT', core('configmaps', 'same'), read);
    expect(again.metadata.resourceVersion).toBe(read.metadata.resourceVersion);
    const patched = await api.merge(core('configmaps', 'same'), { data: { a: '1' } });
    expect(patched.body.metadata.resourceVersion).toBe(read.metadata.resourceVersion);
  });

  it('refuses an update whose uid is another', async () => {
    const { api, core } = server();
    const read = await api.must('POST', core('configmaps'), configMap('other'));
    const uid = '00000000-0000-4000-8000-000000000000';
    const answer = await api.put(core('configmaps', 'other'), { ...read, metadata: { ...read.metadata, uid } });
    expect(answer.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(answer.body.message).toContain(`Precondition failed: UID in precondition: ${uid}`);
  });

  it('honours preconditions of a delete', async () => {
    const { api, core } = server();
    const read = await api.must('POST', core('configmaps'), configMap('guarded'));
    const uid = '00000000-0000-4000-8000-000000000000';
    const wrongUid = await api.delete(core('configmaps', 'guarded'), { preconditions: { uid } });
    expect(wrongUid.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(wrongUid.body.message).toBe(
      `Operation cannot be fulfilled on ConfigMap "guarded": the UID in the precondition (${uid}) does not match the UID in record (${read.metadata.uid}). The object might have been deleted and then recreated`,
    );
    const wrongVersion = await api.delete(core('configmaps', 'guarded'), { preconditions: { resourceVersion: '1' } });
    expect(wrongVersion.body).toMatchObject({ code: 409, reason: 'Conflict' });
    const right = { preconditions: { uid: read.metadata.uid, resourceVersion: read.metadata.resourceVersion } };
    expect((await api.delete(core('configmaps', 'guarded'), right)).body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'guarded', kind: 'configmaps', uid: read.metadata.uid },
    });
  });

  it('refuses what the path and the body do not agree on', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('path'));
    const name = await api.put(core('configmaps', 'path'), configMap('body'));
    expect(name.body).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'the name of the object (body) does not match the name on the URL (path)',
    });
    const object = { ...configMap('elsewhere'), metadata: { name: 'elsewhere', namespace: 'default' } };
    const space = await api.post(core('configmaps'), object);
    expect(space.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(space.body.message).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
    const kind = await api.post(core('configmaps'), { ...configMap('wrong'), kind: 'Secret' });
    expect(kind.status).toBe(400);
  });

  it('refuses to update what does not exist', async () => {
    const { api, core } = server();
    const answer = await api.put(core('configmaps', 'nowhere'), configMap('nowhere'));
    expect(answer.body).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "nowhere" not found' });
  });

  it('makes a name from generateName', async () => {
    const { api, core } = server();
    const created = await api.must('POST', core('configmaps'), {
      ...configMap(''),
      metadata: { generateName: 'made-' },
    });
    expect(created.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(created.metadata.generateName).toBe('made-');
  });
});
