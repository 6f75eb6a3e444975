import { describe, expect, it } from 'vitest';
import { finalizers, labels } from '../keys.ts';
import type { CfPackage } from '../resources/cf-package.ts';
import { dockerPackage, packageView } from './build/build.fixture.ts';
import { decideCfPackage } from './cf-package.ts';

const others = (names: readonly string[], needed: readonly string[] = []) =>
  names.map((name, index) => ({
    name,
    createdAt: `2026-06-01T00:0${index}:00Z`,
    needed: needed.includes(name),
  }));

describe('a package', () => {
  it('is ready when it names an image, as published', () => {
    const { actions } = decideCfPackage(packageView());
    expect(actions).toMatchObject([
      {
        do: 'status',
        status: {
          observedGeneration: 1,
          conditions: [
            { type: 'Initialized', status: 'True', reason: 'Initialized', message: '' },
            { type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready' },
          ],
        },
      },
    ]);
  });

  it('costs nothing once that is written', () => {
    const [written] = decideCfPackage(packageView()).actions;
    const status = written?.do === 'status' ? (written.status as NonNullable<CfPackage['status']>) : {};
    expect(decideCfPackage(packageView({ resource: { ...dockerPackage(), status } })).actions).toEqual([]);
  });

  it('waits for its files without an image', () => {
    const bare = dockerPackage({ type: 'bits' });
    const { source: _source, ...spec } = bare.spec;
    const resource = {
      ...bare,
      spec,
      metadata: { ...bare.metadata, labels: { ...bare.metadata.labels, [labels.packageState]: 'AWAITING_UPLOAD' } },
    };
    expect(decideCfPackage(packageView({ resource })).actions).toMatchObject([
      { do: 'status', status: { conditions: [{}, { type: 'Ready', status: 'False', reason: 'Initialized' }] } },
    ]);
  });

  it('gets labels, annotation and owner when somebody applied it without', () => {
    const { ownerReferences: _owner, labels: _labels, annotations: _annotations, ...bare } = dockerPackage().metadata;
    const { actions } = decideCfPackage(packageView({ resource: { ...dockerPackage(), metadata: bare } }));
    expect(actions).toMatchObject([
      {
        do: 'patch',
        patch: [
          { path: '/metadata/labels', value: { [labels.packageState]: 'READY', [labels.appGuid]: 'app' } },
          { path: '/metadata/annotations' },
          { path: '/metadata/ownerReferences', value: [{ kind: 'CFApp', uid: 'uid-app', controller: true }] },
        ],
      },
    ]);
  });

  it('is let go when it is deleted', () => {
    const { metadata } = dockerPackage();
    const deleted = { ...metadata, deletionTimestamp: '2026-06-01T12:00:00Z', finalizers: [finalizers.package] };
    const decide = (finalizer: boolean) => {
      const { finalizers: _gone, ...without } = deleted;
      return decideCfPackage(
        packageView({ resource: { ...dockerPackage(), metadata: finalizer ? deleted : without } }),
      );
    };
    expect(decide(true).actions).toMatchObject([{ do: 'patch', patch: [{ op: 'test' }, { op: 'remove' }] }]);
    expect(decide(false).actions).toEqual([]);
  });
});

describe('the packages of an app', () => {
  it('are deleted when five newer ones are there', () => {
    const packages = others(['package', 'b', 'c', 'd', 'e', 'f']);
    expect(decideCfPackage(packageView({ packages })).actions).toMatchObject([
      { do: 'delete', of: { uid: 'uid-package' } },
    ]);
  });

  it('stay while there are no more than five besides those that are needed', () => {
    const packages = others(['package', 'b', 'c', 'd', 'e', 'f'], ['c']);
    expect(decideCfPackage(packageView({ packages })).actions).toMatchObject([{ do: 'status' }]);
  });

  it('stay for as long as they are needed, however old they are', () => {
    const packages = others(['package', 'b', 'c', 'd', 'e', 'f', 'g'], ['package']);
    expect(decideCfPackage(packageView({ packages })).actions).toMatchObject([{ do: 'status' }]);
  });

  it('stay when their app is not seen: it may be about to come', () => {
    const packages = others(['package', 'b', 'c', 'd', 'e', 'f']);
    const { app: _app, ...lost } = packageView({ packages });
    expect(decideCfPackage(lost).actions).toMatchObject([{ do: 'status' }]);
  });
});
