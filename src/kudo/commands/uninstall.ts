import { Command } from 'commander';
import { CommandError } from '../../portrait/text/command-error.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import type { Instance } from '../resources/instance.ts';
import { kudoOf, theInstance } from './cluster-objects.ts';
import { narrator } from './narrator.ts';
import { type InstanceOption, type WaitOptions, withInstance, withWait } from './options.ts';
import { failureOf } from './progress.ts';
import { inSession } from './session.ts';
import { waitFor } from './wait-for.ts';

/** `uninstall`: deletes an Instance; its plan `cleanup`, if it has one, runs before it goes. */
export function uninstallCommand(shell: Shell): Command {
  return withWait(withInstance(new Command('uninstall')), 'the Instance is gone')
    .description('delete an Instance and what its plans made; the package stays installed')
    .action(
      inSession<InstanceOption & WaitOptions>(shell, async (session, { instance: name, wait, waitTime }) => {
        const cluster = await session.cluster();
        const { namespace } = cluster;
        const { uid } = (await theInstance(cluster, name)).metadata;
        const preconditions = { ...(uid !== undefined && { uid }) };
        await kudoOf(cluster).instances.delete({ namespace, name }, { propagationPolicy: 'Background', preconditions });
        if (wait) {
          const narrate = narrator((text) => shell.writeError(text));
          await waitFor(shell, cluster, {
            instance: name,
            what: `instance ${namespace}/${name} to be gone`,
            seconds: waitTime,
            see: (seen) => {
              if (!seen || seen.metadata.uid !== uid) return true;
              if (seen.status?.execution) narrate(seen, seen.status.execution);
              return failed(seen, `${namespace}/${name}`);
            },
          });
        }
        session.say(`instance.kudo.dev/v1beta1/${name} deleted`);
        session.answer({ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { namespace, name, uid } });
      }),
    );
}

/** A cleanup plan that failed for good keeps the Instance for ever. */
function failed(instance: Instance, title: string): undefined {
  const { execution, planStatus = {} } = instance.status ?? {};
  const cleanup = Object.hasOwn(planStatus, 'cleanup') ? planStatus.cleanup : undefined;
  if (execution || cleanup?.status !== 'FATAL_ERROR') return undefined;
  const why = failureOf(instance, { ...cleanup, plan: 'cleanup' });
  throw new CommandError(
    `plan cleanup of instance ${title} failed: ${why}; to let the instance go without it, remove its finalizer kudo.dev.instance.cleanup`,
  );
}
