import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blueGreenChange } from './blue-green-change.ts';
import { blueGreenSpecCodec } from './blue-green-spec.ts';
import type { FlinkBlueGreenDeploymentSpec } from './flink-blue-green-deployment.ts';
import { deploymentSpecs } from './spec.fixture.ts';

const { read, write } = blueGreenSpecCodec;

describe('writing the recorded spec of a blue/green deployment', () => {
  it('spells out what is absent, in the order of the Java operator', () => {
    expect(write({})).toBe('{"spec":{"ingress":null,"template":null,"configuration":null}}');
    expect(write({ template: {} })).toContain('"template":{"metadata":null,"spec":null}');
    expect(
      write({
        configuration: { b: '2', a: '1' },
        ingress: { template: '/x' },
        template: { spec: { taskManager: { resource: { cpu: 1 } } }, metadata: { labels: { from: 'us' } } },
      }),
    ).toBe(
      '{"spec":{"ingress":{"template":"/x","className":null,"annotations":null,"labels":null,"tls":null},' +
        '"template":{"metadata":{"labels":{"from":"us"}},"spec":{"job":null,"restartNonce":null,' +
        '"flinkConfiguration":{},"image":null,"imagePullPolicy":null,"serviceAccount":null,"flinkVersion":null,' +
        '"ingress":null,"podTemplate":null,"jobManager":null,"taskManager":{"resource":{"cpu":1.0,"memory":null,' +
        '"ephemeralStorage":null},"replicas":null,"podTemplate":null},"logConfiguration":null,"mode":null}},' +
        '"configuration":{"a":"1","b":"2"}}}',
    );
  });

  it('leaves empty labels and annotations out, as the Java operator does', () => {
    expect(write({ template: { metadata: { labels: {}, annotations: { a: '1' } } } })).toContain(
      '"metadata":{"annotations":{"a":"1"}}',
    );
  });

  it('writes the stateless redeploy nonce only when there is one', () => {
    const text = write({ template: { spec: { job: { statelessRedeployNonce: 7 } } } });
    expect(text).toContain('"savepointRedeployNonce":null,"statelessRedeployNonce":7,"autoscalerResetNonce":null');
    expect(read(text)).toMatchObject({
      ok: true,
      spec: { template: { spec: { job: { statelessRedeployNonce: 7 } } } },
    });
    expect(write({ template: { spec: { job: {} } } })).not.toContain('statelessRedeployNonce');
  });
});

describe('reading the recorded spec of a blue/green deployment', () => {
  it.each([
    ['', 'JSON object'],
    ['[]', 'JSON object'],
    ['{}', 'no spec'],
    ['{"spec":null}', 'not an object'],
    ['{"spec":{"template":"x"}}', 'spec.template'],
    ['{"spec":{"template":{"spec":{"job":{"parallelism":"two"}}}}}', 'spec.template.spec.job.parallelism'],
    ['{"spec":{"configuration":{"a":1}}}', 'spec.configuration'],
  ])('says why %.60s is none', (text, why) => {
    const result = read(text);
    expect(result.ok ? 'it was read' : result.reason).toContain(why);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof read(text).ok === 'boolean'));
  });

  it('leaves nulls out and keeps what it does not know', () => {
    const text = '{"spec":{"ingress":null,"transitionMode":"BASIC","template":{"metadata":null,"spec":{"newer":1}}}}';
    expect(read(text)).toEqual({ ok: true, spec: { transitionMode: 'BASIC', template: { spec: { newer: 1 } } } });
  });
});

describe('the recorded spec of a blue/green deployment', () => {
  const words = fc.dictionary(fc.constantFrom('x', 'y/z', '__proto__'), fc.constantFrom('a', ''), { maxKeys: 2 });
  const specs = fc.record(
    {
      configuration: words,
      ingress: fc.record({ template: fc.constantFrom('a', '/b'), annotations: words }, { requiredKeys: [] }),
      template: fc.record(
        { metadata: fc.record({ labels: words, annotations: words }, { requiredKeys: [] }), spec: deploymentSpecs },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<FlinkBlueGreenDeploymentSpec>;

  it('comes back as it was written: nothing differs, and the bytes are the same', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const text = write(spec);
        const back = read(text);
        if (!back.ok) throw new Error(back.reason);
        expect(blueGreenChange(spec, back.spec)).toMatchObject({ type: 'IGNORE', changes: [], text: '' });
        expect(write(back.spec)).toBe(text);
      }),
    );
  });
});
