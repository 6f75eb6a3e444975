import { resolve } from 'node:path';
import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { loadPackage } from '../../package/load-package.ts';
import { parsePackage } from '../../package/parse-package.ts';
import {
  verificationFailure,
  verificationOutput,
  verificationText,
  verifyPackage,
} from '../../package/verify/verify-package.ts';
import { repeated } from '../options.ts';
import { inSession } from '../session.ts';

/** `package verify` */
export function packageVerifyCommand(shell: Shell): Command {
  return new Command('verify')
    .description('check a package: errors keep it from working, warnings are for its author to think about')
    .argument('<package>', 'a folder or a .tgz file')
    .option(
      '--param-checks <check>',
      'also check how parameters are described: display, hint, desc, type, hasgroup, groups, all; may be repeated',
      repeated,
      [],
    )
    .action(
      inSession<{ readonly paramChecks: readonly string[] }>(shell, async (session, { paramChecks }, [path = '']) => {
        const found = parsePackage(await loadPackage(resolve(shell.cwd, path)));
        const checks = paramChecks.flatMap((one) => one.split(',')).filter((one) => one !== '');
        const findings = verifyPackage(found, checks);
        if (!session.answer(verificationOutput(findings))) shell.write(verificationText(findings, harmless));
        const failure = verificationFailure(findings);
        if (failure !== undefined) throw new CommandError(failure);
      }),
    );
}
