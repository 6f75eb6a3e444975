import { goText } from '../go-text.ts';
import type { PackageParameter } from '../operator-package.ts';
import type { Complaint } from '../package-error.ts';
import { defaultProblem, plainTypeProblem } from './default-problem.ts';
import { errors, together, warnings } from './finding.ts';
import type { Subject, Verifier } from './subject.ts';

/** What a parameter says of itself is coherent; templates and toggles use declared ones, and declared ones are used. */
export const verifyParameters: Verifier = (subject) => {
  const { parameters } = subject.found.params;
  const ofEach = (check: (parameter: PackageParameter) => readonly string[]) =>
    errors(parameters.flatMap((parameter) => check(parameter).map((message) => ({ message, at: parameter.at }))));
  return together([
    errors(undeclared(subject)),
    warnings(unused(subject)),
    ofEach(immutableProblems),
    ofEach(enumProblems),
    ofEach(defaultProblem),
    ofEach(metadataProblems),
    errors(groupProblems(subject)),
    errors(templateProblems(subject)),
  ]);
};

function undeclared({ found, templates }: Subject): readonly Complaint[] {
  const declared = new Set(found.params.parameters.map(({ name }) => name));
  const inTemplates = [...templates].flatMap(([file, parsed]) =>
    'error' in parsed
      ? []
      : [...parsed.use.params]
          .filter(([name]) => !declared.has(name))
          .map(([name, places]) => ({
            message: goText('parameter %q in template %v is not defined', name, file),
            ...placeOf(file, places[0]),
          })),
  );
  const inToggles = found.operator.tasks.flatMap(({ task, at }) => {
    const parameter = task.kind === 'Toggle' ? task.spec?.parameter : undefined;
    if (!parameter || declared.has(parameter)) return [];
    return [{ message: goText('parameter %q in ToggleTask %v is not defined', parameter, task.name), at }];
  });
  return [...inTemplates, ...inToggles];
}

/** A parameter that triggers a plan may be for that alone. */
function unused({ found, templates }: Subject): readonly Complaint[] {
  const used = new Set<string | undefined>();
  let anyMay = false;
  for (const parsed of templates.values()) {
    if ('error' in parsed) continue;
    for (const name of parsed.use.params.keys()) used.add(name);
    anyMay ||= parsed.use.wholeParams;
  }
  for (const { task } of found.operator.tasks) if (task.kind === 'Toggle') used.add(task.spec?.parameter);
  return found.params.parameters
    .filter(({ name, trigger }) => !anyMay && !used.has(name) && !trigger)
    .map(({ name, at }) => ({ message: goText('parameter %q defined but not used.', name), at }));
}

function immutableProblems({ name, immutable, required, default: value }: PackageParameter): readonly string[] {
  if (!immutable || required || value !== null) return [];
  return [goText('parameter %q is immutable but is not marked as required or has a default value', name)];
}

function enumProblems({ name, type, enum: accepted }: PackageParameter): readonly string[] {
  if (accepted?.length === 0) return [goText('parameter %q is an enum but has no allowed values', name)];
  return (accepted ?? []).flatMap((value) => {
    const problem = plainTypeProblem(type, value);
    return problem === undefined ? [] : [goText('parameter %q has an invalid enum value: %v', name, problem)];
  });
}

function metadataProblems({ name, group, advanced, required, default: value }: PackageParameter): readonly string[] {
  const problems: string[] = [];
  if (group?.includes('/')) problems.push(goText("parameter %q has a group with invalid character '/'", name));
  if (advanced && required && value === null)
    problems.push(
      goText(
        'parameter %q is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value',
        name,
      ),
    );
  return problems;
}

function groupProblems({ found }: Subject): readonly Complaint[] {
  const { groups, parameters } = found.params;
  const names = new Set<string>();
  const problems: Complaint[] = [];
  for (const { name, at } of groups) {
    if (name.includes('/'))
      problems.push({ message: goText("parameter group %q contains invalid character '/'", name), at });
    if (names.has(name)) problems.push({ message: goText('parameter group %q is duplicated', name), at });
    names.add(name);
  }
  for (const { name, group, at } of parameters) {
    if (!group || names.has(group)) continue;
    const message = goText('parameter %q has a group %q that is not defined in the group section', name, group);
    problems.push({ message, at });
  }
  return problems;
}

const implicits = new Set([
  'OperatorName',
  'Name',
  'Namespace',
  'AppVersion',
  'OperatorVersion',
  'PlanName',
  'PhaseName',
  'StepName',
]);

function templateProblems({ templates }: Subject): readonly Complaint[] {
  return [...templates].flatMap(([file, parsed]): readonly Complaint[] => {
    if ('error' in parsed) {
      const { message, line, column } = parsed.error;
      const text = goText('template file %q reports the following error: %v', file, message);
      return [{ message: text, ...placeOf(file, { line, column: column ?? 1 }) }];
    }
    return [...parsed.use.implicits]
      .filter(([name]) => !implicits.has(name))
      .map(([name, places]) => ({
        message: goText('template %v defines an invalid implicit parameter %q', file, name),
        ...placeOf(file, places[0]),
      }));
  });
}

function placeOf(file: string, place: { readonly line: number; readonly column: number } | undefined) {
  return place ? { at: { file: `templates/${file}`, line: place.line, column: place.column } } : {};
}
