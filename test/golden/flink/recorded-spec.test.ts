import { describe, expect, it } from 'vitest';
import { blueGreenSpecCodec } from '../../../src/flink/resources/blue-green-spec.ts';
import type { FlinkDeploymentSpec } from '../../../src/flink/resources/flink-deployment.ts';
import { deploymentSpecCodec } from '../../../src/flink/resources/recorded-spec.ts';
import { deploymentChange } from '../../../src/flink/resources/spec-change.ts';
import { expectListed } from './expect-listed.ts';
import { goldenCases } from './load.ts';

const deployments = goldenCases().filter(({ kind }) => kind === 'FlinkDeployment');

const recordings = deployments.flatMap(({ name, status, edits }) =>
  [{ name: 'creation', status }, ...edits].flatMap(({ name: where, status: { reconciliationStatus = {} } }) => {
    const { lastReconciledSpec, lastStableSpec } = reconciliationStatus;
    return [lastReconciledSpec, lastStableSpec]
      .filter((text) => text !== undefined)
      .map((text) => ({ case: name, where, text }));
  }),
);

const blueGreenRecordings = goldenCases()
  .filter(({ kind }) => kind === 'FlinkBlueGreenDeployment')
  .flatMap(({ name, status, edits }) =>
    [{ name: 'creation', status }, ...edits].flatMap(({ name: where, status: { lastReconciledSpec } }) =>
      lastReconciledSpec === undefined ? [] : [{ case: name, where, text: lastReconciledSpec }],
    ),
  );

describe('every recorded spec', () => {
  it('is read, and written back byte for byte', () => {
    expectListed(
      'recorded spec',
      recordings.flatMap(({ case: name, where, text }) => {
        const read = deploymentSpecCodec.read(text);
        const ours = read.ok ? deploymentSpecCodec.write(read) : read.reason;
        return ours === text ? [] : [{ case: name, where, detail: `recorded: ${text}\nours:     ${ours}` }];
      }),
    );
    expect(recordings.length).toBeGreaterThan(0);
  });

  it('of a blue/green deployment is read, and written back byte for byte', () => {
    for (const { case: name, where, text } of blueGreenRecordings) {
      const read = blueGreenSpecCodec.read(text);
      expect(read.ok ? blueGreenSpecCodec.write(read.spec) : read.reason, `${name} ${where}`).toBe(text);
    }
    expect(blueGreenRecordings.length).toBeGreaterThan(0);
  });

  it('is what Cutover would have recorded at the first deployment, but for the mode of its restore', () => {
    for (const { name, input, status } of deployments) {
      const text = status.reconciliationStatus?.lastReconciledSpec;
      const recorded = text === undefined ? undefined : deploymentSpecCodec.read(text);
      // What failed to deploy is recorded as suspended.
      if (!recorded?.ok || status.reconciliationStatus?.state !== 'DEPLOYED') continue;
      const { changes } = deploymentChange(recorded.spec, input.spec as FlinkDeploymentSpec);
      expect(
        changes.filter(({ path }) => path !== 'spec.job.upgradeMode'),
        name,
      ).toEqual([]);
    }
  });
});
