import { describe, expect, it } from 'vitest';
import { labelHash, processGuid, statefulSetName, workloadName } from './names.ts';

const app = '11111111-1111-4111-8111-111111111111';
const space = '22222222-2222-4222-8222-222222222222';

describe('names that others compute as well', () => {
  it.each([
    ['web', 'adf88d59-873a-5df1-860b-00b9853c23b5'],
    ['worker', 'e3ab804c-3c07-5d17-badd-ab071789c473'],
  ])('gives the %s process its published GUID', (type, guid) => {
    expect(processGuid(app, type)).toBe(guid);
  });

  it.each([
    ['0', '11111111-1111-4111-8111-111111111111-222-b1a4302822'],
    ['1', '11111111-1111-4111-8111-111111111111-222-e1a2c62d46'],
  ])('names the StatefulSet of stop %s as published', (lastStopAppRev, name) => {
    const workload = { appGuid: app, processGuid: processGuid(app, 'web'), namespace: space, lastStopAppRev };
    expect(statefulSetName(workload)).toBe(name);
  });

  it.each([
    ['1c6ef9dc-45d5-49f5-8a77-c8552609c31f', '0', '1c6ef9dc-45d5-49f5-8a77-c8552609c31f-25d-64b212802c'],
    ['1c6ef9dc-45d5-49f5-8a77-c8552609c31f', '1', '1c6ef9dc-45d5-49f5-8a77-c8552609c31f-25d-f7914d9347'],
    ['1c6ef9dc-45d5-49f5-8a77-c8552609c31f', '6', '1c6ef9dc-45d5-49f5-8a77-c8552609c31f-25d-d08e0d2e61'],
  ])('names the StatefulSet of a recorded app %s at stop %s', (appGuid, lastStopAppRev, name) => {
    const namespace = '25d308f4-df18-4b02-8615-8d7f54f45a12';
    const guid = processGuid(appGuid, 'web');
    expect(guid).toBe('a6a9cc5e-3dbe-58ea-926e-c281b418e766');
    expect(statefulSetName({ appGuid, processGuid: guid, namespace, lastStopAppRev })).toBe(name);
  });

  it('falls back to the process where an app has no name for a pod', () => {
    const odd = { appGuid: '.app.', processGuid: 'p', namespace: 'space', lastStopAppRev: '0' };
    expect(statefulSetName(odd)).toMatch(/^p-[0-9a-f]{10}$/);
  });

  it('begins a new workload at each stop, and tells apart what four digits would not', () => {
    expect(workloadName('p', '0')).toBe('p-b6589fc6ab');
    expect(workloadName('p', '1')).toBe('p-356a192b79');
    expect(workloadName('p', '92929')).not.toBe(workloadName('p', '92930'));
  });

  it('hashes names for labels as published', () => {
    expect(labelHash('web1')).toBe('5f6df8bbab40b49a6dae87fe32cdca69cd13e925709f52881f9d12c4');
  });
});
