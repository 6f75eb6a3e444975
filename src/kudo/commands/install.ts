import { Command } from 'commander';
import type { KubeObject } from '../../kube/object.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { documents } from '../../portrait/text/formatted.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { instanceOf } from '../package/to-resources.ts';
import { instance as instanceKind } from '../resources/instance.ts';
import { bring } from './bring.ts';
import { find, kudoOf, titleOf } from './cluster-objects.ts';
import { commandManager } from './command-manager.ts';
import { createNamespace } from './create-namespace.ts';
import { foresee } from './foresee.ts';
import { type WaitOptions, withWait } from './options.ts';
import { type SourceOptions, sourceOf, withSource } from './package-source.ts';
import {
  givenParameters,
  missingParameters,
  type ParameterOptions,
  unknownParameter,
  withParameters,
} from './parameters.ts';
import { markOf } from './progress.ts';
import { checkRequirements } from './requirements.ts';
import { inSession } from './session.ts';
import { admitted } from './verdict.ts';
import { waitForPlan } from './wait-for-plan.ts';

interface InstallOptions extends ParameterOptions, SourceOptions, WaitOptions {
  readonly instance?: string;
  readonly skipInstance: boolean;
  readonly createNamespace: boolean;
  readonly dryRun: boolean;
}

/** `install`: a package, what it needs, and an Instance of it. Everything is checked before anything is written. */
export function installCommand(shell: Shell): Command {
  return withWait(withSource(withParameters(new Command('install'))), 'its plan deploy has ended')
    .description('install a package, and an Instance of it')
    .argument('<package>', 'a folder, a .tgz file, or the name of an installed operator')
    .option('--instance <name>', 'name of the Instance (default: <operator>-instance)')
    .option('--skip-instance', 'install the package, and no Instance', false)
    .option('--create-namespace', 'create the namespace if there is none', false)
    .option(
      '--dry-run',
      'print the objects that would be created, as YAML unless -o says otherwise, and do nothing',
      false,
    )
    .action(
      inSession<InstallOptions>(shell, async (session, options, [reference = '']) => {
        const given = await givenParameters(shell, options);
        const cluster = await session.cluster();
        const { client, namespace } = cluster;
        const source = await sourceOf(session, reference, options);
        const { root } = source;
        const name = options.instance ?? `${root.operator.metadata.name}-instance`;
        const created = instanceOf(root, name, given);
        await checkRequirements(session, client, root.operator);
        if (!options.skipInstance) {
          const missing = missingParameters(root.operatorVersion, given);
          if (missing.length > 0) {
            throw new CommandError(`missing required parameters during installation: ${missing.join(',')}`);
          }
          const stranger = unknownParameter(root.operatorVersion, Object.keys(given));
          if (stranger !== undefined) session.warn(stranger);
          const versions = { after: root.operatorVersion };
          admitted({ name: { namespace, name }, spec: created.spec, versions });
          foresee(session, root.operatorVersion, { name, namespace }, given);
          if (await find(kudoOf(cluster).instances, namespace, name)) {
            throw new CommandError(
              `cannot install instance '${name}' because an instance of that name already exists in namespace ${namespace}`,
            );
          }
        }
        if (options.dryRun) {
          const packages = [...source.dependencies, root].flatMap((one) => [one.operator, one.operatorVersion]);
          const objects = [...packages, ...(options.skipInstance ? [] : [created])];
          if (session.format !== 'json') shell.write(documents(objects));
          else session.answer(listOf(objects));
          return;
        }
        const objects: KubeObject[] = options.createNamespace
          ? [...(await createNamespace(session, cluster, root, created))]
          : [];
        objects.push(...(await bring(session, cluster, source)));
        if (options.skipInstance) return void session.answer(listOf(objects));
        const written = await kudoOf(cluster).instances.create(created, { fieldManager: commandManager });
        const title = titleOf(instanceKind.type, namespace, name);
        session.say(`${title} created`);
        if (options.wait) {
          await waitForPlan(shell, cluster, { instance: name, mark: markOf(written), seconds: options.waitTime });
          session.say(`${title} ready`);
        }
        session.answer(listOf([...objects, written]));
      }),
    );
}

function listOf(items: readonly KubeObject[]): unknown {
  return { apiVersion: 'v1', kind: 'List', items };
}
