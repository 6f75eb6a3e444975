import { Command, Option } from 'commander';
import type { Shell } from '../../portrait/text/shell.ts';
import { speakThrough } from '../../portrait/text/speak-through.ts';
import { getCommand } from './get.ts';
import { initCommand } from './init.ts';
import { installCommand } from './install.ts';
import { packageCreateCommand } from './package/create.ts';
import { packageListCommand } from './package/list.ts';
import { packageNewCommand } from './package/new.ts';
import { packageVerifyCommand } from './package/verify.ts';
import { planCancelCommand } from './plan/cancel.ts';
import { planHistoryCommand } from './plan/history.ts';
import { planStatusCommand } from './plan/status.ts';
import { planTriggerCommand } from './plan/trigger.ts';
import { planWaitCommand } from './plan/wait.ts';
import { diffCommand } from './preview/diff.ts';
import { graphCommand } from './preview/graph.ts';
import { renderCommand } from './preview/render.ts';
import { uninstallCommand } from './uninstall.ts';
import { updateCommand } from './update.ts';
import { upgradeCommand } from './upgrade.ts';
import { versionCommand } from './version.ts';

/** `cutover kudo …`, which is also `kubectl kudo …`. */
export function kudoCommand(shell: Shell): Command {
  const plan = grouped('plan', 'what plans do', [
    planStatusCommand(shell),
    planHistoryCommand(shell),
    planTriggerCommand(shell),
    planCancelCommand(shell),
    planWaitCommand(shell),
  ]);
  const packages = grouped('package', 'what authors of packages need', [
    packageNewCommand(shell),
    packageVerifyCommand(shell),
    packageCreateCommand(shell),
    packageListCommand(shell),
  ]);
  const kudo = grouped('kudo', 'operator packages, their Instances and plans', [
    initCommand(shell),
    installCommand(shell),
    updateCommand(shell),
    upgradeCommand(shell),
    uninstallCommand(shell),
    plan,
    packages,
    renderCommand(shell),
    diffCommand(shell),
    graphCommand(shell),
    getCommand(shell),
    versionCommand(shell),
  ])
    .option('--kubeconfig <file>', 'kubeconfig file (default: KUBECONFIG, the in-cluster files, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('-n, --namespace <name>', 'namespace (default: that of the context, else default)')
    .addOption(new Option('-o, --output <format>', 'print the answer as').choices(['json', 'yaml', 'text']));
  speakThrough(kudo, shell);
  return kudo;
}

function grouped(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description).helpCommand(false);
  for (const command of commands) group.addCommand(command);
  return group;
}
