import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import type { ClusterFlags, OpenedCluster, Shell } from '../kudo/commands/shell.ts';
import { version } from './version.ts';

/** `cutover kudo …`: everything behind the word `kudo`. `called`: how the person calls it, for the help texts. */
export async function kudo(args: readonly string[], called: string): Promise<void> {
  const { kudoCommand } = await import('../kudo/commands/kudo-command.ts');
  const { stdout } = process;
  const shell: Shell = {
    write: (text) => void stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns ?? 80,
    cwd: process.cwd(),
    clock: realClock,
    random: realRandom,
    open,
    version,
    exit: (code) => {
      process.exitCode = code;
    },
  };
  await kudoCommand(shell).name(called).parseAsync(args, { from: 'user' });
}

async function open({ kubeconfig, context, namespace }: ClusterFlags): Promise<OpenedCluster> {
  const [{ findAccess }, { Client }, { httpTransport }, { patient }] = await Promise.all([
    import('../kube/kubeconfig/find-access.ts'),
    import('../kube/client.ts'),
    import('../kube/http-transport.ts'),
    import('../kube/patient.ts'),
  ]);
  const access = await findAccess({ kubeconfig, context, env: process.env, clock: realClock });
  const transport = patient(httpTransport({ ...access, clock: realClock }), realClock);
  const client = new Client(transport, { userAgent: `cutover-kudo/${version}` });
  return {
    client,
    namespace: namespace ?? access.namespace ?? 'default',
    server: access.server,
    close: () => client.close(),
  };
}
