import type { StatusCause } from '../../kube/object.ts';
import { quote } from '../schema/go-text.ts';
import { StatusError } from '../status-error.ts';
import { type FieldSet, paths } from './field-set.ts';
import type { Managers } from './managers.ts';

/** 409: other managers own what the applier wants to change. */
export function applyConflict(managers: Managers, conflicts: ReadonlyMap<string, FieldSet>): StatusError {
  const found = [...conflicts]
    .map(([id, fields]) => ({ id, name: nameOf(managers, id), fields: paths(fields) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const causes: StatusCause[] = found.flatMap(({ name, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  return new StatusError(409, 'Conflict', `Apply failed with ${describe(found, causes.length)}`, { causes });
}

function describe(
  found: readonly { readonly name: string; readonly fields: readonly string[] }[],
  count: number,
): string {
  const [first] = found;
  if (count === 1 && first) return `1 conflict: conflict with ${first.name}: ${first.fields[0]}`;
  const lines = found.flatMap(({ name, fields }) => [
    `conflicts with ${name}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return `${count} conflicts: ${lines.join('\n')}`;
}

function nameOf(managers: Managers, id: string): string {
  const entry = managers.get(id)?.entry;
  const subresource = entry?.subresource ? ` with subresource ${quote(entry.subresource)}` : '';
  const using = entry?.operation === 'Update' ? ` using ${entry.apiVersion}` : '';
  return `${quote(entry?.manager ?? '')}${subresource}${using}`;
}
