import { Command } from 'commander';
import { isKubeError } from '../../../kube/error.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { OpenedCluster, Shell } from '../../../portrait/text/shell.ts';
import type { Instance } from '../../resources/instance.ts';
import { kudoOf, theInstance } from '../cluster-objects.ts';
import { commandManager } from '../command-manager.ts';
import { type InstanceOption, waitTime, withInstance } from '../options.ts';
import { inSession } from '../session.ts';
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
          what: `instance ${title} to take note of the request`,
          seconds,
          see: async (seen) => isGone(seen) || (await blank(cluster, seen, execution.uid)) || undefined,
        });
        const { planName: waiting = '' } = found.spec.planExecution ?? {};
        if (waiting !== '' && waiting !== execution.plan) {
          session.warn(`the trigger of plan ${waiting}, which waited, is withdrawn, too`);
        }
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

/** Blanks the name of the plan, beside the uid of what is to end, unless something has happened to the Instance since. */
async function blank(
  cluster: OpenedCluster,
  seen: Instance | undefined,
  uid: string,
): Promise<'requested' | undefined> {
  if (!seen) return undefined;
  const { name = '', namespace = '', resourceVersion } = seen.metadata;
  const planExecution = { planName: '', uid, status: null, override: null, restart: null };
  try {
    await kudoOf(cluster).instances.patch(
      { namespace, name },
      { type: 'merge', body: { metadata: { resourceVersion }, spec: { planExecution } } },
      { fieldManager: commandManager },
    );
    return 'requested';
  } catch (error) {
    if (isKubeError(error, 'conflict')) return undefined;
    throw error;
  }
}
