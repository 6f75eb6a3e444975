import { Command } from 'commander';
import { isKubeError } from '../../../kube/error.ts';
import type { Instance } from '../../resources/instance.ts';
import { kudoOf, theInstance } from '../cluster-objects.ts';
import { CommandError } from '../command-error.ts';
import { commandManager } from '../command-manager.ts';
import { type InstanceOption, waitTime, withInstance } from '../options.ts';
import { inSession } from '../session.ts';
import type { OpenedCluster, Shell } from '../shell.ts';
import { waitFor } from '../wait-for.ts';

interface CancelOptions extends InstanceOption {
  readonly wait: boolean;
  readonly waitTime: number;
}

/** `plan cancel`: ends the execution that runs now, and no later one. */
export function planCancelCommand(shell: Shell): Command {
  return withInstance(new Command('cancel'))
    .description('end the plan that runs; what it has applied stays')
    .option('--no-wait', 'do not wait until it has ended')
    .addOption(waitTime())
    .action(
      inSession<CancelOptions>(shell, async (session, { instance: name, wait, waitTime: seconds }) => {
        const cluster = await session.cluster();
        const title = `${cluster.namespace}/${name}`;
        const found = await theInstance(cluster, name);
        const { execution } = found.status ?? {};
        if (!execution) {
          session.say(`no plan of instance ${title} is running`);
          session.answer({ instance: name, cancelled: false });
          return;
        }
        if (execution.plan === 'cleanup') {
          throw new CommandError(
            `plan cleanup of instance ${title} cannot be cancelled: the instance is being deleted`,
          );
        }
        const isGone = (seen: Instance | undefined): boolean => seen?.status?.execution?.uid !== execution.uid;
        const requested = await waitFor(shell, cluster, {
          instance: name,
          what: `instance ${title} to take note of its plan`,
          seconds,
          // The operator writes down the name of the plan a moment after it has begun: only then it can be blanked.
          see: async (seen) => isGone(seen) || (await blank(cluster, seen)) || undefined,
        });
        if (!wait && requested !== true) session.say(`asked to cancel plan ${execution.plan} of instance ${title}`);
        if (wait) {
          await waitFor(shell, cluster, {
            instance: name,
            what: `plan ${execution.plan} of instance ${title} to end`,
            seconds,
            see: (seen) => isGone(seen) || undefined,
          });
        }
        const past = (await theInstance(cluster, name)).status?.history?.find(({ uid }) => uid === execution.uid);
        if (past && past.outcome !== 'CANCELED') {
          throw new CommandError(`plan ${execution.plan} of instance ${title} had ended before: ${past.outcome}`);
        }
        if (wait) session.say(`cancelled plan ${execution.plan} of instance ${title}`);
        session.answer({ instance: name, plan: execution.plan, uid: execution.uid, cancelled: past !== undefined });
      }),
    );
}

/** Blanks the name of the plan, unless something has happened to the Instance since it was read. */
async function blank(cluster: OpenedCluster, seen: Instance | undefined): Promise<'requested' | undefined> {
  if (!seen?.spec.planExecution?.planName) return undefined;
  const { name = '', namespace = '', resourceVersion } = seen.metadata;
  try {
    await kudoOf(cluster).instances.patch(
      { namespace, name },
      { type: 'merge', body: { metadata: { resourceVersion }, spec: { planExecution: { planName: '' } } } },
      { fieldManager: commandManager },
    );
    return 'requested';
  } catch (error) {
    if (isKubeError(error, 'conflict')) return undefined;
    throw error;
  }
}
