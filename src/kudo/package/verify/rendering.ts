import { pipeConflict, pipesOf } from '../../decide/task/pipes-of.ts';
import type { Place } from '../../render/place.ts';
import { readObjects } from '../../render/read-objects.ts';
import { renderText } from '../../render/render-objects.ts';
import type { PackageParameter } from '../operator-package.ts';
import type { Complaint } from '../package-error.ts';
import { repairObject } from '../repairs.ts';
import type { Plain } from '../yaml/node.ts';
import { errors, nothing, ownWarnings, together } from './finding.ts';
import type { Subject, Verifier } from './subject.ts';

/**
 * Every template renders with the defaults of the parameters, and yields objects, unless it is the parameter file of a child.
 * What stands for the Instance, the plan and so on is its own name, as in KUDO: `.Name` is "Name".
 */
export const verifyRendering: Verifier = (subject) => {
  const { found } = subject;
  const notList = found.params.parameters.map(listProblem).find((problem) => problem !== undefined);
  const conflicts = pipeConflicts(subject);
  // What follows would only repeat what is wrong before it.
  if (notList) return errors([notList]);
  if (conflicts.length > 0) return errors(conflicts);

  const place = placeholder(subject);
  const tasks = found.operator.tasks.map(({ task }) => task);
  const children = new Set(tasks.map(({ kind, spec }) => (kind === 'KudoOperator' ? spec?.parameterFile : undefined)));
  /** Of Pipe tasks, which name them. */
  const pods = new Set(tasks.map(({ kind, spec }) => (kind === 'Pipe' ? spec?.pod : undefined)));
  return together(
    [...found.templates.keys()].map((file) => {
      const rendered = renderText(place, file);
      if ('complaint' in rendered)
        return errors([
          {
            message: without(rendered.complaint.message, `error expanding template ${file}: `),
            ...at(file, rendered.complaint.line),
          },
        ]);
      if (children.has(file)) return nothing;
      const read = readObjects(file, rendered.text);
      if ('complaint' in read) {
        const why = without(read.complaint.message, `fatal error: parsing YAML from ${file}: `);
        if (!why.includes("Object 'metadata.name' is missing"))
          return errors([{ message: `parsing rendered YAML from ${file} failed: ${why}`, ...at(file, undefined) }]);
        if (pods.has(file)) return nothing;
        return ownWarnings([{ message: `templates/${file}: an object has no metadata.name, and cannot be applied` }]);
      }
      const repaired = read.objects.flatMap((object) => repairObject(object).warnings);
      return ownWarnings(repaired.map((message) => ({ message: `templates/${file}: ${message}` })));
    }),
  );
};

/** The place of a template that belongs to no Instance and no plan. */
export function placeholder(subject: Subject): Place {
  const { operatorVersion } = subject;
  return {
    instance: { name: 'Name', namespace: 'Namespace', uid: 'UID' },
    operatorVersion: {
      ...operatorVersion,
      spec: {
        ...operatorVersion.spec,
        operator: { kind: 'Operator', name: 'OperatorName' },
        version: 'OperatorVersion',
        appVersion: 'AppVersion',
      },
    },
    parameters: {},
    plan: 'PlanName',
    phase: 'PhaseName',
    step: 'StepName',
    pipes: allPipes(subject),
    key: new Uint8Array(32),
  };
}

/** The names of what Pipe tasks leave, of all plans together: here a template belongs to none of them. */
function allPipes({ operatorVersion }: Subject): Place['pipes'] {
  const plans = Object.keys(operatorVersion.spec.plans ?? {});
  return Object.fromEntries(plans.flatMap((plan) => Object.entries(pipesOf(operatorVersion, 'Name', plan))));
}

function pipeConflicts({ found, operatorVersion }: Subject): readonly Complaint[] {
  return [...found.operator.plans].flatMap(([plan, { at }]) => {
    const message = pipeConflict(operatorVersion, 'Name', plan);
    return message === undefined ? [] : [{ message, at }];
  });
}

/** The text of an array must be a list before any template can see it. In the words of Go's decoder. */
function listProblem({ type, default: value, at }: PackageParameter): Complaint | undefined {
  if (type !== 'array' || value === null || Array.isArray(value)) return undefined;
  const words = `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type []interface {}`;
  return { message: words, at };
}

function jsonKind(value: Plain): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'object' : typeof value;
}

function without(message: string, prefix: string): string {
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

function at(file: string, line: number | undefined) {
  return line === undefined ? {} : { at: { file: `templates/${file}`, line, column: 1 } };
}
