import { type Command, InvalidArgumentError, type Option } from 'commander';

/** Options of `cutover uninstall`. */
export interface UninstallOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where operators have their lease. */
  readonly leaseNamespace: string;
  /** The families whose resources are released; empty: all. */
  readonly family: readonly string[];
  /** The only namespaces in which resources are released; empty: all. */
  readonly watchNamespace: readonly string[];
  /** Kinds that are left alone, for they are another operator's: those that `operator --off` has. */
  readonly off: readonly string[];
  /** Go on although there is no lease, which is as if an operator had never led. */
  readonly withoutLease: boolean;
  /** Count, and change nothing. */
  readonly dryRun: boolean;
  /** Ask an operator that is alive to give way. */
  readonly wait: boolean;
  /** Seconds for all of it. */
  readonly timeout: number;
}

/** `cutover uninstall`: takes our finalizers off and leaves everything running. */
export function addUninstallCommand(
  cutover: Command,
  choices: { readonly families: Option; readonly namespaces: Option; readonly off: Option },
  run: (options: UninstallOptions) => Promise<void>,
): void {
  cutover
    .command('uninstall')
    .description('take the finalizers of Cutover off all resources, so that it can be removed; workloads go on running')
    .option('--kubeconfig <file>', 'kubeconfig file (default: KUBECONFIG, the in-cluster files, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--lease-namespace <name>', 'namespace in which the operator has its lease', 'default')
    .addOption(choices.families)
    .addOption(choices.namespaces)
    .addOption(choices.off)
    .option(
      '--without-lease',
      'go on where there is no lease: only if no operator runs, wherever it has its lease',
      false,
    )
    .option('--dry-run', 'say what would be done and change nothing', false)
    .option('--wait', 'ask an operator that is alive to give way, instead of refusing', false)
    .option('--timeout <seconds>', 'how long all of it may take', seconds, 300)
    .action((options: UninstallOptions) => run(options));
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}
