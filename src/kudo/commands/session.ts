import type { Command } from 'commander';
import { KubeError } from '../../kube/error.ts';
import { KubeconfigError } from '../../kube/kubeconfig/kubeconfig-error.ts';
import { type Format, formatted } from '../../portrait/text/formatted.ts';
import { harmless } from '../../portrait/text/harmless.ts';
import { PackageError } from '../package/package-error.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { ClusterFlags, OpenedCluster, Shell } from './shell.ts';

/** Options that all commands have. */
export interface GlobalOptions extends ClusterFlags {
  readonly output?: 'json' | 'yaml' | 'text';
}

/** What one run of a command works with. */
export interface Session {
  readonly shell: Shell;
  readonly format: Format;
  /** The cluster; opened when it is first asked for, closed when the command ends. */
  cluster(): Promise<OpenedCluster>;
  /** A line for people: not written when the answer is JSON or YAML. */
  say(line: string): void;
  /** Lines that are no part of the answer. */
  warn(line: string): void;
  note(line: string): void;
  /** The answer as JSON or YAML, if that was asked for; whether it was. */
  answer(value: unknown): boolean;
}

/** Makes a commander action of what a command does. Whatever a person can act on becomes one line and an exit code. */
export function inSession<Options>(
  shell: Shell,
  run: (session: Session, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    let opened: Promise<OpenedCluster> | undefined;
    const format = options.output === 'text' ? undefined : options.output;
    const session: Session = {
      shell,
      format,
      cluster: () => {
        opened ??= shell.open(options);
        return opened;
      },
      say: (line) => {
        if (format === undefined) shell.write(`${harmless(line)}\n`);
      },
      note: (line) => shell.writeError(`${harmless(line)}\n`),
      warn: (line) => shell.writeError(`Warning: ${harmless(line)}\n`),
      answer: (value) => {
        if (format !== undefined) shell.write(formatted(value, format));
        return format !== undefined;
      },
    };
    try {
      await run(session, options, command.args);
    } catch (error) {
      const { lines, exitCode } = told(error);
      for (const line of lines) shell.writeError(`Error: ${harmless(line)}\n`);
      shell.exit(exitCode);
    } finally {
      await opened?.then((cluster) => cluster.close()).catch(() => {});
    }
  };
}

/** What a person is told. What nobody foresaw is a bug, and goes on to whoever reports those. */
function told(error: unknown): { readonly lines: readonly string[]; readonly exitCode: number } {
  if (error instanceof CommandError) return { lines: [error.message], exitCode: error.exitCode };
  const { failed: exitCode } = exitCodes;
  if (error instanceof KubeError) return { lines: [wordsOf(error)], exitCode };
  if (error instanceof KubeconfigError) return { lines: [error.message], exitCode };
  // One line for each thing that is wrong with a package.
  if (error instanceof PackageError) return { lines: error.message.split('\n'), exitCode };
  // Files: not there, a folder, not readable.
  if (error instanceof Error && 'code' in error && 'syscall' in error) return { lines: [error.message], exitCode };
  throw error;
}

/** The server's own words where it has some, and what to do. */
export function wordsOf(error: KubeError): string {
  const message = error.status?.message ?? error.message;
  if (isMissingKind(error)) {
    return 'the cluster does not know the kinds of kudo.dev; install them with `kudo init`, and run the operator';
  }
  if (error.kind === 'unreachable') return `${message}; is the cluster running, and does the kubeconfig name it?`;
  return message;
}

/** A 404 of a whole resource names no object. */
function isMissingKind({ kind, message, status }: KubeError): boolean {
  return kind === 'not-found' && !status?.details?.name && /kudo\.dev/.test(`${message} ${status?.message}`);
}
