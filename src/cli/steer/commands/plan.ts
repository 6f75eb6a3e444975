import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { Session } from '../../../portrait/text/session.ts';
import { command, type SteerOptions } from '../options.ts';
import { exitCodeOf } from '../plan/exit-code.ts';
import { readManifest, readPatch } from '../plan/manifest.ts';
import { type Answer, manifestPlans, offlinePlans, patchedPlan } from '../plan/plans.ts';
import { blank, type Line, plain } from '../render/line.ts';
import { planLines } from '../render/plan.ts';
import { frameOf, isColored, sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession } from '../told.ts';

interface PlanOptions extends SteerOptions {
  readonly filename?: string;
  readonly patch?: string;
  readonly offline: boolean;
  readonly fieldManager?: string;
}

/** `plan`: what a change would do, by the functions that decide for real. Nothing is ever written. */
export function planCommand(shell: SteerShell): Command {
  return command(shell, 'plan', ['json', 'yaml'])
    .argument('[name...]', 'with --patch: NAME, KIND/NAME or KIND NAME')
    .option('-f, --filename <file>', 'manifest with one or more objects; - reads standard input')
    .option('--patch <text>', 'a merge patch for a workload that is there, as YAML or JSON')
    .option('--offline', 'ask no cluster: plan the objects as new ones', false)
    .option('--field-manager <name>', 'as whom the manifest is applied (default: whoever applied it last)')
    .action(
      inSession<SteerShell, PlanOptions>(shell, async (session, options, words) => {
        const answer = await answerTo(session, options, words);
        for (const note of answer.notes) session.note(note);
        const [first, ...others] = answer.plans;
        shell.exit(exitCodeOf(answer.plans));
        if (session.answer(others.length === 0 ? (first ?? []) : answer.plans)) return;
        const frame = frameOf(shell);
        const lines = answer.plans.flatMap((plan): readonly Line[] => [...planLines(plan, frame), blank]);
        const end = answer.plans.length === 0 ? 'Nothing was planned.' : 'This is a plan: nothing was changed.';
        writeLines(shell, [...lines, plain(end)], isColored(shell, options));
      }),
    );
}

async function answerTo(session: Session<SteerShell>, options: PlanOptions, words: readonly string[]): Promise<Answer> {
  const { shell } = session;
  const { filename, patch, offline } = options;
  if ((filename === undefined) === (patch === undefined)) {
    throw new CommandError('say what to plan: -f FILE for a manifest, or --patch TEXT with the name of a workload');
  }
  if (patch !== undefined) {
    if (offline) throw new CommandError('--patch changes a workload that is there: leave --offline out');
    if (words.length === 0) throw new CommandError('--patch needs the workload that is changed: KIND/NAME');
    return patchedPlan(shell, await sceneOf(session, options), words, readPatch(patch));
  }
  if (words.length > 0) throw new CommandError('a manifest names its objects itself: leave the name out');
  const text = filename === '-' ? await shell.input() : await readFile(resolve(shell.cwd, filename ?? ''), 'utf8');
  const objects = readManifest(text, filename === '-' ? 'standard input' : `${filename}`);
  return offline
    ? offlinePlans(shell, objects, options.namespace)
    : manifestPlans(shell, await sceneOf(session, options), objects, options.fieldManager);
}
