import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { clientOf } from './client-of.ts';
import { type Program, startProgram } from './start-program.ts';

/** Resolves with an object once it is as wanted, as the cluster tells whoever has the kubeconfig. */
async function seen<T extends KubeObject>(
  program: Program,
  of: ResourceType,
  name: string,
  isWanted: (object: T) => boolean,
): Promise<T> {
  await using client = await clientOf(join(program.home, '.cutover', 'kubeconfig'));
  const objects = client.resource<T>(of);
  const first = await objects.get({ namespace: 'default', name });
  if (isWanted(first)) return first;
  const { resourceVersion } = first.metadata;
  for await (const { type, object } of objects.watch({ ...(resourceVersion && { resourceVersion }) })) {
    if (type !== 'BOOKMARK' && object.metadata.name === name && isWanted(object)) return object;
  }
  throw new Error(`the watch ended before ${name} was as wanted`);
}

/** Resolves when the sample is stable in this generation. */
function stable(program: Program, generation: number): Promise<FlinkDeployment> {
  return seen<FlinkDeployment>(program, flinkDeployment.type, 'counter', ({ status }) => {
    const isCurrent = status?.observedGeneration === generation;
    return isCurrent && status.lifecycleState === 'STABLE' && status.jobStatus?.state === 'RUNNING';
  });
}

/** Resolves when the other sample is as its edit in this generation demands, or was given up. */
function settled(program: Program, generation: number): Promise<FlinkBlueGreenDeployment> {
  return seen<FlinkBlueGreenDeployment>(program, flinkBlueGreenDeployment.type, 'orders', ({ status }) => {
    return status?.observedGeneration === generation && status.serving !== undefined && !status.transition;
  });
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

  it('changes a blue/green deployment over, and gives up a side that fails', { timeout: 180_000 }, async () => {
    await using program = startProgram(['start', '--port', '0']);
    await program.says(/Ctrl-C stops it/);
    const sample = join(program.home, '.cutover', 'blue-green.yaml');
    const { stdout } = program.output;
    expect(stdout).toContain(` is in ${sample}. There:\n\n    parallelism: 4 `);
    for (const edit of [
      'job: {parallelism: 4}',
      'job: {args: [--fail-at-start]}',
      'job: {statelessRedeployNonce: 1}',
    ]) {
      const patch = `spec: {template: {spec: {${edit}}}}`;
      expect(stdout).toContain(`\n    kubectl patch flinkbgdep orders --type merge -p '${patch}'\n`);
    }
    await program.says(/^ {2}\d\d:\d\d:\d\d {2}FlinkBlueGreenDeployment orders is ACTIVE_BLUE, blue serves$/m);

    // However slow this machine is, only what is broken is given up.
    const original = readFileSync(sample, 'utf8').replace('grace-period: 30s', 'grace-period: 10min');
    writeFileSync(sample, original.replace('parallelism: 2', 'parallelism: 4'));
    await program.says(/orders is TRANSITIONING_TO_GREEN, blue serves[\s\S]*orders: TrafficMoved: Traffic is at green/);
    await program.says(/orders is ACTIVE_GREEN, green serves[\s\S]*orders-blue is gone/);
    const { status: after } = await settled(program, 2);
    expect(after?.history?.[0]).toMatchObject({ outcome: 'promoted', restoredFrom: expect.stringMatching(/^s3:/) });

    const broken = original.replace('parallelism: 2', 'parallelism: 4').replace('args: []', 'args: [--fail-at-start]');
    writeFileSync(sample, broken.replace('grace-period: 10min', 'grace-period: 1s'));
    await program.says(/! FlinkBlueGreenDeployment orders: TransitionAborted: The transition to blue was aborted: /);
    const { status: aborted } = await settled(program, 3);
    expect(aborted).toMatchObject({ blueGreenState: 'ACTIVE_GREEN', serving: after?.serving });
    expect(program.output.stderr).toBe('');
  });

  it('follows a file of its own instead', { timeout: 180_000 }, async () => {
    await using program = startProgram(['start', '--port', '0', '--sample', 'mine/job.yaml']);
    await program.says(/Ctrl-C stops it/);
    const mine = join(program.home, 'mine', 'job.yaml');
    expect(program.output.stdout).toContain(`A Flink job that counts is in ${mine}.`);
    expect(program.output.stdout).not.toMatch(/blue.green|flinkbgdep/);
    await program.says(/job\.yaml is applied/);
    expect(readdirSync(join(program.home, '.cutover'))).toEqual(['kubeconfig']);
  });

  it('says in one line that the file of the sample cannot be used', async () => {
    const inTheWay = join(import.meta.filename, 'x.yaml');
    await using program = startProgram(['start', '--port', '0', '--sample', inTheWay]);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const line = /^cutover: the manifest \S+ cannot be used: .*start\.test\.ts.*\n$/;
    expect(program.output).toEqual({ stdout: '', stderr: expect.stringMatching(line) });
  });

  it('serves the CF API, where a sample app runs', { timeout: 180_000 }, async () => {
    await using program = startProgram(['start', '--port', '0', '--cf-api-port', '0']);
    const [, url = ''] = await program.says(/^ {4}cf api (http:\/\/127\.0\.0\.1:\d+)$/m);
    expect(program.output.stdout).toContain('cf target -o demo -s dev');
    await program.says(/^ {2}\d\d:\d\d:\d\d {2}CFApp hello is started$/m);
    const { cf_on_k8s: onKubernetes } = (await (await fetch(url)).json()) as { cf_on_k8s: boolean };
    expect(onKubernetes).toBe(true);
    expect((await fetch(`${url}/v3/apps`)).status).toBe(401);
    program.kill('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.output.stderr).toBe('');
  });

  it('installs a package, whose quiet parameter restarts nothing', { timeout: 180_000 }, async () => {
    await using program = startProgram(['start', '--port', '0', '--cf-api-port', '0']);
    await program.says(/kudo update --instance ledger -p NODE_COUNT=4/);
    await program.says(/Instance ledger is deploy COMPLETE, ready$/m);
    const kubeconfig = join(program.home, '.cutover', 'kubeconfig');
    const change = ['kudo', '--kubeconfig', kubeconfig, 'update', '--instance', 'ledger', '-p'];
    await using quiet = startProgram([...change, 'NODE_COUNT=4', '--wait']);
    expect(await quiet.ended).toEqual({ code: 0, signal: null });
    expect(program.output.stdout).not.toContain('restarting pods');
    await using loud = startProgram([...change, 'CURRENCY=CHF', '--wait']);
    expect(await loud.ended).toEqual({ code: 0, signal: null });
    await program.says(/Instance ledger is deploy COMPLETE, restarting pods of \S+/);
  });
});
