import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import { graphOf } from '../../graph/graph-of.ts';
import { givenParameters, type ParameterOptions, unknownParameter, withParameters } from '../parameters.ts';
import { graphText } from '../print/graph-text.ts';
import { inSession } from '../session.ts';
import { plannedWork } from './planned.ts';
import { type SubjectOptions, subjectOf } from './subject.ts';
import { lookAround } from './surroundings.ts';

interface GraphOptions extends ParameterOptions, SubjectOptions {
  readonly of?: string;
}

/** `graph`: which parameter reaches which template, object and pods. */
export function graphCommand(shell: Shell): Command {
  return withParameters(new Command('graph'))
    .description('show what parameters reach: templates, objects, and the pods that use them')
    .argument('[package]', 'a folder or a .tgz file; without one, the Instance of --instance')
    .option('--instance <name>', 'an installed Instance; with a package: the name that templates see')
    .option('--of <parameter>', 'only this parameter')
    .action(
      inSession<GraphOptions>(shell, async (session, options, [path]) => {
        const given = await givenParameters(shell, options);
        const subject = await subjectOf(session, path, options);
        const { version, instance, key, live } = subject;
        const named = [...Object.keys(given), ...(options.of === undefined ? [] : [options.of])];
        const stranger = unknownParameter(version, named);
        if (stranger !== undefined) throw new CommandError(stranger);
        const parameters = { ...subject.parameters, ...given };
        const objects = live ? plannedObjects({ ...subject, parameters }) : [];
        const around = live && (await lookAround(live.cluster, instance.namespace, objects));
        const graph = graphOf({
          operatorVersion: version,
          instance,
          parameters,
          ...(key && { key }),
          ...(around?.live && { live: [...around.live.values()] }),
        });
        if (!session.answer(graph)) shell.write(graphText(graph, options.of));
      }),
    );
}

/** What the plans of the package speak of; a plan that cannot be rendered shows so in the graph itself. */
function plannedObjects(subject: Parameters<typeof plannedWork>[0]) {
  return Object.keys(subject.version.spec.plans ?? {}).flatMap((plan) => {
    try {
      return plannedWork(subject, plan).items.map(({ object }) => object);
    } catch (error) {
      if (error instanceof CommandError) return [];
      throw error;
    }
  });
}
