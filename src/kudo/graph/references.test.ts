import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referencesOf } from './references.ts';

describe('references of a pod spec', () => {
  it('are all the ways in which pods use other objects', () => {
    const spec = {
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'registry' }],
      volumes: [
        { name: 'a', configMap: { name: 'conf' } },
        { name: 'b', configMap: { name: 'picked', items: [{ key: 'x', path: 'y' }] } },
        { name: 'c', secret: { secretName: 'tls' } },
        {
          name: 'd',
          projected: { sources: [{ configMap: { name: 'p1' } }, { secret: { name: 'p2', items: [{ key: 'k' }] } }] },
        },
        { name: 'e', persistentVolumeClaim: { claimName: 'disk' } },
        { name: 'f', emptyDir: {} },
      ],
      initContainers: [
        { name: 'first', envFrom: [{ secretRef: { name: 'all' } }, { configMapRef: { name: 'most' } }] },
      ],
      containers: [
        {
          name: 'main',
          env: [
            { name: 'PLAIN', value: 'v' },
            { name: 'M', valueFrom: { configMapKeyRef: { name: 'conf', key: 'mode' } } },
            { name: 'P', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
          ],
        },
      ],
    };
    expect(referencesOf(spec)).toEqual([
      { kind: 'ConfigMap', name: 'conf', by: 'volume' },
      { kind: 'ConfigMap', name: 'picked', by: 'volume', keys: ['x'] },
      { kind: 'Secret', name: 'tls', by: 'volume' },
      { kind: 'ConfigMap', name: 'p1', by: 'projected' },
      { kind: 'Secret', name: 'p2', by: 'projected', keys: ['k'] },
      { kind: 'PersistentVolumeClaim', name: 'disk', by: 'claim' },
      { kind: 'ConfigMap', name: 'conf', by: 'env', keys: ['mode'] },
      { kind: 'Secret', name: 'login', by: 'env', keys: ['password'] },
      { kind: 'Secret', name: 'all', by: 'envFrom' },
      { kind: 'ConfigMap', name: 'most', by: 'envFrom' },
      { kind: 'Secret', name: 'registry', by: 'imagePullSecret' },
      { kind: 'ServiceAccount', name: 'robot', by: 'serviceAccount' },
    ]);
  });

  it('of anything else are none, whatever its shape', () => {
    const names = ['volumes', 'configMap', 'name', 'projected', 'sources', 'containers', 'env', 'valueFrom', 'envFrom'];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 7, true, undefined),
        fc.array(tie('tree')),
        fc.dictionary(fc.constantFrom(...names), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (spec) => {
        expect(referencesOf(spec)).toEqual([]);
      }),
    );
  });
});
