import { changedFields, type FieldPath } from './changed-fields.ts';
import { GRAPH_LIMITS } from './graph.ts';
import { own } from './own.ts';
import type { PlanObject } from './plan-objects.ts';
import { readsOf } from './reads.ts';
import { rendering, type Subject, type Values } from './renderings.ts';

/** A field that changed, and the parameters that did it. */
export interface Blamed {
  readonly field: FieldPath;
  readonly parameters: readonly string[];
}

/** More parameters that change at once than this are not told apart by rendering. */
const most = 20;

/**
 * Which of the changed parameters changed which fields of an object: each is changed alone, and taken back alone. Where
 * neither shows it (only several together do), all that the template reads are to blame.
 */
export function blame(
  subject: Subject,
  planned: PlanObject,
  fields: readonly FieldPath[],
  change: { readonly from: Values; readonly to: Values; readonly changed: readonly string[] },
): readonly Blamed[] {
  const reads = readsOf(subject.operatorVersion, planned.use.template);
  const read = change.changed.filter((name) => reads.any || reads.params.has(name));
  const suspects = read.length > 0 ? read : change.changed;
  if (suspects.length <= 1 || suspects.length > most) return fields.map((field) => ({ field, parameters: suspects }));
  const { from, to } = change;
  const changedBy = suspects.map((name) => {
    const alone = touched(subject, planned, from, withValueOf(from, to, name));
    const takenBack = touched(subject, planned, to, withValueOf(to, from, name));
    return { name, fields: new Set([...alone, ...takenBack]) };
  });
  return fields.map((field) => {
    const guilty = changedBy.filter((one) => one.fields.has(keyOf(field))).map(({ name }) => name);
    return { field, parameters: guilty.length > 0 ? guilty : suspects };
  });
}

/** The values, with one as it is in others; absent there, absent here. */
function withValueOf(values: Values, others: Values, name: string): Values {
  const rest = Object.entries(values).filter(([key]) => key !== name);
  const other = own(others, name);
  return Object.fromEntries(other === undefined ? rest : [...rest, [name, other]]);
}

function touched(subject: Subject, { use, id }: PlanObject, before: Values, after: Values): readonly string[] {
  const [old, fresh] = [rendering(subject, use, before), rendering(subject, use, after)];
  if (!('objects' in old) || !('objects' in fresh)) return [];
  return changedFields(old.objects.get(id), fresh.objects.get(id), GRAPH_LIMITS).fields.map(keyOf);
}

const keyOf = (field: FieldPath): string => field.join('\0');
