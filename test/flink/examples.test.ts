import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { flinkSessionJob } from '../../src/flink/resources/flink-session-job.ts';
import { flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const folder = join(import.meta.dirname, '..', '..', 'examples', 'flink');
/** Its jar would have to be fetched from a place that does not exist. */
const outOfReach = 'session-job-with-jar.yaml';
const types = [flinkDeployment, flinkSessionJob, flinkStateSnapshot, flinkBlueGreenDeployment].map(({ type }) => type);

/** As `kubectl apply` sends them: unchanged, strictly, in the namespace of the context. */
async function apply(stage: FlinkStage, file: string): Promise<readonly AnyObject[]> {
  const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'));
  const objects = documents.map((document) => document.toJS() as AnyObject);
  for (const object of objects) {
    const type = types.find(({ kind }) => kind === object.kind) ?? expect.fail(`${file}: what is a ${object.kind}?`);
    const placed = { ...object, metadata: { ...object.metadata, namespace } };
    await stage.person.resource(type).apply(placed, { manager: 'person', fieldValidation: 'Strict' });
  }
  return objects;
}

async function settled(stage: FlinkStage, { kind, metadata: { name = '' } }: AnyObject): Promise<void> {
  if (kind === 'FlinkStateSnapshot') {
    const state = (): unknown => stage.snapshots().find(({ metadata }) => metadata.name === name)?.status?.state;
    return stage.until(`${name} is COMPLETED`, () => state() === 'COMPLETED');
  }
  if (kind === 'FlinkBlueGreenDeployment') return new BlueGreenOnStage(stage, name).active('blue');
  return stage.stable(name, kind as 'FlinkDeployment' | 'FlinkSessionJob');
}

/** What each is an example of. */
const changeOver: Readonly<Record<string, (deployed: BlueGreenOnStage) => Promise<void>>> = {
  'bluegreen.yaml': async (deployed) => {
    await deployed.active('green');
    expect(deployed.side('green')?.metadata.labels).toMatchObject({ team: 'streams' });
    expect(deployed.leadsTo()).toBeUndefined();
  },
  'bluegreen-ingress.yaml': async (deployed) => {
    expect(deployed.leadsTo()).toBe(`${deployed.name}-blue-rest`);
    await deployed.active('green');
    expect(deployed.leadsTo()).toBe(`${deployed.name}-green-rest`);
  },
  'bluegreen-manual-promotion.yaml': async (deployed) => {
    await deployed.phase('verifying');
    await deployed.stage.clock.advance(60 * 60_000);
    expect(deployed.leadsTo()).toBe(`${deployed.name}-blue-rest`);
    expect(deployed.leadsTo(`${deployed.name}-preview`)).toBe(`${deployed.name}-green-rest`);
    await deployed.annotate('promote');
    await deployed.active('green');
    expect(deployed.leadsTo()).toBe(`${deployed.name}-green-rest`);
  },
  'bluegreen-rollback-window.yaml': async (deployed) => {
    await deployed.phase('keeping');
    expect(deployed.leadsTo()).toBe(`${deployed.name}-green-rest`);
    await deployed.annotate('rollback');
    await deployed.active('blue');
    expect(deployed.leadsTo()).toBe(`${deployed.name}-blue-rest`);
  },
};

describe('the example', () => {
  const files = readdirSync(folder).filter((file) => file !== outOfReach);

  it.each(files)('%s becomes what it says', async (file) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const objects = await apply(stage, file);
    expect(objects.length).toBeGreaterThan(0);
    for (const object of objects) await settled(stage, object);
  });

  it.each(files.filter((file) => file.startsWith('bluegreen')))('%s changes over as it says', async (file) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const [resource] = await apply(stage, file);
    const deployed = new BlueGreenOnStage(stage, resource?.metadata.name ?? expect.fail(`${file} is empty`));
    await deployed.active('blue');
    await deployed.editJob({ parallelism: 4 });
    await (changeOver[file] ?? expect.fail(`what is ${file} an example of?`))(deployed);
    expect(deployed.lastRun('green').origin.restoredFrom).toMatch(/^s3:\/\/my-bucket\/savepoints\//);
  });

  it(`${outOfReach} says that the jar cannot be had, and the session goes on`, async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    for (const object of await apply(stage, 'session.yaml')) await settled(stage, object);
    const [job] = await apply(stage, outOfReach);
    const name = job?.metadata.name ?? '';
    // Whoever resolves names on this machine answers in real time.
    const hears =
      /The job is not submitted yet: (https:\/\/jars\.invalid cannot be reached|the jar was not there within)/;
    await vi.waitFor(
      async () => {
        await stage.clock.advance(1_000);
        expect(stage.status(name, 'FlinkSessionJob').error).toMatch(hears);
      },
      { timeout: 50_000, interval: 50 },
    );
    expect(stage.condition(name, 'Ready', 'FlinkSessionJob')).toMatchObject({ status: 'False' });
    expect(stage.condition(name, 'Reconciling', 'FlinkSessionJob')?.message).toMatch(hears);
    expect(await stage.events(name, 'DeploymentDelayed')).toEqual([expect.stringMatching(hears)]);
    expect(stage.status('session-job-example', 'FlinkSessionJob')).toMatchObject({ lifecycleState: 'STABLE' });
  });
});
