import type { Command } from 'commander';
import { type SteerOptions, subjectCommand } from '../options.ts';
import { pageOf } from '../page-of.ts';
import { historyLines } from '../render/history.ts';
import { sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';

/** `history`: the last changes of a workload. */
export function historyCommand(shell: SteerShell): Command {
  return subjectCommand(shell, 'history', ['json', 'yaml', 'wide']).action(
    inSession<SteerShell, SteerOptions>(shell, async (session, options, words) => {
      const scene = await sceneOf(session, options);
      const { portrait } = await pageOf(scene.client, await scene.find(words), scene.frame);
      if (session.answer(portrait.history)) return;
      if (portrait.history.length === 0) return session.note('nothing was changed yet, as far as is known');
      writeLines(shell, historyLines(portrait, scene.frame.now, options.output === 'wide'), scene.color);
    }),
  );
}
