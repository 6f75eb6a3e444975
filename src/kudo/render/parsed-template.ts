import type { OperatorVersion } from '../resources/operator-version.ts';
import { parseTemplate, type Template } from '../template/template.ts';
import { templateFunctions } from './functions.ts';

/** Objects from caches are never changed in place, so what was parsed of one stays true as long as it is around. */
const parsed = new WeakMap<OperatorVersion, Map<string, Template>>();

/** A template of a version, parsed at most once; `undefined` if there is none of that name. Errors: `TemplateError`. */
export function parsedTemplate(version: OperatorVersion, name: string): Template | undefined {
  const templates = version.spec.templates ?? {};
  const text = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (typeof text !== 'string') return undefined;
  const known = parsed.get(version) ?? new Map<string, Template>();
  parsed.set(version, known);
  const found = known.get(name) ?? parseTemplate({ name, text }, templateFunctions);
  known.set(name, found);
  return found;
}
