import type { KubeObject } from '../../kube/object.ts';
import { repairObject } from '../package/repairs.ts';
import { ParameterError } from '../parameters/values-for.ts';
import { type RenderOptions, renderTemplate } from '../template/template.ts';
import { TemplateError } from '../template/template-error.ts';
import type { Complaint } from './complaint.ts';
import { contextOf } from './context.ts';
import { parsedTemplate } from './parsed-template.ts';
import type { Place } from './place.ts';
import { readObjects } from './read-objects.ts';

/** What a list of templates yields: objects to apply or delete, or the first thing that is wrong with them. */
export type Rendered =
  | { readonly objects: readonly KubeObject[]; readonly warnings: readonly string[] }
  | { readonly complaint: Complaint };

/** For those who render only to look: within narrower limits, and to know what it took. */
export type Metered = Pick<RenderOptions, 'limits' | 'spent'>;

/** Templates → text → YAML documents → objects; in the order the templates are declared, then that of the documents. */
export function renderObjects(place: Place, templates: readonly string[]): Rendered {
  const objects: KubeObject[] = [];
  const warnings: string[] = [];
  for (const template of templates) {
    const rendered = renderText(place, template);
    if ('complaint' in rendered) return rendered;
    const found = objectsIn(template, rendered.text);
    if ('complaint' in found) return found;
    objects.push(...found.objects);
    warnings.push(...found.warnings);
  }
  return { objects, warnings };
}

/** The objects of what one template printed. */
export function objectsIn(template: string, text: string): Rendered {
  const read = readObjects(template, text);
  if ('complaint' in read) return read;
  const repaired = read.objects.map((found) => repairObject(found));
  const repairs = repaired.flatMap(({ warnings }) => warnings.map((warning) => `${template}: ${warning}`));
  return { objects: repaired.map(({ object }) => object), warnings: [...read.warnings, ...repairs] };
}

/** The text of one template: the parameters of a child Instance, the pod of a Pipe task. */
export function renderText(
  place: Place,
  template: string,
  metered: Metered = {},
): { readonly text: string } | { readonly complaint: Complaint } {
  try {
    const parsed = parsedTemplate(place.operatorVersion, template);
    if (!parsed)
      return { complaint: failed(template, `error finding resource named ${template} for operator version`) };
    return { text: renderTemplate(parsed, contextOf(place), { ...(place.key && { key: place.key }), ...metered }) };
  } catch (error) {
    if (error instanceof TemplateError) {
      const doing = error.stage === 'parse' ? 'parsing' : 'rendering';
      const message = `error expanding template ${template}: error ${doing} template: ${error.message}`;
      return { complaint: { ...failed(template, message), line: error.line } };
    }
    if (error instanceof ParameterError) {
      return { complaint: failed(template, `error expanding template ${template}: ${error.message}`) };
    }
    throw error;
  }
}

function failed(template: string, message: string): Complaint {
  return { reason: 'TaskRenderingError', message, template };
}
