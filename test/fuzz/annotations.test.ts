import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeploymentMark, deploymentMark, markText } from '../../src/cloudfoundry/deployment-mark.ts';
import { keptRevisions, keptText } from '../../src/cloudfoundry/kept-revisions.ts';
import { annotations } from '../../src/cloudfoundry/keys.ts';
import { deploymentSpecCodec, sessionJobSpecCodec } from '../../src/flink/resources/recorded-spec.ts';
import { answer, cases, ending } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, longText, mutated, twisted } from './hostile.ts';

/** These readers never throw: what cannot be read is nothing, or a reason. */
class Never extends Error {}

/** What stands in an annotation or a status: anybody who may write to the object has written it. */
function written(original: object, keys: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: twisted(original, keys).map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: mutated([JSON.stringify(original)], keys) },
    { weight: 2, arbitrary: hostileJson(keys).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: hostileText(keys) },
  );
}

describe('the mark of a deployment', () => {
  const mark: DeploymentMark = {
    guid: 'g',
    appRev: 3,
    previous: { appRev: 2, droplet: 'd' },
    canceled: true,
    supersedes: ['f'],
  };
  const keys = ['guid', 'appRev', 'previous', 'stopped', 'droplet', 'canceled', 'supersedes'];
  const on = (text: string) => deploymentMark({ metadata: { annotations: { [annotations.deployment]: text } } });

  it('is one, or none; what was read is written and read again as the same', () => {
    fc.assert(
      fc.property(written(mark, keys), (text) => {
        const read = answer(() => on(text), Never);
        if (!('value' in read) || read.value === undefined) return;
        expect(read.value.guid).not.toBe('');
        expect(read.value.appRev).toSatisfy((rev: number) => Number.isSafeInteger(rev) && rev >= 0);
        expect(on(markText(read.value))).toEqual(read.value);
      }),
      cases(400),
    );
    expect(on(deepJson(50_000, 'previous'))).toBeUndefined();
  });
});

describe('revisions that are kept', () => {
  const kept = { 3: { version: '3', image: 'i', GUID: 'g', env: [] }, 4: { version: '4', image: 'j', GUID: 'g' } };
  const keys = ['3', 'version', 'image', 'GUID', 'env'];
  const on = (text: string) => keptRevisions({ metadata: { annotations: { [annotations.keptRevisions]: text } } });

  it('are snapshots under their own number, or none', () => {
    fc.assert(
      fc.property(written(kept, keys), (text) => {
        const read = answer(() => on(text), Never);
        if (!('value' in read)) return;
        for (const [rev, snapshot] of Object.entries(read.value)) expect(snapshot).toMatchObject({ version: rev });
        const again = keptText(read.value);
        if (again !== undefined) expect(on(again)).toEqual(read.value);
      }),
      cases(400),
    );
    expect(on(deepJson(50_000, '3'))).toEqual({});
  });
});

describe.each([
  ['FlinkDeployment', deploymentSpecCodec],
  ['FlinkSessionJob', sessionJobSpecCodec],
] as const)('the recorded spec of a %s', (_, codec) => {
  const original = {
    spec: {
      image: 'flink:2',
      flinkVersion: 'v2_0',
      serviceAccount: 'flink',
      flinkConfiguration: { 'a.b': '1', c: { d: 2, e: [1, 'x'] } },
      job: { jarURI: 'local:///a.jar', parallelism: 2, upgradeMode: 'savepoint', state: 'running', args: ['x'] },
      jobManager: { resource: { cpu: 1, memory: '2g' }, replicas: 1 },
      deploymentName: 'x',
      unknown: { kept: [null, { __x: 1 }] },
    },
    resource_metadata: { apiVersion: 'flink.apache.org/v1beta1', firstDeployment: true },
  };
  const keys = [
    'spec',
    'job',
    'flinkConfiguration',
    'resource_metadata',
    'firstDeployment',
    'apiVersion',
    'podTemplate',
    'cpu',
  ];

  it('is one or a reason, and is written as it was read', () => {
    fc.assert(
      fc.property(written(original, keys), (text) => {
        const read = answer(() => codec.read(text), Never);
        if (!('value' in read)) return;
        if (!read.value.ok) {
          expect(read.value.reason.length).toBeLessThan(text.length + 1000);
          return;
        }
        // Java spells out what is absent: it takes one writing until the text stays the same.
        const once = codec.write(read.value as never);
        const again = codec.read(once);
        expect(again).toMatchObject({ ok: true, firstDeployment: read.value.firstDeployment });
        if (again.ok) expect(codec.write(again as never)).toBe(once);
      }),
      cases(300),
    );
  });

  it('is read and written, however long or deep it is', () => {
    for (const deep of [deepJson(8000), deepJson(8000, 'a')]) {
      for (const field of ['flinkConfiguration', 'podTemplate', 'job', 'unknown']) {
        const read = codec.read(`{"spec":{"image":"x","deploymentName":"x","job":{"jarURI":"x"},"${field}":${deep}}}`);
        if (read.ok) expect(codec.write(read as never)).toBeTypeOf('string');
      }
    }
    fc.assert(
      fc.property(longText([...keys, '{"spec":', '[1,', '"a":1,']), ({ text }) => {
        ending(() => codec.read(text));
      }),
      cases(20),
    );
  });
});
