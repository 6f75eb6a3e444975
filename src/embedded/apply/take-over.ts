import type { Comparison } from './compare.ts';
import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager } from './managers.ts';

/** What other managers own of what a change touches. */
export function conflictsWith(
  managers: ReadonlyMap<string, Manager>,
  self: string,
  change: Comparison,
): Map<string, FieldSet> {
  const touched = union(change.modified, change.added);
  const conflicts = new Map<string, FieldSet>();
  if (isEmpty(touched)) return conflicts;
  for (const [id, { fields }] of managers) {
    if (id === self) continue;
    const shared = intersection(fields, touched);
    if (!isEmpty(shared)) conflicts.set(id, shared);
  }
  return conflicts;
}

/** Takes what a change touched or removed away from everyone else. */
export function takeOver(managers: Map<string, Manager>, self: string, change: Comparison): void {
  const conflicts = conflictsWith(managers, self, change);
  for (const [id, manager] of managers) {
    if (id === self) continue;
    const lost = conflicts.get(id);
    let fields = manager.fields;
    if (lost) fields = difference(fields, lost);
    fields = difference(fields, change.removed);
    if (isEmpty(fields)) managers.delete(id);
    else if (fields !== manager.fields) managers.set(id, { ...manager, fields });
  }
}
