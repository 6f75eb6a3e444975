import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Child, startChild } from '../../../rig/child.ts';
import { freePorts } from '../../../rig/ports.ts';
import { sendSignal } from '../../../rig/process.ts';
import { decisionsIn, startInstalled, valuesOf } from '../installed/start-installed.ts';

/** The operator as its users run it: a process of its own that reaches the cluster with a kubeconfig. */
export interface OperatorProcess extends AsyncDisposable {
  /** Ends it without a chance to do anything more, as a lost node would. */
  kill(): Promise<void>;
  /** How often it has looked at a resource of this kind and decided. */
  decisions(controller: string): Promise<number>;
  /** Why it is not running although nobody ended it, with its last lines. */
  trouble(): string | undefined;
}

/** What the operator is configured with: a jar may come from this machine, where the test serves it. */
export const FLINK_CONFIGURATION = {
  'kubernetes.operator.user.artifacts.allowed-schemes': 'http',
  'kubernetes.operator.user.artifacts.disallow-restricted-hosts': 'false',
} as const;

/** As a process of this machine; with `CUTOVER_INSTALLED`, as Helm installs it. */
export async function startOperator(kubeconfig: string, flags: readonly string[]): Promise<OperatorProcess> {
  if (process.env.CUTOVER_INSTALLED) return startInstalled(kubeconfig, valuesOf(flags, FLINK_CONFIGURATION));
  const directory = mkdtempSync(join(tmpdir(), 'cutover-operator-'));
  writeFileSync(join(directory, 'config.yaml'), stringify(FLINK_CONFIGURATION));
  const [port = 0] = await freePorts(1);
  const log = join(directory, 'operator.log');
  const root = join(import.meta.dirname, '..', '..', '..');
  const child: Child = startChild('operator', {
    command: process.execPath,
    args: [
      ...[join(root, 'src', 'main.ts'), 'operator', '--kubeconfig', kubeconfig, '--flink-config', directory],
      ...['--no-leader-elect', '--health-port', String(port), '--log-level', 'debug', ...flags],
    ],
    cwd: root,
    log,
  });
  let ended: string | undefined;
  let wanted = true;
  void child.ended.then((reason) => {
    ended = reason;
  });
  return {
    async kill() {
      wanted = false;
      sendSignal(child.identity, 'SIGKILL');
      await child.ended;
    },
    async decisions(controller) {
      return decisionsIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), controller);
    },
    trouble: () => (wanted && ended !== undefined ? `the operator ended (${ended}):\n${child.logTail()}` : undefined),
    async [Symbol.asyncDispose]() {
      wanted = false;
      await child.stop(10_000);
      if (process.env.CUTOVER_OPERATOR_LOG) process.stderr.write(readFileSync(log, 'utf8'));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
