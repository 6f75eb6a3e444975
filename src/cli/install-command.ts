import { type Command, InvalidArgumentError } from 'commander';

/** Options of `cutover install generate`. */
export interface GenerateOptions {
  /** Files with values of the chart, the later ones over the earlier. */
  readonly values: readonly string[];
  /** Single values, as `helm --set` takes them, over those of files. */
  readonly set: readonly string[];
  readonly namespace: string;
  readonly name: string;
  /** Whether the definitions of the kinds are printed too. */
  readonly crds: boolean;
  /** Only what can be deleted without losing what people have in the cluster. */
  readonly forDeletion: boolean;
}

/** Options of `cutover install create`. */
export interface CreateOptions {
  /** JSON or YAML: one object or a list of them. */
  readonly file: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** How long to wait for kinds that are not served yet. */
  readonly timeout: number;
}

/** What the commands do. */
export interface InstallCommands {
  generate(options: GenerateOptions): Promise<void>;
  create(options: CreateOptions): Promise<void>;
}

/** `cutover install`: what puts Cutover into a cluster. */
export function addInstallCommand(cutover: Command, commands: InstallCommands): void {
  const install = cutover.command('install').description('what puts Cutover into a cluster');
  const add = (text: string, before: readonly string[]): readonly string[] => [...before, text];
  const none: readonly string[] = [];

  install
    .command('generate')
    .description('print all that an installation consists of as one YAML, from the same chart that Helm installs')
    .option('--set <name=value>', 'set a value of the chart, as helm does; may be repeated', add, none)
    .option('--values <file>', 'file with values of the chart; may be repeated, later ones win', add, none)
    .option('--namespace <name>', 'namespace of the operator', 'cutover-system')
    .option('--name <release>', 'name of the release, which names its objects', 'cutover')
    .option('--include-crds', 'print the definitions of the kinds too (default)')
    .option('--no-crds', 'leave the definitions of the kinds out')
    .option(
      '--for-deletion',
      'print only what helm uninstall would delete, for kubectl delete: no definitions, no namespaces',
      false,
    )
    .action((options: GenerateOptions) => commands.generate(options));

  install
    .command('create')
    .description(
      'create the objects of a file that are missing, once their kinds are served; change none that is there',
    )
    .requiredOption('--file <file>', 'JSON or YAML with the objects')
    .option('--kubeconfig <file>', 'kubeconfig file (default: KUBECONFIG, the in-cluster files, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--timeout <seconds>', 'how long to wait for kinds that are not served yet', seconds, 240)
    .action((options: CreateOptions) => commands.create(options));
}

function seconds(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}
