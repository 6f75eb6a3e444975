import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import type { ClusterFlags, OpenedCluster, Shell } from '../portrait/text/shell.ts';
import { version } from './version.ts';

/** The terminal, the clock and the cluster of whoever runs this program. `agent`: as whom requests introduce themselves. */
export function realShell(agent: string): Shell {
  const { stdout } = process;
  return {
    write: (text) => void stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    isTerminal: stdout.isTTY === true,
    get columns() {
      return stdout.columns ?? 80;
    },
    cwd: process.cwd(),
    clock: realClock,
    random: realRandom,
    open: (flags) => open(flags, agent),
    version,
    exit: (code) => {
      process.exitCode = code;
    },
  };
}

async function open({ kubeconfig, context, namespace }: ClusterFlags, agent: string): Promise<OpenedCluster> {
  const [{ findAccess }, { Client }, { httpTransport }, { patient }] = await Promise.all([
    import('../kube/kubeconfig/find-access.ts'),
    import('../kube/client.ts'),
    import('../kube/http-transport.ts'),
    import('../kube/patient.ts'),
  ]);
  const access = await findAccess({ kubeconfig, context, env: process.env, clock: realClock });
  const transport = patient(httpTransport({ ...access, clock: realClock }), realClock);
  const client = new Client(transport, { userAgent: `${agent}/${version}` });
  return {
    client,
    namespace: namespace ?? access.namespace ?? 'default',
    server: access.server,
    close: () => client.close(),
  };
}
