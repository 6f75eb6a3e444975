import { Command } from 'commander';
import { sleep } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { CommandError, exitCodes } from '../../portrait/text/command-error.ts';
import { documents } from '../../portrait/text/formatted.ts';
import type { Shell } from '../../portrait/text/shell.ts';
import { crd } from '../../schema/crd.ts';
import { kudoKinds } from '../resources/all.ts';
import { waitTime } from './options.ts';
import { inSession, type Session } from './session.ts';

interface InitOptions {
  readonly dryRun: boolean;
  readonly waitTime: number;
}

interface Definition extends AnyObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** `init`: makes the kinds known to the cluster. The operator itself is run by whoever runs it, with `cutover operator`. */
export function initCommand(shell: Shell): Command {
  return new Command('init')
    .description('install the definitions of Operator, OperatorVersion and Instance')
    .option('--dry-run', 'print what would be installed, as YAML unless -o says otherwise, and do nothing', false)
    .addOption(waitTime())
    .action(
      inSession<InitOptions>(shell, async (session, { dryRun, waitTime: seconds }) => {
        const definitions: readonly Definition[] = kudoKinds.map((kind) => ({ ...crd(kind) }));
        if (dryRun) {
          if (session.format !== 'json') shell.write(documents(definitions));
          else session.answer({ apiVersion: 'v1', kind: 'List', items: definitions });
          return;
        }
        const { client, server } = await session.cluster();
        await warnOfKudo(session, client);
        const installed = client.resource<Definition>(kinds.customResourceDefinitions);
        for (const definition of definitions) {
          await installed.apply(definition, { manager: 'cutover', force: true });
          session.say(`customresourcedefinition ${definition.metadata.name} installed`);
        }
        const end = shell.clock.monotonic() + seconds * 1000;
        for (const { metadata } of definitions) {
          const { name = '' } = metadata;
          while (!established(await installed.get({ name }))) {
            if (shell.clock.monotonic() > end) {
              throw new CommandError(`the server does not serve ${name} after ${seconds} seconds`, exitCodes.timedOut);
            }
            await sleep(shell.clock, 100);
          }
        }
        session.say(
          'The kinds of kudo.dev are ready. To carry out plans, run the operator: cutover operator --family kudo',
        );
        session.answer({ server, installed: definitions.map(({ metadata }) => metadata.name) });
      }),
    );
}

function established({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}

/** KUDO's own manager and webhook would work on the same Instances. */
async function warnOfKudo(session: Session, client: Client): Promise<void> {
  const manager = { namespace: 'kudo-system', name: 'kudo-controller-manager' };
  if (await isThere(client.resource(kinds.statefulSets).get(manager, { metadataOnly: true }))) {
    session.warn(
      "KUDO's own manager is installed, and two must not work on the same Instances: scale StatefulSet kudo-system/kudo-controller-manager to 0 before the operator starts",
    );
  }
  const hook = { name: 'kudo-manager-instance-admission-webhook-config' };
  if (await isThere(client.resource(webhooks).get(hook, { metadataOnly: true }))) {
    session.warn(
      "KUDO's admission webhook is installed, and without its manager it refuses every change: delete MutatingWebhookConfiguration kudo-manager-instance-admission-webhook-config",
    );
  }
}

const webhooks = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
} as const;

/** Whoever may not look is not warned. */
async function isThere(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (isKubeError(error, 'not-found', 'forbidden')) return false;
    throw error;
  }
}
