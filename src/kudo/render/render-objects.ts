import type { KubeObject } from '../../kube/object.ts';
import type { Complaint } from './complaint.ts';
import type { Place } from './place.ts';

/** What a list of templates yields: objects to apply or delete, or the first thing that is wrong with them. */
export type Rendered =
  | { readonly objects: readonly KubeObject[]; readonly warnings: readonly string[] }
  | { readonly complaint: Complaint };

/** Templates → text → YAML documents → objects; in the order the templates are declared, then that of the documents. */
export function renderObjects(_place: Place, _templates: readonly string[]): Rendered {
  throw new Error('being built');
}

/** The text of one template: the parameters of a child Instance, the pod of a Pipe task. */
export function renderText(
  _place: Place,
  _template: string,
): { readonly text: string } | { readonly complaint: Complaint } {
  throw new Error('being built');
}
