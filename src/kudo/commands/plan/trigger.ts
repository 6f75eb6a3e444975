import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { didYouMean } from '../../../portrait/text/near-names.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { kudoOf, theInstance, theOperatorVersionOf } from '../cluster-objects.ts';
import { commandManager } from '../command-manager.ts';
import { type InstanceOption, type WaitOptions, withInstance, withWait } from '../options.ts';
import { markOf } from '../progress.ts';
import { inSession } from '../session.ts';
import { waitForPlan } from '../wait-for-plan.ts';

interface TriggerOptions extends InstanceOption, WaitOptions {
  readonly name: string;
  readonly override: boolean;
  readonly restart: boolean;
}

/** `plan trigger`: runs a plan by name. */
export function planTriggerCommand(shell: Shell): Command {
  return withWait(withInstance(new Command('trigger')), 'the plan has ended')
    .description('run a plan of an Instance')
    .requiredOption('--name <plan>', 'name of the plan')
    .option('--override', 'run it at once, instead of the plan that runs now', false)
    .option('--no-restart', 'do not restart pods on account of this')
    .action(
      inSession<TriggerOptions>(shell, async (session, options) => {
        const { instance: name, name: plan, override, restart, wait, waitTime } = options;
        const cluster = await session.cluster();
        const { namespace } = cluster;
        const found = await theInstance(cluster, name);
        const version = await theOperatorVersionOf(cluster, found);
        const plans = Object.keys(version.spec.plans ?? {});
        if (!plans.includes(plan)) {
          const known = didYouMean(plan, plans) || ` ${version.metadata.name} has: ${plans.sort().join(', ')}`;
          throw new CommandError(`plan ${plan} does not exist.${known}`);
        }
        const deleted = found.metadata.deletionTimestamp !== undefined;
        if (plan === 'cleanup' && !deleted) {
          throw new CommandError('plan cleanup runs only when the instance is deleted: use `uninstall`');
        }
        if (deleted && plan !== 'cleanup') {
          throw new CommandError(`instance ${namespace}/${name} is being deleted: no plan but cleanup runs any more`);
        }
        // A merge patch keeps what it does not name: the wishes of an earlier trigger must not count again.
        const planExecution = {
          planName: plan,
          uid: shell.random.uuid(),
          status: null,
          override: override || null,
          restart: restart ? null : false,
        };
        const written = await kudoOf(cluster).instances.patch(
          { namespace, name },
          { type: 'merge', body: { spec: { planExecution } } },
          { fieldManager: commandManager },
        );
        session.say(`Triggered ${plan} plan for ${namespace}/${name} instance`);
        const running = found.status?.execution?.plan;
        if (running !== undefined && running !== plan && !override && !wait) {
          session.warn(`plan ${running} is running; ${plan} runs after it. To run it at once, add --override`);
        }
        const end =
          wait &&
          (await waitForPlan(shell, cluster, { instance: name, mark: markOf(written, plan), seconds: waitTime }));
        session.answer(end ? (end.past ?? {}) : written.spec.planExecution);
      }),
    );
}
