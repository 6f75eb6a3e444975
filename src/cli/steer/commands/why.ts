import type { Command } from 'commander';
import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { AnyObject } from '../../../kube/object.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { didYouMean } from '../../../portrait/text/near-names.ts';
import type { Found } from '../find-subject.ts';
import { answered, besideOf } from '../gather.ts';
import { command, type SteerOptions } from '../options.ts';
import { pageOf } from '../page-of.ts';
import { whyLines } from '../render/why.ts';
import { type Scene, sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';

/** `why`: for what a pod runs, why it was made or restarted, and why it will be. */
export function whyCommand(shell: SteerShell): Command {
  return command(shell, 'why', ['json', 'yaml'])
    .argument('<pod>', 'name of the pod')
    .action(
      inSession<SteerShell, SteerOptions>(shell, async (session, options, [word = '']) => {
        const scene = await sceneOf(session, options);
        const name = word.replace(/^pods?\//, '');
        const pod = await thePod(scene.client, scene.namespace, name);
        const owner = await claimant(scene, pod);
        if (!owner) throw new CommandError(`pod ${name} runs for no workload that is known here${owners(pod)}`);
        const { portrait, events } = await pageOf(scene.client, owner, scene.frame);
        const found = portrait.pods.find((one) => one.name === name);
        if (!found) {
          const { kind } = portrait.subject;
          throw new CommandError(`pod ${name} belongs to ${kind} ${portrait.subject.name}, which knows nothing of it`);
        }
        const own = events.filter(({ about }) => about === `Pod/${name}`);
        const { subject } = portrait;
        if (session.answer({ subject, pod: found, events: own })) return;
        writeLines(shell, whyLines({ pod: found, portrait, events: own }, scene.frame), scene.color);
      }),
    );
}

async function thePod(client: Client, namespace: string, name: string): Promise<AnyObject> {
  const pods = client.resource(kinds.pods);
  try {
    return await pods.get({ namespace, name });
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    const { items } = await pods.list({ namespace, metadataOnly: true });
    const near = didYouMean(
      name,
      items.map(({ metadata }) => metadata.name ?? ''),
    );
    throw new CommandError(`there is no pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}.${near}`);
  }
}

/** The workload that a pod runs for: the one that is not part of another first. */
async function claimant({ client, families, namespace, frame }: Scene, pod: AnyObject): Promise<Found | undefined> {
  const all = (await families()).flatMap((family) => family.workloads.map((workload) => ({ family, workload })));
  const claims = await Promise.all(
    all.map(async ({ family, workload }) => {
      const beside = await besideOf(client, workload, namespace);
      const known = { namespace, beside, now: frame.now };
      const name = await answered(client, known, (around) => workload.claims(pod, around));
      if (name === undefined) return undefined;
      const object = await client
        .resource(workload.type)
        .get({ namespace, name })
        .catch((error) => (isKubeError(error, 'not-found') ? undefined : Promise.reject(error)));
      return object && { family, workload, object };
    }),
  );
  const found = claims.flatMap((claim) => claim ?? []);
  return found.find(({ workload, object }) => workload.summarize(object).partOf === undefined) ?? found[0];
}

function owners({ metadata }: AnyObject): string {
  const [owner] = metadata.ownerReferences ?? [];
  return owner ? `; it was made by ${owner.kind} ${owner.name}` : '';
}
