import { equal } from '../schema/equal.ts';
import { quote } from '../schema/go-text.ts';
import { type Condition, conditionOf, type Definition, type Names } from './definition.ts';

/**
 * The status of a definition once its names are settled against those of the others in its group, which came first.
 * A name that another definition holds is a conflict: it keeps the names it had, and new ones wait until they are free.
 *
 * In the server all endpoints open at once, so a definition whose names are accepted is established in the same step.
 */
export function acceptNames(
  definition: Definition,
  others: readonly Definition[],
  now: string,
): NonNullable<Definition['status']> {
  const { names: wanted, group } = definition.spec;
  const status = definition.status ?? {};
  const had: Partial<Names> = status.acceptedNames ?? {};
  const rivals = others.filter(
    (other) => other.spec.group === group && other.metadata.name !== definition.metadata.name,
  );
  const resources = new Set<string | undefined>();
  const kinds = new Set<string | undefined>();
  for (const { status: theirs } of rivals) {
    const { plural, singular, shortNames = [], kind, listKind } = theirs?.acceptedNames ?? ({} as Partial<Names>);
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }

  let conflict: { readonly reason: string; readonly message: string } | undefined;
  const settle = <K extends 'plural' | 'singular' | 'kind' | 'listKind'>(field: K, taken: typeof kinds): Names[K] => {
    if (wanted[field] === had[field] || !taken.has(wanted[field])) return wanted[field];
    const reason = `${field[0]?.toUpperCase()}${field.slice(1)}Conflict`;
    conflict = { reason, message: `${quote(wanted[field] ?? '')} is already in use` };
    return had[field] as Names[K];
  };

  const plural = settle('plural', resources);
  const singular = settle('singular', resources);
  const takenShort = (wanted.shortNames ?? []).filter((name) => !had.shortNames?.includes(name) && resources.has(name));
  if (takenShort.length > 0) {
    const lines = takenShort.map((name) => `${quote(name)} is already in use`);
    const message = lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`;
    conflict = { reason: 'ShortNamesConflict', message };
  }
  const shortNames = takenShort.length > 0 ? had.shortNames : wanted.shortNames;
  const kind = settle('kind', kinds);
  const listKind = settle('listKind', kinds);

  const acceptedNames: Names = {
    plural: plural ?? '',
    ...(singular !== undefined && { singular }),
    ...(shortNames !== undefined && { shortNames }),
    kind: kind ?? '',
    ...(listKind !== undefined && { listKind }),
    ...(wanted.categories !== undefined && { categories: wanted.categories }),
  };
  const accepted: Condition = conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  return {
    ...status,
    conditions: [accepted, established(definition, conflict !== undefined)].reduce(
      (all, next) => withCondition(all, next, now),
      status.conditions ?? [],
    ),
    acceptedNames,
    storedVersions: status.storedVersions ?? [],
  };
}

/** Once established, a definition stays so: what was served goes on being served. */
function established(definition: Definition, conflict: boolean): Condition {
  const now = conditionOf(definition, 'Established');
  if (now?.status === 'True') return now;
  if (conflict) {
    return { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  }
  const message = 'the initial names have been accepted';
  return { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message };
}

function withCondition(all: readonly Condition[], next: Condition, now: string): readonly Condition[] {
  const old = all.find(({ type }) => type === next.type);
  if (!old) return [...all, { lastTransitionTime: now, ...next }];
  const since = old.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const merged = { ...next, lastTransitionTime: since };
  return equal(old, merged) ? all : all.map((condition) => (condition === old ? merged : condition));
}
