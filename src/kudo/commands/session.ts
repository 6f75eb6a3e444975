import { KubeError } from '../../kube/error.ts';
import { KubeconfigError } from '../../kube/kubeconfig/kubeconfig-error.ts';
import { CommandError, exitCodes } from '../../portrait/text/command-error.ts';
import { type GlobalOptions, type Session, sessions, type Told } from '../../portrait/text/session.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { PackageError } from '../package/package-error.ts';

export type { Session } from '../../portrait/text/session.ts';

/** Makes a commander action of what a command does. Whatever a person can act on becomes one line and an exit code. */
export const inSession = <Options>(
  shell: Shell,
  run: (session: Session, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
): ((...given: unknown[]) => Promise<void>) => inSessions<Shell, Options>(shell, run);

const inSessions = sessions(told);

/** What a person is told. What nobody foresaw is a bug, and goes on to whoever reports those. */
function told(error: unknown): Told {
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
