import { Command } from 'commander';
import type { Shell } from '../../../portrait/text/shell.ts';
import { theInstance } from '../cluster-objects.ts';
import { narrator } from '../narrator.ts';
import { type InstanceOption, type WaitOptions, waitTime, withInstance } from '../options.ts';
import { inSession } from '../session.ts';
import { standingEnd, standingMark } from './standing.ts';

/** `plan wait`: for scripts. Exit code 0: COMPLETE; 1: failed, cancelled or superseded; 2: not yet when time was up. */
export function planWaitCommand(shell: Shell): Command {
  return withInstance(new Command('wait'))
    .description(
      'wait until the plan that runs has ended; exit code 0: complete, 1: failed or cancelled, 2: time is up',
    )
    .option('--name <plan>', 'wait for this plan (default: whichever runs)')
    .addOption(waitTime())
    .action(
      inSession<InstanceOption & Pick<WaitOptions, 'waitTime'> & { readonly name?: string }>(
        shell,
        async (session, options) => {
          const cluster = await session.cluster();
          const found = await theInstance(cluster, options.instance);
          const narrate = narrator((text) => shell.writeError(text));
          const { instance, failure } = await standingEnd(shell, cluster, {
            instance: options.instance,
            mark: standingMark(found, options.name),
            seconds: options.waitTime,
            onLook: (seen) => void (seen.status?.execution && narrate(seen, seen.status.execution)),
          });
          const { status } = instance;
          const last = status?.history?.find(({ plan }) => options.name === undefined || plan === options.name);
          if (last && !session.answer(last)) {
            session.say(`plan ${last.plan} of instance ${cluster.namespace}/${options.instance}: ${last.outcome}`);
          }
          if (failure) throw failure;
        },
      ),
    );
}
