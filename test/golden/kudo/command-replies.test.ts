import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Instance, InstanceStatus } from '../../../src/kudo/resources/instance.ts';
import { instance } from '../../../src/kudo/resources/instance.ts';
import { CommandStage, execution, past } from '../../kudo/commands/command-stage.ts';
import { CommandComparison } from './command-comparison.ts';
import { packagesFolder } from './package-recording.ts';

/** One command, and what KUDO's command line answered. */
interface Reply {
  readonly step: string;
  readonly command: string;
  readonly exit: number;
  readonly lines: readonly string[];
}

const replies = JSON.parse(
  readFileSync(join(import.meta.dirname, 'commands/replies.json'), 'utf8'),
) as readonly Reply[];
const packages = Map.groupBy(replies, ({ step }) => step.split('/')[0] ?? '');
const comparison = new CommandComparison();

/** What the operator has reported when these commands are given. */
const before: Readonly<Record<string, InstanceStatus>> = {
  '02-statefulset/10-running-other-plan-param-denied-cli': { execution: execution('deploy', 'u1') },
  '02-statefulset/12-running-manual-other-denied-cli': { execution: execution('deploy', 'u1') },
  '02-statefulset/15-running-upgrade-denied-cli': { execution: execution('deploy', 'u1') },
  '02-statefulset/16-running-retrigger-same-cli': { execution: execution('deploy', 'u1') },
  '02-statefulset/23-scale-after-upgrade': { execution: null as never },
  '01-configmap/36-plan-history-cli': {
    planStatus: {
      deploy: { status: 'COMPLETE', lastUpdatedTimestamp: '<time>' },
      tune: { status: 'COMPLETE', lastUpdatedTimestamp: '<time>' },
    },
  },
};

/** Every Instance is reported as accepted, and what was asked for as done. */
async function report(stage: CommandStage, namespace: string, status: InstanceStatus, uid: string): Promise<void> {
  const { items } = await stage.client.resource<Instance>(instance.type).list({ namespace });
  for (const { metadata, spec, status: seen } of items) {
    if (uid.startsWith('during') && seen?.observedGeneration === metadata.generation) continue;
    const plan = spec.planExecution?.planName || 'deploy';
    await stage.report(metadata.name ?? '', { history: [past(plan, uid, 'COMPLETE')], ...status }, namespace);
  }
}

afterAll(() => expect(comparison.stale(replies.map(({ step }) => step))).toEqual([]));

describe('commands that KUDO 0.19.0 was given', () => {
  it.each([...packages])('get the same answers: %s', async (name, given) => {
    await using stage = await CommandStage.open({ cwd: join(packagesFolder, name) });
    const namespace = `gold-${name.slice(0, 2)}`;
    const place: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await stage.client.resource<KubeObject>(kinds.namespaces).create(place);
    for (const [index, { step, command, exit, lines }] of given.entries()) {
      if (before[step]) await report(stage, namespace, before[step], `before-${index}`);
      const running = stage.start(...command.split(' '));
      const { out, err, code } = await running.ended(() => report(stage, namespace, {}, `during-${index}`));
      const said = [...out.split('\n'), ...err.split('\n').filter((line) => /^(Error|Warning): /.test(line))];
      const outcome = (failed: boolean): string => `exit ${failed ? 'with a failure' : 'well'}`;
      const ours = [...said.filter((line) => line !== ''), outcome(code !== 0)];
      comparison.compare(step, ours, [...lines.filter((line) => line !== ''), outcome(exit !== 0)]);
      await report(stage, namespace, {}, `after-${index}`);
    }
  });
});
