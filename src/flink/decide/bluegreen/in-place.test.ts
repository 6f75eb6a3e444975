import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SideSeen } from '../../blue-green-view.ts';
import { exampleBlueGreen } from '../../manifests/blue-green.fixture.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import { deploymentSpecs } from '../../resources/spec.fixture.ts';
import { deploymentChange } from '../../resources/spec-change.ts';
import { metadataPatch, patchedSpec, replacedSpec, specPatch } from './in-place.ts';

const spec: FlinkDeploymentSpec = {
  image: 'flink:2.3',
  flinkConfiguration: { 'rest.port': '8081', 'kubernetes.operator.a': '1' },
  job: { jarURI: 'local:///a.jar', parallelism: 2, upgradeMode: 'savepoint' },
};

const side = (more: Partial<SideSeen> = {}): SideSeen => ({
  ref: {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    namespace: 'shop',
    name: 'counter-blue',
    uid: 'blue-1',
    resourceVersion: '7',
  },
  owners: ['uid-1'],
  id: 'uid-1/1/1',
  terminating: false,
  terminatingSince: undefined,
  finalizers: [],
  generation: 1,
  labels: { 'flink/blue-green-deployment-type': 'BLUE' },
  annotations: { 'cutover.dev/id': 'uid-1/1/1' },
  spec,
  status: {},
  ...more,
});

describe('a side that is patched', () => {
  const before = { ...spec, job: { ...spec.job, savepointTriggerNonce: 1 } };

  it('gets what differs between the two specs and keeps what somebody did to it by hand', () => {
    const live = {
      ...before,
      image: 'by-hand',
      job: { ...before.job, parallelism: 7, initialSavepointPath: 's3://began' },
    };
    const desired = { ...spec, job: { ...spec.job, upgradeMode: 'last-state', savepointTriggerNonce: 2 } } as const;
    expect(patchedSpec(live, before, desired)).toEqual({
      ...live,
      job: { ...live.job, upgradeMode: 'last-state', savepointTriggerNonce: 2 },
    });
  });

  it('loses what the new spec no longer says', () => {
    expect(patchedSpec(before, before, spec)).toEqual(spec);
    expect(patchedSpec(before, before, { ...spec, job: { ...spec.job } }).job).not.toHaveProperty(
      'savepointTriggerNonce',
    );
  });

  it('never gets or loses the path it was started from', () => {
    const live = { ...spec, job: { ...spec.job, initialSavepointPath: 's3://began' } };
    const other = { ...spec, job: { ...spec.job, initialSavepointPath: 's3://other' } };
    expect(patchedSpec(live, spec, other)).toEqual(live);
    expect(patchedSpec(live, other, spec)).toEqual(live);
    expect(patchedSpec(spec, spec, other)).toEqual(spec);
  });

  it('is left alone where one spec spells out what the other leaves to be understood', () => {
    const recorded = deploymentSpecCodec.read(deploymentSpecCodec.write({ spec, firstDeployment: false }));
    const live = { ...spec, job: { ...spec.job, state: 'suspended', args: ['by', 'hand'] } } as const;
    expect(recorded.ok && patchedSpec(live, recorded.spec, spec)).toEqual(live);
  });

  it.each<[string, unknown, unknown, unknown, unknown]>([
    ['flat', { a: '1', b: '2' }, { a: '1', b: '2' }, { a: '3', b: '2' }, { a: '3', b: '2' }],
    ['nested', { x: { a: 1, b: 2 } }, { x: { a: 1, b: 2 } }, { x: { a: 1, b: 3 } }, { x: { a: 1 }, 'x.b': '3' }],
    ['nested before, flat after', { x: { a: 1 } }, { x: { a: 1 } }, { 'x.a': '2' }, { 'x.a': '2' }],
    ['spelled otherwise by hand, and right already', { x: { a: 2 } }, { 'x.a': 1 }, { 'x.a': 2 }, { x: { a: 2 } }],
    ['removed', { x: { a: 1 }, y: 1 }, { x: { a: 1 } }, {}, { y: 1 }],
    ['all new', undefined, undefined, { a: '1' }, { a: '1' }],
    ['other keys by hand', { a: '1', hand: 'made' }, { a: '1' }, { a: '2' }, { a: '2', hand: 'made' }],
    ['a hostile key', JSON.parse('{"a":"1","__proto__":{"x":"1"}}'), { a: '1' }, { a: '2' }, { a: '2' }],
  ])('is configured key by key: %s', (_what, live, before, desired, result) => {
    const config = (flinkConfiguration: unknown) => ({ ...spec, flinkConfiguration }) as FlinkDeploymentSpec;
    const { flinkConfiguration } = patchedSpec(config(live), config(before), config(desired));
    expect(flinkConfiguration).toMatchObject(result as object);
    expect(
      Object.keys(flinkConfiguration ?? {})
        .filter((key) => key !== '__proto__')
        .sort(),
    ).toEqual(Object.keys(result as object).sort());
  });

  it('is as desired when it was as recorded, and patching it again changes nothing', () => {
    fc.assert(
      fc.property(deploymentSpecs, deploymentSpecs, (one, other) => {
        const [from, to] = [one, other] as [FlinkDeploymentSpec, FlinkDeploymentSpec];
        const patched = patchedSpec(from, from, to);
        const started = /\.(initialSavepointPath|(savepoint|stateless)RedeployNonce)$/;
        const left = deploymentChange(patched, to).changes.filter(({ path }) => !started.test(path));
        if (from.job && to.job) expect(left).toEqual([]);
        expect(patchedSpec(patched, from, to)).toEqual(patched);
        expect(patchedSpec(from, to, to)).toEqual(from);
      }),
    );
  });
});

describe('a redeploy nonce that another side has acted upon', () => {
  const nonces = { savepointRedeployNonce: 2, statelessRedeployNonce: 3 };
  const desired = { ...spec, image: 'new', job: { ...spec.job, ...nonces, initialSavepointPath: 's3://asked' } };
  const live = { ...spec, job: { ...spec.job, savepointRedeployNonce: 1, initialSavepointPath: 's3://began' } };

  it('reaches a side neither by a patch nor with a whole new spec: it would act once more', () => {
    expect(patchedSpec(live, spec, desired)).toEqual({ ...live, image: 'new' });
    expect(replacedSpec(live, desired, { takePath: false })).toEqual({ ...live, image: 'new' });
    expect(replacedSpec(spec, desired, { takePath: false })).toEqual({ ...spec, image: 'new' });
  });

  it('reaches it together with the path where it is to act there', () => {
    expect(replacedSpec(live, desired, { takePath: true })).toEqual(desired);
  });
});

describe('a side whose whole spec is replaced', () => {
  const live = { ...spec, image: 'old', job: { ...spec.job, initialSavepointPath: 's3://began' } };
  const desired = { ...spec, job: { ...spec.job, initialSavepointPath: 's3://asked' } };

  it('keeps the path it was started from, or its lack', () => {
    expect(replacedSpec(live, desired, { takePath: false }).job?.initialSavepointPath).toBe('s3://began');
    expect(replacedSpec(spec, desired, { takePath: false })).toEqual(spec);
  });

  it('takes the new path when it is to start from it', () => {
    expect(replacedSpec(live, desired, { takePath: true })).toEqual(desired);
    expect(replacedSpec(live, spec, { takePath: true })).toEqual(spec);
  });
});

describe('the patch of a side', () => {
  it('replaces the spec of exactly this side in this version', () => {
    const next = { ...spec, image: 'flink:2.4' };
    expect(specPatch(side(), next)).toEqual({
      do: 'patch',
      of: side().ref,
      patch: [{ op: 'replace', path: '/spec', value: next }],
    });
  });

  it('is none when the side has it, in other words or not', () => {
    expect(specPatch(side(), spec)).toBeUndefined();
    const spelled = { ...spec, job: { ...spec.job, args: [], state: 'running' } } as const;
    expect(specPatch(side(), spelled)).toBeUndefined();
    const nulls = { ...spec, restartNonce: null } as unknown as FlinkDeploymentSpec;
    expect(specPatch(side(), nulls)).toBeUndefined();
  });

  it('adds the labels and annotations of the template, and takes nothing away', () => {
    const metadata = { labels: { 'team/x': 'a~b' }, annotations: { note: 'new' } };
    const { spec } = exampleBlueGreen({ template: { metadata } });
    const found = side({ labels: { ...side().labels, mine: 'too' }, annotations: { note: 'old' } });
    expect(metadataPatch(found, spec, 'BLUE')?.patch).toEqual([
      { op: 'add', path: '/metadata/labels/team~1x', value: 'a~b' },
      { op: 'add', path: '/metadata/annotations/note', value: 'new' },
    ]);
    expect(metadataPatch(side(), exampleBlueGreen().spec, 'BLUE')).toBeUndefined();
  });

  it('makes the maps that are not there', () => {
    const { spec } = exampleBlueGreen();
    expect(metadataPatch(side({ labels: {} }), spec, 'GREEN')?.patch).toEqual([
      { op: 'add', path: '/metadata/labels', value: { 'flink/blue-green-deployment-type': 'GREEN' } },
    ]);
  });
});
