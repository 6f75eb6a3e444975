import { describe, expect, it } from 'vitest';
import { configMap, deployment } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
const idle = (name: string) => deployment(name, { paused: true, replicas: 0 });

describe('JSON merge patch', () => {
  it('merges maps, replaces lists and removes with null', async () => {
    const { api, core } = server();
    const path = core('configmaps', 'merged');
    await api.must(
      'POST',
      core('configmaps'),
      configMap('merged', { a: '1', b: '2' }, { finalizers: ['x.invalid/1', 'x.invalid/2'] }),
    );
    const answer = await api.merge(path, { data: { b: null, c: '3' }, metadata: { finalizers: ['x.invalid/3'] } });
    expect(answer.body.data).toEqual({ a: '1', c: '3' });
    expect(answer.body.metadata.finalizers).toEqual(['x.invalid/3']);
    await api.merge(path, { metadata: { finalizers: null } });
  });

  it('honours a resource version in the patch', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('versioned'));
    const answer = await api.merge(core('configmaps', 'versioned'), {
      metadata: { resourceVersion: '1' },
      data: { a: 'b' },
    });
    expect(answer.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('does not let identity be changed', async () => {
    const { api, core } = server();
    const made = await api.must('POST', core('configmaps'), configMap('fixed'));
    const renamed = await api.merge(core('configmaps', 'fixed'), { metadata: { name: 'other' } });
    expect(renamed.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    const stamped = await api.merge(core('configmaps', 'fixed'), {
      metadata: { creationTimestamp: '2001-01-01T00:00:00Z' },
    });
    expect(stamped.body.metadata.creationTimestamp).toBe(made.metadata.creationTimestamp);
  });
});

describe('JSON patch', () => {
  it('adds, replaces, tests, moves and removes', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('patched', { a: '1', xy: '2' }));
    const answer = await api.jsonPatch(core('configmaps', 'patched'), [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'add', path: '/data/b', value: 'new' },
      { op: 'move', from: '/data/xy', path: '/data/z' },
      { op: 'copy', from: '/data/b', path: '/data/c' },
      { op: 'remove', path: '/data/b' },
    ]);
    expect(answer.body.data).toEqual({ a: '9', z: '2', c: 'new' });
  });

  it('changes nothing when a test fails', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('tested', { a: '1' }));
    const answer = await api.jsonPatch(core('configmaps', 'tested'), [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'test', path: '/data/a', value: 'other' },
    ]);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('the server rejected our request due to an error in our request');
    expect((await api.get(core('configmaps', 'tested'))).body.data).toEqual({ a: '1' });
  });

  it('refuses a path that is not there', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('pathless', { a: '1' }));
    const answer = await api.jsonPatch(core('configmaps', 'pathless'), [{ op: 'remove', path: '/data/none' }]);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('refuses what is not a list of operations', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('shapeless'));
    expect((await api.jsonPatch(core('configmaps', 'shapeless'), { op: 'add' })).status).toBe(400);
  });
});

describe('strategic merge patch', () => {
  it('merges lists by their key', async () => {
    const { api, group } = server();
    const path = group('apps/v1', 'deployments', 'keyed');
    await api.must('POST', group('apps/v1', 'deployments'), idle('keyed'));
    const answer = await api.strategic(path, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'side', image: 'busybox' },
              { name: 'main', env: [{ name: 'A', value: '1' }] },
            ],
          },
        },
      },
    });
    const { containers } = answer.body.spec.template.spec;
    expect(containers.map((one: { name: string }) => one.name).sort()).toEqual(['main', 'side']);
    const main = containers.find((one: { name: string }) => one.name === 'main');
    expect(main).toMatchObject({ image: 'nginx:1.27', env: [{ name: 'A', value: '1' }] });
  });

  it('deletes an element and replaces a list by directive', async () => {
    const { api, group } = server();
    const path = group('apps/v1', 'deployments', 'directed');
    const object = idle('directed');
    object.spec.template.spec.containers = [
      {
        name: 'main',
        image: 'nginx',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
      { name: 'side', image: 'busybox' },
    ];
    await api.must('POST', group('apps/v1', 'deployments'), object);
    const answer = await api.strategic(path, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'side', $patch: 'delete' },
              { name: 'main', env: [{ $patch: 'replace' }, { name: 'C', value: '3' }] },
            ],
          },
        },
      },
    });
    expect(answer.body.spec.template.spec.containers).toHaveLength(1);
    expect(answer.body.spec.template.spec.containers[0].env).toEqual([{ name: 'C', value: '3' }]);
  });

  it('keeps the order it is given', async () => {
    const { api, group } = server();
    const path = group('apps/v1', 'deployments', 'sorted');
    const object = idle('sorted');
    object.spec.template.spec.containers = ['a', 'b', 'c'].map((name) => ({ name, image: 'nginx' }));
    await api.must('POST', group('apps/v1', 'deployments'), object);
    const answer = await api.strategic(path, {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
            containers: [{ name: 'b', image: 'busybox' }],
          },
        },
      },
    });
    expect(answer.body.spec.template.spec.containers.map((one: { name: string }) => one.name)).toEqual(['c', 'a', 'b']);
  });

  it('retains only the keys it is told to', async () => {
    const { api, group } = server();
    const path = group('apps/v1', 'deployments', 'retained');
    await api.must('POST', group('apps/v1', 'deployments'), idle('retained'));
    const answer = await api.strategic(path, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
    expect(answer.body.spec.strategy).toEqual({ type: 'Recreate' });
  });

  it('edits lists of plain values by directive', async () => {
    const { api, core } = server();
    const path = core('configmaps', 'primitive');
    await api.must(
      'POST',
      core('configmaps'),
      configMap('primitive', {}, { finalizers: ['x.invalid/1', 'x.invalid/2'] }),
    );
    const added = await api.strategic(path, { metadata: { finalizers: ['x.invalid/3'] } });
    expect(added.body.metadata.finalizers.sort()).toEqual(['x.invalid/1', 'x.invalid/2', 'x.invalid/3']);
    const removed = await api.strategic(path, {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['x.invalid/1', 'x.invalid/2', 'x.invalid/3'] },
    });
    expect(removed.body.metadata.finalizers).toBeUndefined();
  });
});

describe('a patch', () => {
  it('of another content type is refused', async () => {
    const { api, core } = server();
    await api.must('POST', core('configmaps'), configMap('typed'));
    const answer = await api.call('PATCH', core('configmaps', 'typed'), '{}', { 'content-type': 'text/plain' });
    expect(answer.body).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
  });

  it('of an object that is not there is refused', async () => {
    const { api, core } = server();
    expect((await api.merge(core('configmaps', 'missing'), {})).body).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('that leads to an invalid object changes nothing', async () => {
    const { api, group } = server();
    const path = group('apps/v1', 'deployments', 'spoiled');
    const made = await api.must('POST', group('apps/v1', 'deployments'), idle('spoiled'));
    const answer = await api.merge(path, { spec: { replicas: -3 } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect((await api.get(path)).body.spec).toEqual(made.spec);
  });
});
