import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from './flink-deployment.ts';
import { deploymentSpecCodec, sessionJobSpecCodec } from './recorded-spec.ts';
import { deploymentSpecs } from './spec.fixture.ts';
import { deploymentChange } from './spec-change.ts';

const { read, write } = deploymentSpecCodec;

function specIn(text: string): FlinkDeploymentSpec {
  const result = read(text);
  if (!result.ok) throw new Error(result.reason);
  return result.spec;
}

function reasonOf(text: string): string {
  const result = read(text);
  return result.ok ? 'it was read' : result.reason;
}

describe('writing a recorded spec', () => {
  it('spells out what is absent, in the order of the Java operator', () => {
    const spec = { job: { parallelism: 2, jarURI: 'local:///a.jar' }, taskManager: { resource: { cpu: 1 } } };
    expect(write({ spec, firstDeployment: true })).toBe(
      '{"spec":{"job":{"jarURI":"local:///a.jar","parallelism":2,"entryClass":null,"args":[],"state":"running",' +
        '"savepointTriggerNonce":null,"initialSavepointPath":null,"checkpointTriggerNonce":null,' +
        '"upgradeMode":"stateless","allowNonRestoredState":null,"savepointRedeployNonce":null,' +
        '"autoscalerResetNonce":null},"restartNonce":null,"flinkConfiguration":{},"image":null,' +
        '"imagePullPolicy":null,"serviceAccount":null,"flinkVersion":null,"ingress":null,"podTemplate":null,' +
        '"jobManager":null,"taskManager":{"resource":{"cpu":1.0,"memory":null,"ephemeralStorage":null},' +
        '"replicas":null,"podTemplate":null},"logConfiguration":null,"mode":null},' +
        '"resource_metadata":{"apiVersion":"flink.apache.org/v1beta1","firstDeployment":true}}',
    );
  });

  it('writes the stateless redeploy nonce only when there is one', () => {
    const text = write({ spec: { job: { statelessRedeployNonce: 7 } }, firstDeployment: false });
    expect(text).toContain('"savepointRedeployNonce":null,"statelessRedeployNonce":7,"autoscalerResetNonce":null');
    expect(specIn(text).job?.statelessRedeployNonce).toBe(7);
  });

  it('writes a session job as the Java operator does', () => {
    const text = sessionJobSpecCodec.write({ spec: { deploymentName: 'session' }, firstDeployment: true });
    expect(text).toBe(
      '{"spec":{"job":null,"restartNonce":null,"flinkConfiguration":{},"deploymentName":"session"},' +
        '"resource_metadata":{"apiVersion":"flink.apache.org/v1beta1","firstDeployment":true}}',
    );
    expect(sessionJobSpecCodec.read(text)).toMatchObject({ ok: true, spec: { deploymentName: 'session' } });
  });

  it.each([
    [1, '1.0'],
    [0.75, '0.75'],
    [0, '0.0'],
    [12_000_000, '1.2E7'],
    [0.0001, '1.0E-4'],
  ])('writes %d cores as %s', (cpu, text) => {
    expect(write({ spec: { jobManager: { resource: { cpu } } }, firstDeployment: true })).toContain(`"cpu":${text},`);
  });
});

describe('reading a recorded spec', () => {
  it.each([
    ['', 'JSON object'],
    ['null', 'JSON object'],
    ['[]', 'JSON object'],
    ['"spec"', 'JSON object'],
    ['{"spec":', 'JSON object'],
    ['{}', 'no spec'],
    ['{"spec":null}', 'not an object'],
    ['{"spec":[]}', 'not an object'],
    ['{"spec":{"job":"x"}}', 'spec.job'],
    ['{"spec":{"job":{"parallelism":"two"}}}', 'spec.job.parallelism'],
    ['{"spec":{"flinkVersion":"v9_9"}}', 'spec.flinkVersion'],
  ])('says why %.60s is none', (text, why) => {
    expect(reasonOf(text)).toContain(why);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof read(text).ok === 'boolean'));
  });

  it('leaves nulls out and keeps what it does not know', () => {
    const text = '{"spec":{"image":null,"job":{"entryClass":null,"args":[]},"newer":{"a":1}}}';
    expect(read(text)).toEqual({ ok: true, spec: { job: { args: [] }, newer: { a: 1 } }, firstDeployment: false });
  });

  it.each(['{}', 'null', '{"firstDeployment":null}', '{"firstDeployment":"yes"}'])(
    'takes a spec with the metadata %s for a later deployment',
    (metadata) => {
      const read = deploymentSpecCodec.read(`{"spec":{},"resource_metadata":${metadata}}`);
      expect(read).toEqual({ ok: true, spec: {}, firstDeployment: false });
    },
  );

  it('reads the older format, a bare spec with its version', () => {
    expect(specIn('{"apiVersion":"v1beta1","image":"flink:1.20","job":{"parallelism":2}}')).toEqual({
      image: 'flink:1.20',
      job: { parallelism: 2 },
    });
  });

  it('takes a key named __proto__ for a key', () => {
    const spec = specIn('{"spec":{"flinkConfiguration":{"__proto__":{"a":1}}}}');
    expect(Object.keys(spec.flinkConfiguration ?? {})).toEqual(['__proto__']);
    expect(write({ spec, firstDeployment: true })).toContain('"flinkConfiguration":{"__proto__":{"a":1}}');
  });
});

describe('a recorded spec', () => {
  it('comes back as it was written: nothing differs, and the bytes are the same', () => {
    fc.assert(
      fc.property(deploymentSpecs, fc.boolean(), (spec, firstDeployment) => {
        const text = write({ spec, firstDeployment });
        const back = read(text);
        if (!back.ok) throw new Error(back.reason);
        expect(deploymentChange(spec, back.spec).changes).toEqual([]);
        expect(back.firstDeployment).toBe(firstDeployment);
        expect(write(back)).toBe(text);
      }),
    );
  });

  it('may nest as deep as anyone likes', () => {
    const deep = `${'{"a":'.repeat(50_000)}[1,{"b":2,"c":null},"x"]${'}'.repeat(50_000)}`;
    for (const spec of [`{"flinkConfiguration":${deep}}`, `{"podTemplate":{"spec":{"affinity":${deep}}}}`]) {
      const text = write({ spec: specIn(`{"spec":${spec}}`), firstDeployment: true });
      expect(text.includes(deep)).toBe(true);
      expect(write({ spec: specIn(text), firstDeployment: true }) === text).toBe(true);
      expect(deploymentChange(specIn(text), {}).type).toBe('UPGRADE');
    }
  });

  it('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(deploymentSpecs, (spec) => {
        expect(write({ spec: reversed(spec) as FlinkDeploymentSpec, firstDeployment: true })).toBe(
          write({ spec, firstDeployment: true }),
        );
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  );
}
