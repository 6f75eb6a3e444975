import { parsedTemplate } from '../../render/parsed-template.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { type TemplateUse, usesOf } from '../../template/analysis.ts';
import { TemplateError } from '../../template/template-error.ts';
import type { OperatorPackage } from '../operator-package.ts';
import { operatorVersionOf } from '../to-resources.ts';
import type { Findings } from './finding.ts';

/** What is checked. Templates are parsed once for all checks. */
export interface Subject {
  readonly found: OperatorPackage;
  readonly operatorVersion: OperatorVersion;
  /** By file, sorted. */
  readonly templates: ReadonlyMap<string, ParsedTemplate>;
}

export type ParsedTemplate = { readonly use: TemplateUse } | { readonly error: TemplateError };

/** One rule, or a few that belong together. */
export type Verifier = (subject: Subject) => Findings;

export function subjectOf(found: OperatorPackage): Subject {
  const operatorVersion = operatorVersionOf(found, 'Namespace');
  const templates = new Map<string, ParsedTemplate>();
  for (const name of found.templates.keys()) templates.set(name, parsed(operatorVersion, name));
  return { found, operatorVersion, templates };
}

function parsed(operatorVersion: OperatorVersion, name: string): ParsedTemplate {
  try {
    const template = parsedTemplate(operatorVersion, name);
    if (!template) throw new Error(`no template ${name} in its own package`);
    return { use: usesOf(template) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { error };
  }
}
