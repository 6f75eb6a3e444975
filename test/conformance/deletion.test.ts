import { describe, expect, it } from 'vitest';
import { type Any, eventually } from './api.ts';
import { configMap, pendingPod } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const hold = 'conformance.invalid/hold';

const owned = (name: string, owner: Any, more: object = {}): Any =>
  configMap(
    name,
    {},
    {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more },
      ],
    },
  );

const gone = (path: string): Promise<void> =>
  eventually(async () => {
    const answer = await server().api.get(path);
    if (answer.status !== 404) throw new Error(`still there: ${JSON.stringify(answer.body)}`);
  });

describe('finalizers', () => {
  it('keep a deleted object until the last one is removed', async () => {
    const { api, core } = server();
    const path = core('configmaps', 'held');
    await api.must('POST', core('configmaps'), configMap('held', {}, { finalizers: [hold, `${hold}-2`] }));
    const deleted = await api.delete(path);
    expect(deleted.status).toBe(200);
    expect(deleted.body.kind).toBe('ConfigMap');
    expect(deleted.body.metadata.deletionTimestamp).toMatch(/Z$/);
    expect(deleted.body.metadata.deletionGracePeriodSeconds).toBe(0);
    const one = await api.merge(path, { metadata: { finalizers: [hold] } });
    expect(one.body.metadata.finalizers).toEqual([hold]);
    const last = await api.merge(path, { metadata: { finalizers: null } });
    expect(last.status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
  });

  it('cannot be added to an object that is being deleted', async () => {
    const { api, core } = server();
    const path = core('configmaps', 'closing');
    await api.must('POST', core('configmaps'), configMap('closing', {}, { finalizers: [hold] }));
    await api.must('DELETE', path);
    const answer = await api.merge(path, { metadata: { finalizers: [hold, `${hold}-late`] } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(
      `metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"${hold}-late"}`,
    );
    await api.merge(path, { metadata: { finalizers: null } });
  });

  it('let the object be edited meanwhile, and keep the deletion time', async () => {
    const { api, core } = server();
    const path = core('configmaps', 'edited');
    await api.must('POST', core('configmaps'), configMap('edited', {}, { finalizers: [hold] }));
    const { deletionTimestamp } = (await api.delete(path)).body.metadata;
    const edit = await api.merge(path, { data: { a: 'b' }, metadata: { deletionTimestamp: null } });
    expect(edit.body.data).toEqual({ a: 'b' });
    expect(edit.body.metadata.deletionTimestamp).toBe(deletionTimestamp);
    const again = await api.delete(path);
    expect(again.body.metadata.deletionTimestamp).toBe(deletionTimestamp);
    await api.merge(path, { metadata: { finalizers: null } });
  });

  it('must be qualified names', async () => {
    const { api, core } = server();
    const answer = await api.post(core('configmaps'), configMap('unqualified', {}, { finalizers: ['hold'] }));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(
      'metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
    );
  });
});

describe('propagation', () => {
  it('deletes dependents in the background by default', async () => {
    const { api, core } = server();
    const owner = await api.must('POST', core('configmaps'), configMap('owner'));
    await api.must('POST', core('configmaps'), owned('child', owner));
    await api.must('DELETE', core('configmaps', 'owner'));
    expect((await api.get(core('configmaps', 'owner'))).status).toBe(404);
    await gone(core('configmaps', 'child'));
  });

  it('keeps a dependent that has another living owner', async () => {
    const { api, core } = server();
    const first = await api.must('POST', core('configmaps'), configMap('first'));
    const second = await api.must('POST', core('configmaps'), configMap('second'));
    const child = owned('shared', first);
    child.metadata.ownerReferences.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'second',
      uid: second.metadata.uid,
    });
    await api.must('POST', core('configmaps'), child);
    await api.must('DELETE', core('configmaps', 'first'));
    await eventually(async () => {
      const { ownerReferences } = (await api.must('GET', core('configmaps', 'shared'))).metadata;
      expect(ownerReferences.map((owner: Any) => owner.name)).toEqual(['second']);
    });
  });

  it('orphans dependents when asked', async () => {
    const { api, core } = server();
    const owner = await api.must('POST', core('configmaps'), configMap('leaver'));
    await api.must('POST', core('configmaps'), owned('stayer', owner));
    await api.must('DELETE', core('configmaps', 'leaver'), { propagationPolicy: 'Orphan' });
    await gone(core('configmaps', 'leaver'));
    const left = await api.must('GET', core('configmaps', 'stayer'));
    expect(left.metadata.ownerReferences).toBeUndefined();
  });

  it('waits in the foreground for blocking dependents', async () => {
    const { api, core } = server();
    const owner = await api.must('POST', core('configmaps'), configMap('patient'));
    const child = owned('slow', owner, { blockOwnerDeletion: true });
    child.metadata.finalizers = [hold];
    await api.must('POST', core('configmaps'), child);
    const answer = await api.delete(core('configmaps', 'patient'), { propagationPolicy: 'Foreground' });
    expect(answer.body.metadata.finalizers).toEqual(['foregroundDeletion']);
    await eventually(async () => {
      expect((await api.must('GET', core('configmaps', 'slow'))).metadata.deletionTimestamp).toBeDefined();
    });
    expect((await api.get(core('configmaps', 'patient'))).status).toBe(200);
    await api.merge(core('configmaps', 'slow'), { metadata: { finalizers: null } });
    await gone(core('configmaps', 'patient'));
  });

  it('does not wait in the foreground for a dependent that does not block', async () => {
    const { api, core } = server();
    const owner = await api.must('POST', core('configmaps'), configMap('hasty'));
    const child = owned('unblocking', owner);
    child.metadata.finalizers = [hold];
    await api.must('POST', core('configmaps'), child);
    await api.must('DELETE', core('configmaps', 'hasty'), { propagationPolicy: 'Foreground' });
    await gone(core('configmaps', 'hasty'));
    await api.merge(core('configmaps', 'unblocking'), { metadata: { finalizers: null } });
    await gone(core('configmaps', 'unblocking'));
  });

  it('collects an object whose owner is not there', async () => {
    const { api, core } = server();
    const ghost = { metadata: { name: 'ghost', uid: '00000000-0000-4000-8000-000000000001' } };
    await api.must('POST', core('configmaps'), owned('haunted', ghost));
    await gone(core('configmaps', 'haunted'));
  });

  it('refuses two controllers and a policy it does not know', async () => {
    const { api, core } = server();
    const object = configMap('torn');
    object.metadata.ownerReferences = ['a', 'b'].map((name, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      uid: `00000000-0000-4000-8000-00000000000${index}`,
      controller: true,
    }));
    const answer = await api.post(core('configmaps'), object);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('Only one reference can have Controller set to true');
    await api.must('POST', core('configmaps'), configMap('kept'));
    const policy = await api.delete(core('configmaps', 'kept'), { propagationPolicy: 'Sideways' });
    expect(policy.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(policy.body.message).toContain('propagationPolicy: Unsupported value: "Sideways"');
  });
});

describe('delete collection', () => {
  it('deletes what the selector matches and nothing else', async () => {
    const { api, core } = server();
    for (const name of ['red-1', 'red-2'])
      await api.must('POST', core('configmaps'), configMap(name, {}, { labels: { c: 'red' } }));
    await api.must('POST', core('configmaps'), configMap('blue-1', {}, { labels: { c: 'blue' } }));
    const answer = await api.delete(`${core('configmaps')}?labelSelector=c%3Dred`);
    expect(answer.body.kind).toBe('ConfigMapList');
    expect(answer.body.items.map((item: Any) => item.metadata.name)).toEqual(['red-1', 'red-2']);
    expect((await api.get(core('configmaps', 'red-1'))).status).toBe(404);
    expect((await api.get(core('configmaps', 'blue-1'))).status).toBe(200);
  });
});

describe('graceful deletion of pods', () => {
  it('removes a pod that no node runs at once', async () => {
    const { api, core } = server();
    await api.must('POST', core('pods'), pendingPod('unborn'));
    await api.must('DELETE', core('pods', 'unborn'));
    expect((await api.get(core('pods', 'unborn'))).status).toBe(404);
  });

  it('gives a pod on a node its grace period, which can be shortened and not lengthened', async () => {
    const { api, core } = server();
    const object = pendingPod('graced', { finalizers: [hold] });
    object.spec.nodeName = 'nowhere';
    await api.must('POST', core('pods'), object);
    const first = await api.delete(core('pods', 'graced'));
    expect(first.body.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = await api.delete(core('pods', 'graced'), { gracePeriodSeconds: 5 });
    expect(shorter.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const longer = await api.delete(core('pods', 'graced'), { gracePeriodSeconds: 60 });
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(5);
    await api.delete(core('pods', 'graced'), { gracePeriodSeconds: 0 });
    await api.merge(core('pods', 'graced'), { metadata: { finalizers: null } });
    await gone(core('pods', 'graced'));
  });
});

describe('namespaces', () => {
  it('take everything in them along, and refuse new content meanwhile', async () => {
    const { api } = server();
    const { metadata } = await api.must('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { generateName: 'doomed-' },
    });
    const inside = `/api/v1/namespaces/${metadata.name}/configmaps`;
    await api.must('POST', inside, configMap('stuck', {}, { finalizers: [hold] }));
    const deleted = await api.must('DELETE', `/api/v1/namespaces/${metadata.name}`);
    expect(deleted.status.phase).toBe('Terminating');
    const late = await api.post(inside, configMap('late'));
    expect(late.body).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(late.body.message).toBe(
      `configmaps "late" is forbidden: unable to create new content in namespace ${metadata.name} because it is being terminated`,
    );
    await eventually(async () => {
      expect((await api.must('GET', `${inside}/stuck`)).metadata.deletionTimestamp).toBeDefined();
    });
    await api.merge(`${inside}/stuck`, { metadata: { finalizers: null } });
    await gone(`/api/v1/namespaces/${metadata.name}`);
  });

  it('must exist', async () => {
    const { api } = server();
    const answer = await api.post('/api/v1/namespaces/never-made/configmaps', configMap('lost'));
    expect(answer.body).toMatchObject({ code: 404, reason: 'NotFound', message: 'namespaces "never-made" not found' });
  });
});
