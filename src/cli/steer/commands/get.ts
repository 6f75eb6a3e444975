import type { Command } from 'commander';
import { type SteerOptions, subjectCommand } from '../options.ts';
import { pageOf } from '../page-of.ts';
import { pageLines } from '../render/page.ts';
import { sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';
import { watchPage } from '../watch-page.ts';

interface GetOptions extends SteerOptions {
  readonly watch: boolean;
}

/** `get`: all about one workload. */
export function getCommand(shell: SteerShell): Command {
  return subjectCommand(shell, 'get', ['json', 'yaml'])
    .option('-w, --watch', 'show it again whenever something changes, until Ctrl-C', false)
    .action(
      inSession<SteerShell, GetOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const found = await scene.find(words);
        if (options.watch) return watchPage(session, scene, found);
        const page = await pageOf(scene.client, found, scene.frame);
        if (!session.answer(page)) writeLines(shell, pageLines(page, scene.frame), scene.color);
      }),
    );
}
