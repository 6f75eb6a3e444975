import { expect } from 'vitest';
import type { Surroundings } from '../../portrait/family.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import type { FlinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import type { Problem } from './problem.ts';

export const operator: OperatorConfig = { settings: {}, logFiles: {} };

/** Surroundings of which nothing is known: a manifest alone. */
export const nowhere: Surroundings = { find: () => 'unknown' };

/** Values by dotted path; `undefined` removes. Dots in a segment are written in brackets: `spec.flinkConfiguration[a.b]`. */
export type Edits = Readonly<Record<string, unknown>>;

export function edited<T extends object>(base: T, edits: Edits): T {
  const copy = structuredClone(base) as Record<string, unknown>;
  for (const [path, value] of Object.entries(edits)) {
    const segments = [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, bracketed]) => bracketed ?? whole);
    const last = segments.pop() ?? '';
    const holder = segments.reduce<Record<string, unknown>>((object, segment) => {
      object[segment] ??= {};
      return object[segment] as Record<string, unknown>;
    }, copy);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return copy as T;
}

export const deployment: FlinkDeployment = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkDeployment',
  metadata: { name: 'orders', namespace: 'shop' },
  spec: {
    image: 'flink:1.20',
    flinkVersion: 'v1_20',
    serviceAccount: 'flink',
    jobManager: { resource: { cpu: 1, memory: '2g' } },
    taskManager: { resource: { cpu: 1, memory: '2g' } },
    job: { jarURI: 'local:///opt/flink/usrlib/orders.jar', parallelism: 2 },
  },
};

export const blueGreen: FlinkBlueGreenDeployment = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkBlueGreenDeployment',
  metadata: { name: 'orders', namespace: 'shop' },
  spec: { template: { spec: deployment.spec } },
};

export const session: FlinkDeployment = edited(deployment, { 'metadata.name': 'pool', 'spec.job': undefined });

export const sessionJob: FlinkSessionJob = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkSessionJob',
  metadata: { name: 'clicks', namespace: 'shop' },
  spec: { deploymentName: 'pool', job: { jarURI: 'https://repo.example.com/clicks.jar', parallelism: 1 } },
};

export const snapshot: FlinkStateSnapshot = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkStateSnapshot',
  metadata: { name: 'orders-1', namespace: 'shop' },
  spec: { jobReference: { kind: 'FlinkDeployment', name: 'orders' }, savepoint: {} },
};

/** An example of a rule: what is refused, with words of the message, and what is accepted beside it. */
export interface Example<Context> {
  readonly refused: Edits;
  readonly accepted: Edits;
  /** Of the message, beside field and value. */
  readonly says: string;
  /** The field, where the rule is about several. */
  readonly field?: string;
  /** The value that the message shows. */
  readonly value: string;
  /** What holds in both. */
  readonly with?: Edits;
  readonly context?: Partial<Context>;
}

/** Words by which a message tells what to do. */
const wayOut = /\b(write|remove|set|use|name|create|change|lower|disable|correct|rename|begin|have)\b/i;

/** The message of a refusal says which field, which value, and the way out. */
export function expectRefusal(
  problems: readonly Problem[],
  rule: string,
  { says, value, field }: Example<unknown>,
  otherwise: string,
): void {
  expect(problems.map((problem) => problem.rule)).toContain(rule);
  const problem = problems.find((one) => one.rule === rule);
  const at = field ?? otherwise;
  expect(problem?.field).toBe(at);
  const name = /\[(.*)\]$/.exec(at)?.[1] ?? at;
  expect(problem?.message).toContain(name);
  expect(problem?.message).toContain(value);
  expect(problem?.message).toContain(says);
  expect(problem?.message).toMatch(wayOut);
}
