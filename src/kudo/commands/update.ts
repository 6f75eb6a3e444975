import { Command } from 'commander';
import { CommandError } from '../../portrait/text/command-error.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { kudoOf, theInstance, theOperatorVersionOf } from './cluster-objects.ts';
import { commandManager } from './command-manager.ts';
import { type InstanceOption, repeated, type WaitOptions, withInstance, withWait } from './options.ts';
import { givenParameters, type ParameterOptions, unknownParameter, withParameters } from './parameters.ts';
import { markOf } from './progress.ts';
import { inSession } from './session.ts';
import { admitted, verdictText } from './verdict.ts';
import { waitForPlan } from './wait-for-plan.ts';

interface UpdateOptions extends InstanceOption, WaitOptions, ParameterOptions {
  readonly unset: readonly string[];
}

/** `update`: other values for parameters of an Instance. */
export function updateCommand(shell: Shell): Command {
  return withWait(withParameters(withInstance(new Command('update'))), 'the plan that it runs has ended')
    .description('change parameters of an Instance; what that does is shown by `diff`')
    .option('--unset <name>', 'go back to the default of a parameter; may be repeated', repeated, [])
    .action(
      inSession<UpdateOptions>(shell, async (session, options) => {
        const { instance: name, unset, wait, waitTime } = options;
        const given = await givenParameters(shell, options);
        if (Object.keys(given).length + unset.length === 0) {
          throw new CommandError(
            'need to specify at least one parameter to override via -p, -P or --unset otherwise there is nothing to update',
          );
        }
        const cluster = await session.cluster();
        const { namespace } = cluster;
        const found = await theInstance(cluster, name);
        const version = await theOperatorVersionOf(cluster, found);
        const stranger = unknownParameter(version, Object.keys(given));
        if (stranger !== undefined) throw new CommandError(stranger);
        const kept = Object.entries(found.spec.parameters ?? {}).filter(([key]) => !unset.includes(key));
        const verdict = admitted({
          instance: found,
          name: { namespace, name },
          spec: { ...found.spec, parameters: { ...Object.fromEntries(kept), ...given } },
          versions: { before: version, after: version },
        });
        const parameters = { ...given, ...Object.fromEntries(unset.map((key) => [key, null])) };
        const written = await kudoOf(cluster).instances.patch(
          { namespace, name },
          { type: 'merge', body: { spec: { parameters } } },
          { fieldManager: commandManager },
        );
        session.say(`Instance ${name} was updated.`);
        session.note(verdictText(verdict));
        const end =
          wait && (await waitForPlan(shell, cluster, { instance: name, mark: markOf(written), seconds: waitTime }));
        session.answer(end ? end.instance : written);
      }),
    );
}
