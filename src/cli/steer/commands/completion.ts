import { Argument, Command } from 'commander';
import { isKubeError } from '../../../kube/error.ts';
import { KubeconfigError } from '../../../kube/kubeconfig/kubeconfig-error.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { OpenedCluster } from '../../../portrait/text/shell.ts';
import { candidates } from '../completion/candidates.ts';
import { completionScript, type ShellName, shells } from '../completion/scripts.ts';
import { familiesOf, workloadsOf } from '../families.ts';
import type { SteerShell } from '../steer-shell.ts';
import { isWord, type Word, words } from '../words.ts';

/** Nobody waits longer for a proposal. */
const patienceMs = 2000;
/** Commands that are not in this folder. */
const others = ['start', 'embedded', 'operator', 'kudo', 'version'];

/** `completion`: the script of a shell; `completion words` is what that script asks. */
export function completionCommand(shell: SteerShell, make: (word: Word) => Promise<Command>): Command {
  return new Command(`${shell.program} completion`)
    .description(words.completion)
    .usage('<shell>')
    .enablePositionalOptions()
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((name: ShellName) => shell.write(completionScript(name)))
    .addCommand(
      new Command('words')
        .description('what may come next')
        .argument('[typed...]')
        .allowUnknownOption()
        .passThroughOptions()
        .action(async (typed: readonly string[]) => {
          const command = isWord(typed[0] ?? '') ? await make(typed[0] as Word) : undefined;
          const found = await candidates({ words: typed, command, others }, () => names(shell, typed));
          shell.write(found.map((one) => `${one}\n`).join(''));
        }),
      { hidden: true },
    );
}

/** Names of workloads in the namespace that is typed. A cluster that does not answer proposes nothing. */
async function names(shell: SteerShell, typed: readonly string[]): Promise<readonly string[]> {
  const value = (...flags: readonly string[]): string | undefined =>
    typed.find((_, index) => flags.includes(typed[index - 1] ?? ''));
  const [namespace, context, kubeconfig] = [value('-n', '--namespace'), value('--context'), value('--kubeconfig')];
  let cluster: OpenedCluster | undefined;
  try {
    cluster = await shell.open({
      ...(namespace !== undefined && { namespace }),
      ...(context !== undefined && { context }),
      ...(kubeconfig !== undefined && { kubeconfig }),
    });
    const { client } = cluster;
    const lists = await Promise.all(
      workloadsOf(await familiesOf(client, shell.families)).map(async ({ type }) => {
        const options = { namespace: cluster?.namespace ?? 'default', metadataOnly: true, timeoutMs: patienceMs };
        const list = await client
          .resource(type)
          .list(options)
          .catch(() => undefined);
        return list?.items.map(({ metadata }) => metadata.name ?? '') ?? [];
      }),
    );
    return lists.flat();
  } catch (error) {
    if (isKubeError(error) || error instanceof KubeconfigError || error instanceof CommandError) return [];
    throw error;
  } finally {
    await cluster?.close();
  }
}
