import { Command } from 'commander';
import type { Shell } from '../../portrait/text/shell.ts';
import { group } from '../keys.ts';
import { inSession } from './session.ts';

/** `version`: of this program, and of the resources that it speaks. */
export function versionCommand(shell: Shell): Command {
  return new Command('version').description('print the version').action(
    inSession(shell, async (session) => {
      const apiVersion = `${group}/v1beta1`;
      if (!session.answer({ version: shell.version, apiVersion }))
        session.say(`cutover ${shell.version} (${apiVersion})`);
    }),
  );
}
