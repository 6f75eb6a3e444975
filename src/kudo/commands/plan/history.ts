import { Command } from 'commander';
import type { Shell } from '../../../portrait/text/shell.ts';
import { operatorVersionOf, theInstance } from '../cluster-objects.ts';
import { type InstanceOption, withInstance } from '../options.ts';
import { planHistory } from '../print/history.ts';
import { inSession } from '../session.ts';

/** `plan history`: which plans ran, why, whether pods restarted, and how it ended. */
export function planHistoryCommand(shell: Shell): Command {
  return withInstance(new Command('history'))
    .description('show which plans ran, what caused them, whether they restarted pods, and how they ended')
    .option('--name <plan>', 'only this plan')
    .action(
      inSession<InstanceOption & { readonly name?: string }>(shell, async (session, { instance, name }) => {
        const cluster = await session.cluster();
        const found = await theInstance(cluster, instance);
        const history = (found.status?.history ?? []).filter(({ plan }) => name === undefined || plan === name);
        if (session.answer(history)) return;
        shell.write(planHistory(found, (await operatorVersionOf(cluster, found))?.spec, name));
      }),
    );
}
