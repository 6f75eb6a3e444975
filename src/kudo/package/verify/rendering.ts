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
  const first = found.params.parameters.map(listProblem).find((problem) => problem !== undefined);
  const pipes = pipesOf(subject);
  const broken = first ?? ('problem' in pipes ? pipes.problem : undefined);
  if (broken || 'problem' in pipes) return errors(broken ? [broken] : []);

  const place = placeholder(subject, pipes.pipes);
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
export function placeholder({ operatorVersion }: Subject, pipes: Place['pipes']): Place {
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
    pipes,
    key: new Uint8Array(32),
  };
}

/** The names of what Pipe tasks leave, of all plans; within one plan a key can stand for only one. */
export function pipesOf({ found }: Subject): { readonly pipes: Place['pipes'] } | { readonly problem: Complaint } {
  const tasks = new Map(found.operator.tasks.toReversed().map(({ task }) => [task.name, task]));
  const pipes = new Map<string, string>();
  for (const [plan, { phases }] of found.operator.plans) {
    const inPlan = new Set<string>();
    for (const step of phases.flatMap(({ steps }) => steps)) {
      for (const task of step.tasks.map((name) => tasks.get(name))) {
        for (const { key = '' } of (task?.kind === 'Pipe' && task.spec?.pipe) || []) {
          if (inPlan.has(key)) return { problem: { message: `duplicated pipe key ${key}`, at: step.at } };
          inPlan.add(key);
          pipes.set(key, `name.${plan}.${key}`.toLowerCase().replaceAll(/[^a-z0-9.]/g, ''));
        }
      }
    }
  }
  return { pipes: Object.fromEntries(pipes) };
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
