import { resolve } from 'node:path';
import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { harmlessText } from '../../../portrait/text/harmless.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { listParameters, listPlans, listTasks, type ParameterListOptions } from '../../package/list.ts';
import { loadPackage } from '../../package/load-package.ts';
import { parsePackage } from '../../package/parse-package.ts';
import { operatorVersionOf } from '../../package/to-resources.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { inSession } from '../session.ts';

/** `package list parameters|plans|tasks` */
export function packageListCommand(shell: Shell): Command {
  const list = new Command('list').description('list what a package has').helpCommand(false);
  list.addCommand(
    listing('parameters', 'list the parameters')
      .option('-d, --descriptions', 'with descriptions', false)
      .option('-N, --names', 'only names', false)
      .option('-r, --required', 'only those that must be given: required, and without a default', false)
      .action(
        inSession<Required<ParameterListOptions>>(shell, async (session, options, [path = '']) => {
          const { descriptions, names, required } = options;
          if ([descriptions, names, required].filter(Boolean).length > 1) {
            throw new CommandError("only one of the flags 'required', 'names', 'descriptions' can be set");
          }
          const version = await versionIn(shell, path);
          const shown = (version.spec.parameters ?? []).filter(
            (one) => !required || (one.required && one.default == null),
          );
          if (session.answer(shown)) return;
          shell.write(harmlessText(listParameters(version, { descriptions, names, required })));
        }),
      ),
  );
  list.addCommand(
    listing('plans', 'list the plans, with their phases and steps')
      .option('-t, --with-tasks', 'with what each task does', false)
      .action(
        inSession<{ readonly withTasks: boolean }>(shell, async (session, { withTasks }, [path = '']) => {
          const version = await versionIn(shell, path);
          if (!session.answer(version.spec.plans ?? {})) shell.write(harmlessText(listPlans(version, withTasks)));
        }),
      ),
  );
  list.addCommand(
    listing('tasks', 'list the tasks').action(
      inSession(shell, async (session, _, [path = '']) => {
        const version = await versionIn(shell, path);
        if (!session.answer(version.spec.tasks ?? [])) shell.write(harmlessText(listTasks(version)));
      }),
    ),
  );
  return list;
}

function listing(name: string, description: string): Command {
  return new Command(name).description(description).argument('<package>', 'a folder or a .tgz file');
}

async function versionIn({ cwd }: Shell, path: string): Promise<OperatorVersion> {
  return operatorVersionOf(parsePackage(await loadPackage(resolve(cwd, path))), 'default');
}
