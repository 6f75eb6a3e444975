import { Command } from 'commander';
import { CommandError } from '../../portrait/text/command-error.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { instance as instanceKind } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { bring } from './bring.ts';
import { kudoOf, operatorVersionOf, theInstance, titleOf } from './cluster-objects.ts';
import { commandManager } from './command-manager.ts';
import { foresee } from './foresee.ts';
import { type InstanceOption, type WaitOptions, withInstance, withWait } from './options.ts';
import { type SourceOptions, sourceOf, withSource } from './package-source.ts';
import { givenParameters, type ParameterOptions, unknownParameter, withParameters } from './parameters.ts';
import { markOf } from './progress.ts';
import { checkRequirements } from './requirements.ts';
import { compareVersions } from './semver.ts';
import { inSession } from './session.ts';
import { admitted, verdictText } from './verdict.ts';
import { waitForPlan } from './wait-for-plan.ts';

interface UpgradeOptions extends InstanceOption, ParameterOptions, SourceOptions, WaitOptions {
  readonly restart: boolean;
}

/** `upgrade`: a newer version of the package of an Instance. Everything is checked before anything is written. */
export function upgradeCommand(shell: Shell): Command {
  const command = withInstance(withSource(withParameters(new Command('upgrade'))));
  return withWait(command, 'the plan that it runs has ended')
    .description('bring an Instance to a newer version of its package')
    .argument('<package>', 'a folder, a .tgz file, or the name of an installed operator')
    .option('--no-restart', 'do not restart pods on account of this')
    .action(
      inSession<UpgradeOptions>(shell, async (session, options, [reference = '']) => {
        const { instance: name, wait, waitTime, restart } = options;
        const given = await givenParameters(shell, options);
        const cluster = await session.cluster();
        const { namespace, client } = cluster;
        const found = await theInstance(cluster, name);
        const before = await operatorVersionOf(cluster, found);
        const source = await sourceOf(session, reference, options);
        const { operator, operatorVersion: after } = source.root;
        checkNewer(before, after);
        await checkRequirements(session, client, operator);
        const stranger = unknownParameter(after, Object.keys(given));
        if (stranger !== undefined) throw new CommandError(stranger);
        const spec = {
          ...found.spec,
          operatorVersion: { name: after.metadata.name ?? '' },
          parameters: { ...found.spec.parameters, ...given },
        };
        const verdict = admitted({
          instance: found,
          name: { namespace, name },
          spec,
          versions: { after, ...(before && { before }) },
          restart,
        });
        if (verdict.is === 'start') {
          foresee(session, after, { name, namespace }, verdict.accepted.parameters, verdict.plan);
        }
        await bring(session, cluster, source);
        const body = {
          spec: {
            operatorVersion: spec.operatorVersion,
            ...(Object.keys(given).length > 0 && { parameters: given }),
            // Always said: what an earlier upgrade asked for must not count again.
            planExecution: { restart: restart ? null : false },
          },
        };
        const written = await kudoOf(cluster).instances.patch(
          { namespace, name },
          { type: 'merge', body },
          { fieldManager: commandManager },
        );
        session.say(`${titleOf(instanceKind.type, namespace, name)} updated`);
        session.note(verdictText(verdict));
        const end =
          wait && (await waitForPlan(shell, cluster, { instance: name, mark: markOf(written), seconds: waitTime }));
        session.answer(end ? end.instance : written);
      }),
    );
}

/** Only forwards, and only within one operator. A version whose old OperatorVersion is gone cannot be compared. */
export function checkNewer(before: OperatorVersion | undefined, after: OperatorVersion): void {
  if (!before) return;
  const [was, is] = [before.spec.operator?.name, after.spec.operator?.name];
  if (was !== is)
    throw new CommandError(`the instance is one of operator ${was}: it cannot be upgraded to operator ${is}`);
  const { version: old = '', appVersion: oldApp = '' } = before.spec;
  const { version = '', appVersion = '' } = after.spec;
  const difference = compareVersions(version, old);
  // The same package may come for a newer version of what it installs.
  if (difference === 0 && (compareVersions(appVersion, oldApp) ?? 0) > 0) return;
  if (difference === undefined || difference > 0) return;
  throw new CommandError(
    `upgraded version ${version} is the same or smaller as current version ${old} -> not upgrading`,
  );
}
