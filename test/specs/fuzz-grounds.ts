import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import type { ClusterStage } from '../stage/cluster-stage.ts';
import { chosen } from './chosen.ts';
import type { Form } from './form.ts';
import { furnish, fuzzKind, operationsFor, type Report } from './fuzz-kind.ts';
import type { Ground } from './ground.ts';
import { publish, record } from './publish.ts';

/** Fuzzes kinds one after the other on one cluster, tells the results, and fails for everything that should not be. */
export async function fuzzGrounds(
  family: string,
  stage: ClusterStage,
  grounds: readonly Ground[],
  form: Form,
): Promise<void> {
  const reports: Report[] = [];
  for (const ground of grounds.filter(({ kind }) => form.isWanted(kind.type.kind))) {
    const random = seededRandom(11);
    await furnish(stage, ground);
    const operations = chosen(ground, operationsFor(ground), form.most, random);
    const report = await fuzzKind(stage, ground, operations, { chains: form.chains, random });
    record(report);
    reports.push(report);
    publish(family, form, reports);
  }
  expect(reports.flatMap(({ kind, untouched }) => untouched.map((text) => `${kind} ${text}`))).toEqual([]);
  expect(reports.flatMap(({ findings }) => findings.flatMap(complaints))).toEqual([]);
  expect(stage.bugs).toEqual([]);
}

function complaints({ kind, operation, problems }: Report['findings'][number]): readonly string[] {
  return problems.map((problem) => `${kind}: ${operation.name}: ${problem}`);
}
