import type { AnyObject, ObjectList } from '../../kube/object.ts';
import type { ServedResource } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import { asTable } from '../table/as-table.ts';

/** Objects as a table, with as much of each as the query's `includeObject` asks for. @throws StatusError 400 */
export function tableOf(
  resource: ServedResource,
  objects: readonly AnyObject[],
  query: URLSearchParams,
  options: { readonly now: number; readonly listMeta: ObjectList['metadata']; readonly headers?: boolean },
): Readonly<Record<string, unknown>> {
  const include = query.get('includeObject') || 'Metadata';
  if (include !== 'Metadata' && include !== 'Object' && include !== 'None') {
    const shown = JSON.stringify(include);
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${shown}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return asTable(resource, objects, { ...options, includeObject: include });
}
