import { Command } from 'commander';
import type { KubeObject } from '../../../kube/object.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { formatted } from '../../../portrait/text/formatted.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import {
  givenParameters,
  missingParameters,
  type ParameterOptions,
  unknownParameter,
  withParameters,
} from '../parameters.ts';
import { inSession, type Session } from '../session.ts';
import { enhanced, forReading } from './enhanced.ts';
import { hiddenValues, isSecret } from './hidden-values.ts';
import { type Planned, plannedWork } from './planned.ts';
import { type PreviewSubject, type SubjectOptions, subjectOf } from './subject.ts';
import { lookAround, unseen } from './surroundings.ts';

interface RenderOptions extends ParameterOptions, SubjectOptions {
  readonly plan: string;
  readonly showSecrets: boolean;
}

/** `render`: what a plan would apply. Nothing is written anywhere; a package needs no cluster at all. */
export function renderCommand(shell: Shell): Command {
  return withParameters(new Command('render'))
    .description('print what a plan would apply, as YAML; nothing is written, and a package needs no cluster')
    .argument('[package]', 'a folder or a .tgz file; without one, the Instance of --instance as it is')
    .option('--instance <name>', 'an installed Instance; with a package: the name that templates see')
    .option('--plan <name>', 'which plan', 'deploy')
    .option('--show-secrets', 'also print the values of Secrets, which are hidden otherwise', false)
    .action(
      inSession<RenderOptions>(shell, async (session, options, [path]) => {
        const given = await givenParameters(shell, options);
        const subject = withValues(session, await subjectOf(session, path, options), given);
        const { items, warnings } = plannedWork(subject, options.plan);
        for (const warning of warnings) session.warn(warning);
        const objects = items.map(({ object }) => object);
        const { live } = subject;
        const around = live ? await lookAround(live.cluster, subject.instance.namespace, objects) : unseen;
        const shown = items.map((item) => {
          const object = applied(item, around);
          return { ...item, object: options.showSecrets ? object : hiddenValues(object) };
        });
        if (!options.showSecrets && shown.some(({ object }) => isSecret(object)))
          session.warn(
            'values of Secrets are hidden, and in YAML their Secrets are comments; --show-secrets prints them',
          );
        if (session.format === 'json') session.answer(shown.map(entryOf));
        else shell.write(shown.map((item) => documentOf(item, options.showSecrets)).join(''));
      }),
    );
}

/** The subject with other values; each of them must be one that the Instance could have. */
function withValues(
  session: Session,
  subject: PreviewSubject,
  given: Readonly<Record<string, string>>,
): PreviewSubject {
  const parameters = { ...subject.parameters, ...given };
  const stranger = unknownParameter(subject.version, Object.keys(given));
  if (stranger !== undefined) throw new CommandError(stranger);
  const missing = missingParameters(subject.version, parameters);
  if (missing.length > 0)
    session.warn(`rendered without a value for ${missing.join(', ')}, which an installation requires`);
  return { ...subject, parameters };
}

function applied(item: Planned, around: Parameters<typeof enhanced>[1]): KubeObject {
  if (item.does !== 'apply') return forReading(item.object);
  const { object, complaint } = enhanced(item, around, false);
  if (complaint) throw new CommandError(complaint.message);
  return forReading(object);
}

function entryOf({ place: { plan, phase, step }, task, does, object }: Planned): unknown {
  return { plan, phase, step, task, does, object };
}

/** What is deleted stays a comment, and a Secret without its values, too: the text is fit for `kubectl apply -f -`. */
function documentOf({ place: { plan, phase, step }, task, does, object }: Planned, showSecrets: boolean): string {
  const where = harmless(`plan ${plan}, phase ${phase}, step ${step}, task ${task}`);
  const title = harmless(`${object.kind} ${object.metadata.name}`);
  if (does === 'delete') return `# ${where}: deletes ${title}\n`;
  if (does === 'pipe') return `# ${where}: runs ${title}, and keeps files that it writes\n`;
  const text = formatted(object, 'yaml');
  if (isSecret(object) && !showSecrets) return `# ${where}\n${text.replace(/^/gm, '# ').replace(/# $/, '')}`;
  return `---\n# ${where}\n${text}`;
}
