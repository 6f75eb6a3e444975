import type { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { answered, besideOf } from '../gather.ts';
import { type SteerOptions, subjectCommand } from '../options.ts';
import { graphDot, graphLines } from '../render/graph.ts';
import { sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';

/** `graph`: what depends on what in a workload. */
export function graphCommand(shell: SteerShell): Command {
  return subjectCommand(shell, 'graph', ['text', 'dot', 'json', 'yaml']).action(
    inSession<SteerShell, SteerOptions>(shell, async (session, options, words) => {
      const scene = await sceneOf(session, options);
      const { workload, object } = await scene.find(words);
      const { namespace = 'default' } = object.metadata;
      const beside = await besideOf(scene.client, workload, namespace);
      const known = { namespace, beside, now: scene.frame.now };
      const graph = await answered(scene.client, known, (around) => workload.graph?.(object, around));
      if (!graph) throw new CommandError(`nothing is known of what depends on what in a ${workload.type.kind}`);
      if (session.answer(graph)) return;
      if (options.output === 'dot') shell.write(graphDot(graph));
      else writeLines(shell, graphLines(graph), scene.color);
    }),
  );
}
