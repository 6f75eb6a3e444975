import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { clientOf } from './client-of.ts';
import { type Program, startProgram } from './start-program.ts';

/** Resolves when the sample is stable in this generation, as the cluster tells whoever has the kubeconfig. */
async function stable(program: Program, generation: number): Promise<FlinkDeployment> {
  await using client = await clientOf(join(program.home, '.cutover', 'kubeconfig'));
  const jobs = client.resource<FlinkDeployment>(flinkDeployment.type);
  const isStable = ({ status }: FlinkDeployment): boolean =>
    status?.lifecycleState === 'STABLE' &&
    status.observedGeneration === generation &&
    status.jobStatus?.state === 'RUNNING';
  const first = await jobs.get({ namespace: 'default', name: 'counter' });
  if (isStable(first)) return first;
  const { resourceVersion } = first.metadata;
  for await (const { type, object } of jobs.watch({ ...(resourceVersion && { resourceVersion }) })) {
    if (type !== 'BOOKMARK' && isStable(object)) return object;
  }
  throw new Error('the watch ended before the sample was stable');
}

describe('cutover start', () => {
  it('runs a sample that follows its file, and says what becomes of it', { timeout: 180_000 }, async () => {
    await using program = startProgram(['start', '--port', '0']);
    await program.says(/Ctrl-C stops it/);
    const sample = join(program.home, '.cutover', 'sample.yaml');
    const { stdout } = program.output;
    expect(stdout).toMatch(/^ {2}Cutover \d+\.\d+\.\d+: an embedded Kubernetes and the operator are running\.$/m);
    expect(stdout).toContain(`A Flink job that counts is in ${sample}.`);
    expect(stdout).toMatch(/^ {4}parallelism: 4 +the job is stopped with a savepoint/m);
    expect(stdout).toContain(`export KUBECONFIG=${join(program.home, '.cutover', 'kubeconfig')}`);
    await program.says(/^ {2}\d\d:\d\d:\d\d {2}FlinkDeployment counter is STABLE, its job RUNNING$/m);
    const before = await stable(program, 1);
    expect(before.spec.job?.parallelism).toBe(2);

    const original = readFileSync(sample, 'utf8');
    writeFileSync(sample, original.replace('parallelism: 2', 'parallelism: [2'));
    await program.says(/sample\.yaml is not applied: .* at line \d+, column \d+$/m);
    writeFileSync(sample, original.replace('parallelism: 2', 'paralellism: 2'));
    await program.says(/sample\.yaml is not applied: FlinkDeployment counter: .*paralellism: field not declared/);
    expect((await stable(program, 1)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);

    writeFileSync(sample, original.replace('parallelism: 2', 'parallelism: 4'));
    await program.says(/SpecChanged: UPGRADE .*job\.parallelism : 2 -> 4/);
    await program.says(/counter is UPGRADING[\s\S]*counter is STABLE, its job RUNNING/);
    const after = await stable(program, 2);
    expect(after.spec.job?.parallelism).toBe(4);
    expect(after.status?.jobStatus?.jobId).not.toBe(before.status?.jobStatus?.jobId);
    expect(after.status?.jobStatus?.upgradeSavepointPath).toMatch(/^s3:\/\/sample\/savepoints\/savepoint-/);

    program.kill('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.output.stdout).toMatch(/Stopping\.\n$/);
    expect(program.output.stderr).toBe('');
    expect(readdirSync(program.home)).toEqual(['.cutover']);
  });

  it('says in one line that the file of the sample cannot be used', async () => {
    const inTheWay = join(import.meta.filename, 'x.yaml');
    await using program = startProgram(['start', '--port', '0', '--sample', inTheWay]);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const line = /^cutover: the manifest \S+ cannot be used: .*start\.test\.ts.*\n$/;
    expect(program.output).toEqual({ stdout: '', stderr: expect.stringMatching(line) });
  });
});
