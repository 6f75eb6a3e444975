import type { Command } from 'commander';
import { isKubeError } from '../../../kube/error.ts';
import { doWrites } from '../../../portrait/do-writes.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { Session } from '../../../portrait/text/session.ts';
import type { Steering, VerbName } from '../../../portrait/verb.ts';
import { follow, outcomes } from '../follow.ts';
import { answered, besideOf } from '../gather.ts';
import { type SteerOptions, subjectCommand, time } from '../options.ts';
import { shown } from '../render/line.ts';
import { sceneOf } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { tellStatus } from '../tell-status.ts';
import { inSession } from '../told.ts';

interface VerbOptions extends SteerOptions {
  readonly stateless?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly timeout?: number;
}

/** How a verb may be wished for. Others do not take it: what nobody heeds must not look granted. */
const wishes: Readonly<Partial<Record<VerbName, readonly (readonly [flag: string, help: string])[]>>> = {
  promote: [['--force', 'also what is not ready yet: it takes over as soon as it is']],
  restart: [
    ['--stateless', 'drop the state, where that can be chosen'],
    ['--force', 'without the care that keeps it serving, where that can be chosen'],
  ],
};

/** A command that steers a workload: `promote`, `abort` and the others. What it does is the family's business. */
export function verbCommand(shell: SteerShell, name: VerbName): Command {
  const command = subjectCommand(shell, name);
  for (const [flag, help] of wishes[name] ?? []) command.option(flag, help);
  return command
    .option('-y, --yes', 'do not ask, whatever is at stake')
    .option('--wait', 'wait until it has settled; exit codes as those of status')
    .option('--timeout <duration>', 'how long to wait at most', time)
    .action(
      inSession<SteerShell, VerbOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const { client } = scene;
        const found = await scene.find(words);
        const { workload, object } = found;
        const { subject } = workload.summarize(object);
        const title = `${subject.kind} ${subject.title ?? subject.name}`;
        const verb = workload.verbs.find((one) => one.name === name);
        if (!verb) {
          const others = workload.verbs.map((one) => one.name).join(', ');
          throw new CommandError(`${title} has no ${name}; what it has: ${others || 'nothing'}`);
        }
        const { namespace = 'default' } = object.metadata;
        const { stateless, force } = options;
        const id = shell.random.uuid();
        const wish = { id, ...(stateless && { stateless }), ...(force && { force }) };
        const known = { namespace, beside: await besideOf(client, workload, namespace), now: scene.frame.now };
        const steering = await answered(client, known, (around) => verb.request(object, around, wish));
        if (steering.is === 'refused') throw new CommandError(`${title}: ${steering.why}`);
        await agreed(session, steering, options);
        const answer = await doWrites(client, steering.writes, 'cutover').catch((error) => {
          throw changedMeanwhile(error) ? new CommandError(changed(title, `${shell.program} ${name}`)) : error;
        });
        // So it ends for whoever stops reading before it has settled.
        if (options.wait) shell.exit(outcomes.timedOut);
        session.say(`${title}: ${steering.said}`);
        if (!options.wait) return;
        const outcome = await follow(found, {
          client,
          clock: shell.clock,
          signal: shell.stopping(),
          timeoutMs: options.timeout,
          since: answer?.metadata.uid === object.metadata.uid ? (answer ?? object) : object,
          told: tellStatus(shell, scene.color),
        });
        shell.exit(outcomes[outcome]);
      }),
    );
}

/** Where something is at stake somebody says yes: at the terminal, or by a flag. */
async function agreed(
  { shell }: Session<SteerShell>,
  { stake }: Extract<Steering, { readonly is: 'writes' }>,
  { yes }: VerbOptions,
): Promise<void> {
  if (!stake || yes) return;
  const question = shown(stake.question);
  if (!shell.canAsk) throw new CommandError(`${question} Nobody is here to be asked: say --yes if that is meant`);
  const answer = (await shell.ask(`${question} [y/N] `)).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes') throw new CommandError('not done');
}

/** A test of a JSON patch that fails is a refusal of the request, not a conflict. */
function changedMeanwhile(error: unknown): boolean {
  return (
    isKubeError(error, 'conflict') || (isKubeError(error, 'refused') && /test.*(fail|operation)/i.test(error.message))
  );
}

function changed(title: string, words: string): string {
  return `${title} has changed since it was read, so nothing was done; look at it, and say ${words} again`;
}
