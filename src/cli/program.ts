import { Command, InvalidArgumentError, Option } from 'commander';
import { addInstallCommand, type InstallCommands } from './install-command.ts';
import { words as steerWords, type Word } from './steer/words.ts';
import { addUninstallCommand, type UninstallOptions } from './uninstall/uninstall-command.ts';

/** Options of `cutover embedded`. */
export interface EmbeddedOptions {
  /** Directory that keeps the cluster between runs; absent: the cluster lives in memory. */
  readonly data?: string;
  /** The port the user insists on; absent: 6443, or any free port when that is taken. */
  readonly port?: number;
  /** Where the kubeconfig file goes. */
  readonly kubeconfig: string;
}

/** Options of `cutover start`. */
export interface StartOptions extends EmbeddedOptions {
  /** A manifest that is followed instead of the samples. */
  readonly sample?: string;
  /** The port of the CF API that the user insists on; absent: 8443, or any free port when that is taken. */
  readonly cfApiPort?: number;
  /** The port of the dashboard that the user insists on; absent: 8090, or any free port when that is taken. */
  readonly dashboardPort?: number;
}

/** Options of `cutover operator`. */
export interface OperatorOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Print decisions, write nothing. */
  readonly observeOnly: boolean;
  /** Several replicas, one at work. */
  readonly leaderElect: boolean;
  /** Among how many leases the work is shared; absent: one replica does it all. */
  readonly shards?: number;
  /** Where the lease lives. */
  readonly leaseNamespace: string;
  /** Port of `/livez`, `/readyz` and `/metrics`. */
  readonly healthPort: number;
  /** Least severe log lines that are written. */
  readonly logLevel: LogLevel;
  /** Controllers that are switched off. */
  readonly off: readonly string[];
  /** Controllers that take their kind over from the one that managed it before. */
  readonly takeover: readonly string[];
  /** File or directory with the configuration of the Flink family. */
  readonly flinkConfig?: string;
  /** Where the dashboard is served; absent: nowhere. */
  readonly dashboardPort?: number;
  readonly dashboardHost: string;
  /** Directory with `tls.crt` and `tls.key` for it. */
  readonly dashboardCerts?: string;
  /** File with a key by which sessions outlive the process. */
  readonly dashboardKey?: string;
  /** Nobody can do anything by it. */
  readonly dashboardReadOnly: boolean;
  /** File that says who is told of what happens. */
  readonly notify?: string;
  /** Where the admission webhooks are served; absent: nowhere. */
  readonly webhookPort?: number;
  /** Directory with `tls.crt` and `tls.key` for them. */
  readonly webhookCerts?: string;
  /** The Service of the webhooks, for which the operator keeps certificates itself, in a Secret beside the lease. */
  readonly webhookService?: string;
  /** The webhook configurations that are to trust those certificates; absent: those of the Service's name. */
  readonly webhookConfiguration?: string;
  /** How JobManagers are reached: `direct`, `proxy`, or a URL with `{namespace}` and `{name}` in it. */
  readonly flinkRest?: string;
  /** The namespace of a Java operator that may be alive, where it keeps its lease. */
  readonly flinkOtherOperator?: string;
  /** The only namespaces that are looked at; empty: all. */
  readonly watchNamespace: readonly string[];
  /** The families that run; empty: those whose definitions are installed. */
  readonly family: readonly string[];
  /** File with the configuration of the Cloud Foundry family. */
  readonly cfConfig?: string;
  /** Where the CF API is served; absent: nowhere. */
  readonly cfApiPort?: number;
  readonly cfApiHost: string;
  /** Directory with `tls.crt` and `tls.key` for it. */
  readonly cfApiCerts?: string;
  /** Believe what a proxy in front of it says of the address that clients use. */
  readonly cfTrustForwarded: boolean;
  /** The image of the container that waits in the pods of KUDO's Pipe tasks. */
  readonly kudoWaiterImage?: string;
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof logLevels)[number];

/** What each command does; the composition root supplies it, so that this folder knows no family and no server. */
export interface Commands {
  start(options: StartOptions): Promise<void>;
  embedded(options: EmbeddedOptions): Promise<void>;
  operator(options: OperatorOptions): Promise<void>;
  /** Everything behind `cutover kudo`, which has a command line of its own. */
  kudo(args: readonly string[]): Promise<void>;
  /** A command that sees or steers workloads; its options are its own. */
  steer(word: Word, args: readonly string[]): Promise<void>;
  /** Everything behind `cutover install`. */
  readonly install: InstallCommands;
  uninstall(options: UninstallOptions): Promise<void>;
  version(): string;
  /** Names of the controllers that `operator` can run: the kinds in lower case. */
  readonly controllers: readonly string[];
  /** Names of the families that `operator` can run. */
  readonly families: readonly string[];
}

/** The command line. Mistakes in it are one line on standard error and exit code 1. `called`: how the person calls it. */
export function program(commands: Commands, called = 'cutover'): Command {
  const kinds = repeatable(commands.controllers, 'controller');
  const families = repeatable(commands.families, 'family');
  const cutover = new Command(called)
    .description('Redeploys stateful workloads on Kubernetes without downtime and without losing state.')
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) })
    .version(commands.version(), '--version', 'print the version')
    .showHelpAfterError(false)
    // What follows `kudo` and the words of `steer/` is their own.
    .enablePositionalOptions();

  withCluster(cutover.command('start'))
    .description('run a Kubernetes, the operator and samples in this process: the way to see what Cutover does')
    .option('--sample <file>', 'follow this manifest, written if absent, instead of the two samples in .cutover')
    .option('--cf-api-port <n>', 'serve the CF API on this port of 127.0.0.1 (default: 8443, or a free one)', port)
    .option(
      '--dashboard-port <n>',
      'serve the dashboard on this port of 127.0.0.1 (default: 8090, or a free one)',
      port,
    )
    .action((options: StartOptions) => commands.start(options));

  withCluster(cutover.command('embedded'))
    .description('run a Kubernetes in this process, and nothing else in it')
    .action((options: EmbeddedOptions) => commands.embedded(options));

  cutover
    .command('operator')
    .description('run the operator against the cluster that the kubeconfig (or the pod it runs in) names')
    .option('--kubeconfig <file>', 'kubeconfig file (default: KUBECONFIG, the in-cluster files, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--observe-only', 'print decisions and write nothing', false)
    .option('--no-leader-elect', 'do not take the leader lease: for a single replica only')
    .option(
      '--shards <n>',
      'share the work among replicas by this many leases (default: one leader does it all)',
      shards,
    )
    .option('--lease-namespace <name>', 'namespace of the leader lease', 'default')
    .option('--health-port <n>', 'port of /livez, /readyz and /metrics; 0 takes a free one', port, 8080)
    .addOption(new Option('--log-level <level>', 'least severe log lines to write').choices(logLevels).default('info'))
    .addOption(families('--family <name>', 'run this family (default: those whose definitions are installed)'))
    .addOption(
      watchNamespace(
        'look at this namespace only; may be repeated; not for Cloud Foundry, whose spaces are namespaces',
      ),
    )
    .addOption(kinds('--off <kind>', 'leave this kind to others: do not even watch it'))
    .addOption(kinds('--takeover <kind>', 'take this kind over at once from a controller that was stopped'))
    .option('--flink-config <path>', "file or directory with Flink's defaults, as the Java operator has them")
    .option('--flink-rest <way>', flinkRestHelp, flinkRest)
    .option(
      '--flink-other-operator <namespace>',
      'namespace of a Java operator: while it renews its lease there, its kinds are left to it',
      oneNamespace,
    )
    .option('--cf-config <file>', 'file with the settings of Cloud Foundry: domain, defaults of processes, runner')
    .option('--cf-api-port <n>', 'serve the CF API on this port (default: do not)', port)
    .option('--cf-api-host <address>', 'address that the CF API listens on', '0.0.0.0')
    .option('--cf-api-certs <dir>', 'directory with tls.crt and tls.key for the CF API; without it, plain HTTP')
    .option('--cf-trust-forwarded', 'believe X-Forwarded-Proto and -Host: only behind a proxy that sets them', false)
    .option(
      '--kudo-waiter-image <image>',
      "image of the waiting container in pods of KUDO's Pipe tasks (default: busybox)",
    )
    .option('--dashboard-port <n>', 'serve the dashboard on this port (default: do not)', port)
    .option('--dashboard-host <address>', 'address that the dashboard listens on', '127.0.0.1')
    .option('--dashboard-certs <dir>', 'directory with tls.crt and tls.key for the dashboard; without it, plain HTTP')
    .option(
      '--dashboard-key <file>',
      'file with 32 bytes or more: sessions then hold on every replica and after a restart',
    )
    .option('--dashboard-read-only', 'let nobody do anything by the dashboard', false)
    .option('--notify <file>', 'file that says which webhooks are told of which events, as CloudEvents')
    .option('--webhook-port <n>', 'serve admission webhooks on this port (default: do not)', port)
    .option('--webhook-certs <dir>', 'directory with tls.crt and tls.key for the webhooks; read anew when they change')
    .option(
      '--webhook-service <name>',
      'Service of the webhooks in the namespace of the lease: the operator then keeps their certificates itself',
      serviceName,
    )
    .option(
      '--webhook-configuration <name>',
      "webhook configurations that are made to trust them (default: those of the Service's name)",
    )
    .action((options: OperatorOptions, command: Command) => {
      const mistake = webhookMistake(options);
      if (mistake !== undefined) command.error(`error: ${mistake}`);
      if (options.cfApiPort === undefined && options.cfApiCerts !== undefined) {
        command.error('error: --cf-api-certs is for the CF API, which is served with --cf-api-port');
      }
      if (options.dashboardPort === undefined && options.dashboardCerts !== undefined) {
        command.error('error: --dashboard-certs is for the dashboard, which is served with --dashboard-port');
      }
      if (options.shards !== undefined && !options.leaderElect) {
        command.error('error: --shards needs the leases that --no-leader-elect does without; give only one of them');
      }
      const both = options.takeover.find((name) => options.off.includes(name));
      if (both !== undefined) command.error(`error: ${both} cannot be switched off and taken over at once`);
      return commands.operator(options);
    });

  cutover.commandsGroup('See and steer workloads:');
  for (const [word, what] of Object.entries(steerWords) as [Word, string][]) {
    passedOn(cutover.command(word).description(what), (args) => commands.steer(word, args));
  }

  cutover.commandsGroup('Others:');
  passedOn(
    cutover.command('kudo').description('operator packages, their Instances and plans; also usable as kubectl kudo'),
    commands.kudo,
  );

  addInstallCommand(cutover, commands.install);
  addUninstallCommand(
    cutover,
    {
      families: families('--family <name>', 'release resources of this family (default: all)'),
      namespaces: watchNamespace('release resources in this namespace only; may be repeated'),
      off: kinds('--off <kind>', 'leave this kind alone, as the operator does that is run with it'),
    },
    (options) => commands.uninstall(options),
  );

  cutover
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${commands.version()}\n`));

  return cutover;
}

/** What follows the word is read by a command line of its own, `--help` too. */
function passedOn(command: Command, run: (args: readonly string[]) => Promise<void>): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .passThroughOptions()
    .action(() => run(command.args));
}

const flinkRestHelp =
  "how JobManagers are reached: 'direct' by their Services (default inside of a cluster), 'proxy' through the API server (default outside), or a URL with {namespace} and {name} in it";

function flinkRest(text: string): string {
  if (text === 'direct' || text === 'proxy') return text;
  if (/^https?:\/\/\S+$/.test(text) && text.includes('{name}') && text.includes('{namespace}')) return text;
  throw new InvalidArgumentError(
    "It must be 'direct', 'proxy', or a URL such as http://gateway/{namespace}/{name} with both placeholders.",
  );
}

function serviceName(text: string): string {
  if (/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a Service: small letters, digits and dashes.');
}

/** What does not fit together, or nothing. */
function webhookMistake(options: OperatorOptions): string | undefined {
  const { webhookPort, webhookCerts, webhookService, webhookConfiguration } = options;
  if (webhookConfiguration !== undefined && webhookService === undefined) {
    return '--webhook-configuration is for certificates that the operator keeps itself; give --webhook-service too';
  }
  const sources = [webhookCerts, webhookService].filter((one) => one !== undefined).length;
  if (sources > 1) return '--webhook-certs and --webhook-service are two ways to get certificates; give one of them';
  if ((webhookPort === undefined) === (sources === 0)) return undefined;
  return '--webhook-port belongs together with --webhook-certs or --webhook-service; give one of these with it, or none';
}

/** The options of every command that runs a Kubernetes. */
function withCluster(command: Command): Command {
  return command
    .option('--data <dir>', 'keep the cluster in this directory (default: in memory)')
    .option('--port <n>', 'listen on this port of 127.0.0.1 (default: 6443, or a free one)', port)
    .option('--kubeconfig <file>', 'where to write the kubeconfig file', '.cutover/kubeconfig');
}

/** A name as the API server takes it for a namespace. */
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function watchNamespace(what: string): Option {
  const add = (text: string, before: readonly string[]): readonly string[] => {
    oneNamespace(text);
    return before.includes(text) ? before : [...before, text];
  };
  return new Option('--watch-namespace <name>', what).default([], 'all').argParser(add);
}

function oneNamespace(text: string): string {
  if (!namespaceName.test(text)) throw new InvalidArgumentError('It must be the name of one namespace.');
  return text;
}

function shards(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 2 || value > 64) throw new InvalidArgumentError('It must be a number: 2 to 64.');
  return value;
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('It must be a port: 0 to 65535.');
  return value;
}

/** Options that may be repeated and take one of these names, in whatever case. */
function repeatable(names: readonly string[], what: string): (flags: string, description: string) => Option {
  const known = names.length === 0 ? 'this version has none' : `known: ${names.join(', ')}`;
  const add = (text: string, before: readonly string[]): readonly string[] => {
    const name = names.find((one) => one === text.toLowerCase());
    if (name === undefined) throw new InvalidArgumentError(`No ${what} has this name; ${known}.`);
    return [...before, name];
  };
  return (flags, description) =>
    new Option(flags, `${description}; may be repeated; ${known}`).default([], 'none').argParser(add);
}
