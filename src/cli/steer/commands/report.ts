import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { isKubeError } from '../../../kube/error.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { documents } from '../../../portrait/text/formatted.ts';
import type { Found } from '../find-subject.ts';
import { command, type SteerOptions } from '../options.ts';
import { bundle } from '../report/bundle.ts';
import { type Scene, sceneOf } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';

/** `report`: one YAML file for whoever helps. */
export function reportCommand(shell: SteerShell): Command {
  return command(shell, 'report')
    .argument('[name...]', 'only of this workload: NAME, KIND/NAME or KIND NAME')
    .addOption(new Option('-o, --output <file>', 'where to write it; - is standard output'))
    .action(
      inSession<SteerShell, SteerOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const subjects = words.length > 0 ? [await scene.find(words)] : await everything(scene);
        session.note(`reading ${subjects.length} workloads of namespace ${scene.namespace} …`);
        const text = documents(await bundle(scene, subjects, shell.version));
        if (options.output === '-') return shell.write(text);
        const stamp = new Date(scene.frame.now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
        const file = options.output ?? `cutover-report-${scene.namespace}-${stamp}.yaml`;
        await writeFile(resolve(shell.cwd, file), text, { mode: 0o600, flag: 'wx' }).catch((error) => {
          if (error.code !== 'EEXIST') throw error;
          throw new CommandError(`${file} is there already; say another with -o`);
        });
        session.say(`wrote ${file} (${Math.ceil(text.length / 1024)} KiB); read it before you send it to anybody`);
      }),
    );
}

async function everything({ client, families, namespace }: Scene): Promise<readonly Found[]> {
  const all = (await families()).flatMap((family) => family.workloads.map((workload) => ({ family, workload })));
  const lists = await Promise.all(
    all.map(async ({ family, workload }): Promise<readonly Found[]> => {
      try {
        const { items } = await client.resource(workload.type).list({ namespace });
        return items.map((object) => ({ family, workload, object }));
      } catch (error) {
        if (isKubeError(error, 'forbidden', 'not-found')) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}
