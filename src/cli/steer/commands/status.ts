import type { Command } from 'commander';
import { countdown } from '../../../portrait/text/duration.ts';
import { follow, outcomes } from '../follow.ts';
import { type SteerOptions, subjectCommand, time } from '../options.ts';
import { sceneOf } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { tellStatus } from '../tell-status.ts';
import { inSession } from '../told.ts';

interface StatusOptions extends SteerOptions {
  readonly timeout?: number;
  readonly watch: boolean;
}

/** `status`: waits until a workload has settled, for scripts. A line is printed only when it reads differently. */
export function statusCommand(shell: SteerShell): Command {
  return subjectCommand(shell, 'status', ['json', 'yaml'])
    .option('--timeout <duration>', 'how long to wait; 0 looks once (default: as long as it takes)', time)
    .option('--watch', 'go on when it has settled, until Ctrl-C or time is up', false)
    .action(
      inSession<SteerShell, StatusOptions>(shell, async (session, { timeout: timeoutMs, ...options }, words) => {
        const scene = await sceneOf(session, options);
        const { client, color } = scene;
        const found = await scene.find(words);
        let last = found.workload.summarize(found.object);
        const tell = session.format ? () => {} : tellStatus(shell, color);
        // So it ends for whoever stops reading before it has settled.
        shell.exit(outcomes.timedOut);
        const outcome = await follow(found, {
          client,
          clock: shell.clock,
          signal: shell.stopping(),
          timeoutMs,
          forEver: options.watch,
          told: (summary) => {
            last = summary;
            tell(summary);
          },
        });
        session.answer(last);
        if (outcome === 'timedOut') {
          const after = timeoutMs ? ` after ${countdown(timeoutMs)}` : '';
          session.note(`not settled${after}; it goes on without us: ${shell.program} get ${words.join(' ')} -w`);
        }
        shell.exit(outcomes[outcome]);
      }),
    );
}
