import type { Change } from '../../change/change.ts';
import type { FieldChange } from '../../portrait/plan.ts';
import type { Json } from '../../schema/json.ts';
import { brief } from './wording.ts';

/** Changes field by field, as people are told of them. `under` stands before each path: templates are inside of a spec. */
export function fieldChanges(changes: readonly Change[], under = ''): readonly FieldChange[] {
  return changes.map(({ path, from, to, demands }) => ({
    path: `${under}${path}`,
    ...(from !== undefined && { from: valueText(from) }),
    ...(to !== undefined && { to: valueText(to) }),
    demands,
  }));
}

/** A value as somebody would write it in YAML, shortly. */
export function valueText(value: Json): string {
  return brief(typeof value === 'string' ? value : JSON.stringify(value));
}
