import { KubeError } from '../../kube/error.ts';
import { KubeconfigError } from '../../kube/kubeconfig/kubeconfig-error.ts';
import { CommandError, exitCodes } from '../../portrait/text/command-error.ts';
import { sessions, type Told } from '../../portrait/text/session.ts';

/** How commands of this folder run: what a person can act on is one line, with the command that mends it. */
export const inSession = sessions(told);

/** What nobody foresaw is a bug, and goes on to whoever reports those. */
function told(error: unknown): Told {
  const { failed: exitCode } = exitCodes;
  if (error instanceof CommandError) return { lines: [error.message], exitCode: error.exitCode };
  if (error instanceof KubeError) return { lines: [mending(error)], exitCode };
  if (error instanceof KubeconfigError) return { lines: [error.message], exitCode };
  // Files: not there, a folder, not readable.
  if (error instanceof Error && 'code' in error && 'syscall' in error) return { lines: [error.message], exitCode };
  throw error;
}

/** What went wrong, and the command that mends it. */
export function mending(error: KubeError): string {
  const message = (error.status?.message ?? error.message).slice(0, 1000);
  switch (error.kind) {
    case 'unreachable':
      return `the cluster cannot be reached: ${message}; see whether it runs and whom the kubeconfig means: kubectl cluster-info`;
    case 'unauthorized':
      return `the cluster does not know you: ${message}; the token is invalid or has expired: log in again, then try kubectl auth whoami`;
    case 'forbidden':
      return `${message}; ${canI(message)}`;
    case 'conflict':
      return `${message}; it has changed meanwhile: look at it again, and say the command again`;
    default:
      return message;
  }
}

const notAllowed =
  /cannot (?<verb>[a-z]+) resource "(?<resource>[\w./-]+)" in API group "(?<group>[\w.-]*)"(?: in the namespace "(?<namespace>[\w.-]+)")?/;

/** The question to ask whoever gives out permissions; the server says exactly what is missing. */
export function canI(message: string): string {
  const missing = notAllowed.exec(message)?.groups;
  if (!missing) return 'see what you may do: kubectl auth can-i --list';
  const { verb, resource = '', group, namespace } = missing;
  const [plural, subresource] = resource.split('/', 2);
  const what = `${plural}${group ? `.${group}` : ''}${subresource ? ` --subresource=${subresource}` : ''}`;
  return `you need that permission, see: kubectl auth can-i ${verb} ${what}${namespace ? ` -n ${namespace}` : ' -A'}`;
}

/** What to do about a cluster that lacks our kinds. */
export function missingKinds(what: string): CommandError {
  return new CommandError(
    `the cluster does not know ${what}; install the definitions: kubectl apply --server-side -f crds/`,
  );
}
