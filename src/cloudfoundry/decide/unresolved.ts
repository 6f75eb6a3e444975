import { show } from '../../change/show.ts';

/** Why a reference leads nowhere: the field, what it says, and what is not there. */
export function unresolved(kind: string, field: string, name: string | undefined): string {
  if (!name) return `${field} is empty: it names no ${kind}.`;
  return `There is no ${kind} ${show(name)} in this namespace, which ${field} names.`;
}
