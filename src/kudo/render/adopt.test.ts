import { describe, expect, it } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { adopt } from './adopt.ts';

const kudo: ManagedFieldsEntry = {
  manager: 'kudo-manager',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:data': { '.': {}, 'f:a': {} },
    'f:metadata': { 'f:annotations': { 'f:kudo.dev/last-applied-configuration': {} } },
  },
};
const person: ManagedFieldsEntry = { ...kudo, manager: 'kubectl-edit', fieldsV1: { 'f:data': { 'f:b': {} } } };
const ours: ManagedFieldsEntry = {
  ...kudo,
  manager: 'cutover-kudo',
  operation: 'Apply',
  time: '2026-02-01T00:00:00Z',
  fieldsV1: { 'f:data': { 'f:c': {} } },
};

const configMap = (...managedFields: ManagedFieldsEntry[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', managedFields },
});

const entriesAfter = (...entries: ManagedFieldsEntry[]) => {
  const [operation] = adopt(configMap(...entries)) ?? [];
  expect(operation).toMatchObject({ op: 'replace', path: '/metadata/managedFields' });
  return operation && 'value' in operation ? operation.value : undefined;
};

describe('adopting an object', () => {
  it("makes KUDO's fields ours and leaves those of others", () => {
    expect(entriesAfter(kudo, person)).toEqual([person, { ...kudo, manager: 'cutover-kudo', operation: 'Apply' }]);
  });

  it('joins what its command line and its manager wrote', () => {
    const byHand = { ...kudo, manager: 'kubectl-kudo', fieldsV1: { 'f:data': { 'f:a': {}, 'f:d': {} } } };
    expect(entriesAfter(kudo, byHand)).toEqual([
      {
        ...kudo,
        manager: 'cutover-kudo',
        operation: 'Apply',
        fieldsV1: { ...kudo.fieldsV1, 'f:data': { '.': {}, 'f:a': {}, 'f:d': {} } },
      },
    ]);
  });

  it('adds to what is ours already, of which there may be only one entry', () => {
    const older = { ...kudo, apiVersion: 'v1beta1' };
    expect(entriesAfter(ours, older)).toEqual([
      { ...ours, fieldsV1: { ...kudo.fieldsV1, 'f:data': { '.': {}, 'f:a': {}, 'f:c': {} } } },
    ]);
  });

  it.each([
    ['others', person],
    ['the status', { ...kudo, subresource: 'status' }],
    ['itself by apply', { ...kudo, operation: 'Apply' as const }],
    ['another operator that calls itself manager', { ...kudo, manager: 'manager', fieldsV1: { 'f:spec': {} } }],
  ])('leaves alone what is managed by %s', (_, entry) => {
    expect(adopt(configMap(entry))).toBeUndefined();
  });

  it('knows KUDO by its annotation when it calls itself manager', () => {
    expect(entriesAfter({ ...kudo, manager: 'manager' })).toHaveLength(1);
  });

  it('leaves Instances alone, whose running plan KUDO wrote too', () => {
    const instance = { ...configMap(kudo), apiVersion: 'kudo.dev/v1beta1', kind: 'Instance' };
    expect(adopt(instance)).toBeUndefined();
  });

  it.each([
    ['KUDO', [ours, { manager: 'kudo-manager', operation: 'Update' as const }]],
    ['others', [kudo, { manager: 'kubectl-edit', operation: 'Update' as const }]],
  ])('does nothing while it is not known which fields %s manage', (_, entries) => {
    expect(adopt(configMap(...entries))).toBeUndefined();
  });

  it('has nothing to do twice, or without managed fields', () => {
    expect(adopt(configMap(ours))).toBeUndefined();
    expect(adopt({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } })).toBeUndefined();
  });
});
