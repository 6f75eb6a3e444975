import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { planTree } from '../../../src/kudo/commands/print/plan-tree.ts';
import type { Instance } from '../../../src/kudo/resources/instance.ts';
import type { OperatorVersionSpec } from '../../../src/kudo/resources/operator-version.ts';
import { CommandComparison } from './command-comparison.ts';

interface Recorded {
  readonly versions: Readonly<Record<string, OperatorVersionSpec['plans']>>;
  readonly cases: readonly {
    readonly step: string;
    readonly instance: Pick<Instance, 'metadata' | 'spec'> & {
      readonly planStatus: NonNullable<Instance['status']>['planStatus'];
    };
    /** What `kubectl kudo plan status` printed. */
    readonly text: string;
  }[];
}

const folder = join(import.meta.dirname, 'commands');
const files = readdirSync(folder).filter((file) => /^\d.*\.json$/.test(file));

const comparison = new CommandComparison();
const steps: string[] = [];

afterAll(() => expect(comparison.stale(steps)).toEqual([]));

describe('the tree of plan status', () => {
  for (const file of files) {
    const { versions, cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
    it.each(cases)(`is as KUDO 0.19.0 printed it: ${file.replace('.json', '')} $step`, ({ step, instance, text }) => {
      const { planStatus, metadata, spec } = instance;
      const plan = Object.keys(planStatus ?? {})[0] ?? '';
      const object = {
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        metadata,
        spec,
        // Times are not recorded: what ran last is told as our operator tells it.
        status: { planStatus, latest: { plan, status: '', restart: 'no' } },
      } as Instance;
      const ours = planTree(object, { plans: versions[spec.operatorVersion?.name ?? ''] ?? {} });
      const name = `${file.replace('.json', '')}/${step}`;
      steps.push(name);
      comparison.compare(name, ours.split('\n'), text.split('\n'));
    });
  }
});
